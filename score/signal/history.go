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
func (l *lab) readHistory() error {
	h, ok := l.corpus.(History)
	if !ok || h.NumCommits() == 0 {
		return nil
	}
	l.commit = make([][]int32, min(h.NumCommits(), maxCommits))
	l.by = make([][]uint32, len(l.files))
	for i, id := range l.ids {
		if id < 0 {
			continue
		}
		cs, err := h.FileCommits(int(id), nil)
		if err != nil {
			return err
		}
		for k, c := range cs {
			if int(c) >= len(l.commit) {
				cs = cs[:k] // newest first
				break
			}
			l.commit[c] = append(l.commit[c], int32(i))
		}
		l.by[i] = cs
	}
	return nil
}

// halfLives, in commits, of how much a commit still says about where the work is.
var halfLives = [...]float64{15, 60, 250, 1000}

// history values files by the commits that touched them: by the words of their
// subjects taken together, by the single commits most like the query, and by
// how often and how lately.
func (l *lab) history() error {
	hist, like, likeLate := l.column("History"), l.column("LikeCommits"), l.column("LikeLateCommits")
	churn, last := l.column("Churn"), l.column("LastTouched")
	var decay [len(halfLives)][]float64
	for k, name := range [...]string{"Touched15", "Touched60", "Touched250", "Touched1000"} {
		decay[k] = l.column(name)
	}
	if l.commit == nil {
		return nil
	}
	s, err := l.subjects()
	if err != nil {
		return err
	}
	length := make([]float64, len(l.files))
	freq := newSparse(len(l.files), len(l.terms))
	oldest := math.Log1p(float64(len(l.commit)))
	l.dirLike, l.dirLate = make([]float64, len(l.inDir)), make([]float64, len(l.inDir))
	counted := make([]int32, len(l.inDir)) // commit+1 that a folder was counted for last
	for c, files := range l.commit {
		if len(files) == 0 || len(files) > sweepingCommit {
			continue
		}
		share := 1 / math.Sqrt(float64(len(files)))
		sim := s.likeness(c, l.terms)
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
			likeLate[i] += cube * late(age)
			for _, t := range s.terms[c] {
				freq.add(int(i), int(t), share)
			}
			if d := l.dir[i]; l.ranked[i] && counted[d] != int32(c)+1 {
				counted[d] = int32(c) + 1
				l.dirLike[d] += cube
				l.dirLate[d] += cube * late(age)
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
			hist[i] += l.terms[t].weight * l.terms[t].idf * x / (x + bm25K1*norm)
		})
		churn[i] = math.Log1p(churn[i])
		like[i], likeLate[i] = math.Cbrt(like[i]), math.Cbrt(likeLate[i])
		for k := range decay {
			decay[k][i] = math.Sqrt(decay[k][i])
		}
	}
	return nil
}

// late is what a commit counts, so many commits ago, where late ones count more.
func late(age float64) float64 { return 0.2 + math.Exp(-age/300) }

// subjects holds what the subjects of the commits share with the query.
type subjects struct {
	terms  [][]int32 // of each commit, distinct
	length []float64
	idf    []float64 // by term, among commits
}

func (l *lab) subjects() (*subjects, error) {
	h := l.corpus.(History)
	s := &subjects{make([][]int32, len(l.commit)), make([]float64, len(l.commit)), make([]float64, len(l.terms))}
	df := make([]int, len(l.terms))
	spell := speller{set: l.set}
	for c, files := range l.commit {
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
		s.idf[k] = idf(len(l.commit), df[k])
	}
	return s, nil
}

// likeness of commit c and the query: the weight of what they share over the
// length of the subject.
func (s *subjects) likeness(c int, terms []term) float64 {
	sim := 0.0
	for _, t := range s.terms[c] {
		sim += terms[t].weight * s.idf[t]
	}
	return sim / math.Sqrt(s.length[c]+3)
}

// sparse holds frequencies by row and column in the order of their first use.
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

// coChange values the files that changed together with the leaders.
func (l *lab) coChange(lead []float64) {
	const leaders = 15
	out := make([]float64, len(l.files))
	defer func() { l.spread("CoChange", out) }()
	if l.commit == nil {
		return
	}
	count := make([]float64, len(l.files))
	for _, s := range l.top(lead, leaders) {
		var seen []int32
		for _, c := range l.by[s] {
			files := l.commit[c]
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
			both := math.Sqrt(float64(len(l.by[s])+2) * float64(len(l.by[f])+2))
			out[f] = max(out[f], lead[s]*lead[s]*count[f]/both)
			count[f] = 0
		}
	}
}
