package signal

import (
	"math"
	"slices"

	"github.com/topo-dev/topo/index/token"
)

// Commits that touch more files say little about each of them; older ones than
// maxCommits say little about where the work is.
const (
	maxCommits     = 10000
	sweepingCommit = 60
	coCommit       = 20
)

// readHistory inverts the files' commits.
func (m *featureMatrix) readHistory() error {
	h, ok := m.corpus.(History)
	if !ok || h.NumCommits() == 0 {
		return nil
	}
	m.commit = make([][]int32, min(h.NumCommits(), maxCommits))
	m.by = make([][]uint32, len(m.files))
	for i, id := range m.ids {
		if id < 0 {
			continue
		}
		cs, err := h.FileCommits(int(id), nil)
		if err != nil {
			return err
		}
		for k, c := range cs {
			if int(c) >= len(m.commit) {
				cs = cs[:k] // newest first
				break
			}
			m.commit[c] = append(m.commit[c], int32(i))
		}
		m.by[i] = cs
	}
	return nil
}

// halfLives, in commits, of how much a commit still says about where the work is.
var halfLives = [...]float64{15, 60, 250, 1000}

// historyFeatures values files by the commits that touched them: by the words of their
// subjects taken together, by the single commits most similar to the query, and by
// how often and how lately.
func (m *featureMatrix) historyFeatures() error {
	hist, like, likeLate := m.addFileFeature("History"), m.addFileFeature("LikeCommits"), m.addFileFeature("LikeLateCommits")
	churn, last := m.addFileFeature("Churn"), m.addFileFeature("LastTouched")
	var decay [len(halfLives)][]float64
	for k, name := range [...]string{"Touched15", "Touched60", "Touched250", "Touched1000"} {
		decay[k] = m.addFileFeature(name)
	}
	if m.commit == nil {
		return nil
	}
	s, err := m.subjects()
	if err != nil {
		return err
	}
	length := make([]float64, len(m.files))
	freq := newSparse(len(m.files), len(m.terms))
	oldest := math.Log1p(float64(len(m.commit)))
	m.dirLike, m.dirLate = make([]float64, len(m.inDir)), make([]float64, len(m.inDir))
	counted := make([]int32, len(m.inDir)) // commit+1 that a folder was counted for last
	for c, files := range m.commit {
		if len(files) == 0 || len(files) > sweepingCommit {
			continue
		}
		share := 1 / math.Sqrt(float64(len(files)))
		sim := s.similarity(c, m.terms)
		age := float64(c)
		lately := 1 - math.Log1p(age)/oldest
		var left [len(halfLives)]float64
		for k, h := range halfLives {
			left[k] = share * math.Exp(-age/h)
		}
		for _, i := range files {
			length[i] += s.length[c]
			churn[i] += share
			last[i] = max(last[i], lately)
			for k, x := range left {
				decay[k][i] += x
			}
			if sim == 0 {
				continue
			}
			cube := share * sim * sim * sim
			like[i] += cube
			likeLate[i] += cube * recencyWeight(age)
			for _, t := range s.terms[c] {
				freq.add(int(i), int(t), share)
			}
			if d := m.dir[i]; m.ranked[i] && counted[d] != int32(c)+1 {
				counted[d] = int32(c) + 1
				m.dirLike[d] += cube
				m.dirLate[d] += cube * recencyWeight(age)
			}
		}
	}
	avg, n := 0.0, 0.0
	for _, x := range length {
		if x > 0 {
			avg += x
			n++
		}
	}
	avg /= max(n, 1)
	for i := range hist {
		norm := 1 - bm25B + bm25B*length[i]/max(avg, 1e-9)
		freq.each(i, func(t int, x float64) {
			hist[i] += m.terms[t].weight * m.terms[t].idf * x / (x + bm25K1*norm)
		})
		churn[i] = math.Log1p(churn[i])
		like[i], likeLate[i] = math.Cbrt(like[i]), math.Cbrt(likeLate[i])
		for k := range decay {
			decay[k][i] = math.Sqrt(decay[k][i])
		}
	}
	return nil
}

// recencyWeight is the weight of a commit by its age in commits; recent ones count
// more.
func recencyWeight(age float64) float64 { return 0.2 + math.Exp(-age/300) }

// subjects holds what the subjects of the commits share with the query.
type subjects struct {
	terms  [][]int32 // of each commit, distinct
	length []float64
	idf    []float64 // by term, among commits
}

func (m *featureMatrix) subjects() (*subjects, error) {
	h := m.corpus.(History)
	s := &subjects{make([][]int32, len(m.commit)), make([]float64, len(m.commit)), make([]float64, len(m.terms))}
	df := make([]int, len(m.terms))
	spell := nameSplitter{set: m.set}
	for c, files := range m.commit {
		if len(files) == 0 || len(files) > sweepingCommit {
			continue
		}
		text, err := h.CommitSubject(c)
		if err != nil {
			return nil, err
		}
		spell.eachTerm(text, func(k int32) {
			s.length[c]++
			if k == token.None {
				return
			}
			if k < 0 {
				k = -1 - k
			}
			if !slices.Contains(s.terms[c], k) {
				s.terms[c] = append(s.terms[c], k)
				df[k]++
			}
		})
	}
	for k := range s.idf {
		s.idf[k] = idf(len(m.commit), df[k])
	}
	return s, nil
}

// similarity of commit c and the query: the weight of what they share over the
// length of the subject.
func (s *subjects) similarity(c int, terms []term) float64 {
	sim := 0.0
	for _, t := range s.terms[c] {
		sim += terms[t].weight * s.idf[t]
	}
	return sim / math.Sqrt(s.length[c]+3)
}

// sparse holds frequencies by row and column, the columns of a row in the order
// of their first use.
type sparse struct {
	rows [][]cell
}

type cell struct {
	col int32
	x   float64
}

func newSparse(rows, _ int) *sparse { return &sparse{make([][]cell, rows)} }

func (s *sparse) add(row, col int, x float64) {
	for k := range s.rows[row] {
		if s.rows[row][k].col == int32(col) {
			s.rows[row][k].x += x
			return
		}
	}
	s.rows[row] = append(s.rows[row], cell{int32(col), x})
}

func (s *sparse) each(row int, fn func(col int, x float64)) {
	for _, c := range s.rows[row] {
		fn(int(c.col), c.x)
	}
}

// coChangeFeatures values the files that changed together with the best files of
// the first pass.
func (m *featureMatrix) coChangeFeatures(firstPass []float64) {
	const seeds = 15
	out := make([]float64, len(m.files))
	defer func() { m.spread("CoChange", out) }()
	if m.commit == nil {
		return
	}
	count := make([]float64, len(m.files))
	for _, s := range m.top(firstPass, seeds) {
		var seen []int32
		for _, c := range m.by[s] {
			files := m.commit[c]
			if len(files) < 2 || len(files) > coCommit {
				continue
			}
			for _, f := range files {
				if int(f) == s {
					continue
				}
				if count[f] == 0 {
					seen = append(seen, f)
				}
				count[f] += 1 / math.Log2(float64(len(files))+1)
			}
		}
		for _, f := range seen {
			both := math.Sqrt(float64(len(m.by[s])+2) * float64(len(m.by[f])+2))
			out[f] = max(out[f], firstPass[s]*firstPass[s]*count[f]/both)
			count[f] = 0
		}
	}
}
