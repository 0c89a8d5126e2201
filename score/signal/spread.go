package signal

import (
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/stream"
)

func (m *featureMatrix) readImports() error {
	g, ok := m.corpus.(Imports)
	if !ok {
		return nil
	}
	m.out, m.in = make([][]int32, len(m.files)), make([][]int32, len(m.files))
	var buf []uint32
	var err error
	for i, id := range m.ids {
		if id < 0 {
			continue
		}
		if buf, err = g.Imported(int(id), buf); err != nil {
			return err
		}
		for _, t := range buf {
			if int(t) < len(m.at) && m.at[t] >= 0 {
				m.out[i] = append(m.out[i], m.at[t])
				m.in[m.at[t]] = append(m.in[m.at[t]], int32(i))
			}
		}
	}
	return nil
}

// softmaxTemperature divides the scores of the first pass before they become
// weights: the first pass is less certain than its scores suggest.
const softmaxTemperature = 1.5

// propagate computes the signals that spread the first-pass scores to related
// files.
func (m *featureMatrix) propagate(firstPass []float64) {
	top := 0.0
	for i, x := range firstPass {
		if m.ranked[i] {
			top = max(top, x)
		}
	}
	b := make([]float64, len(firstPass))
	for i, x := range firstPass {
		if m.ranked[i] {
			b[i] = math.Exp((x - top) / softmaxTemperature)
		}
	}
	if m.wants("TestByName") || m.wants("TestByImport") {
		m.testFeatures()
	}
	m.folderFeatures(b)
	m.similarNameFeatures(b)
	m.neighbourFeatures(b)
	m.walkFeatures(b)
	m.coChangeFeatures(b)
}

// spread adds a candidate feature whose values are known for all files.
func (m *featureMatrix) spread(name string, values []float64) {
	out := m.addCandidateFeature(name)
	for k, i := range m.candidates {
		out[k] = values[i]
	}
}

// Limits of what a test supports.
const (
	testFloor   = 0.2 // of the best body; below, a test is about something else
	testImports = 30  // imports; a test of more is one of the whole
)

// testFeatures pass the body's value of a test on to the file it tests: by name, and
// by what it imports.
func (m *featureMatrix) testFeatures() {
	byName, byImport := make([]float64, len(m.files)), make([]float64, len(m.files))
	body := m.fileFeature("Body")
	top := slices.Max(append(slices.Clone(body), 1e-9))
	byStem := map[string][]int{}
	for i := range m.files {
		if m.ranked[i] {
			s := strings.ToLower(stemOf(m.files[i].Path))
			byStem[s] = append(byStem[s], i)
		}
	}
	for i := range m.files {
		v := body[i] / top
		if m.files[i].Role != stream.RoleTest || v < testFloor {
			continue
		}
		own := strings.ToLower(stemOf(m.files[i].Path))
		if s := lang.TestedStem(own); s != "" && s != own {
			nearest := m.nearest(i, byStem[s])
			for _, k := range nearest {
				byName[k] = max(byName[k], v/float64(len(nearest)))
			}
		}
		if m.out != nil && len(m.out[i]) > 0 && len(m.out[i]) < testImports {
			for _, k := range m.out[i] {
				byImport[k] += v * v / math.Sqrt(float64(len(m.out[i])))
			}
		}
	}
	m.spread("TestByName", byName)
	m.spread("TestByImport", byImport)
}

// nearest lists those of files that share most folders with file i.
func (m *featureMatrix) nearest(i int, files []int) (out []int) {
	best := -1
	own := strings.Split(dirOf(m.files[i].Path), "/")
	for _, f := range files {
		n := 0
		for dir := range strings.SplitSeq(dirOf(m.files[f].Path), "/") {
			if slices.Contains(own, dir) {
				n++
			}
		}
		if n > best {
			best, out = n, nil
		}
		if n == best {
			out = append(out, f)
		}
	}
	return out
}

// folderFeatures values a candidate by the others in its folder.
func (m *featureMatrix) folderFeatures(b []float64) {
	best, sum := m.addCandidateFeature("FolderBest"), m.addCandidateFeature("FolderSum")
	for k, c := range m.candidates {
		total, first, second := 0.0, 0.0, 0.0
		for _, i := range m.inDir[m.dir[c]] {
			if !m.ranked[i] {
				continue
			}
			total += b[i]
			if b[i] > first {
				first, second = b[i], first
			} else {
				second = max(second, b[i])
			}
		}
		best[k], sum[k] = first, total
		if b[c] == first {
			best[k] = second
		}
	}
}

// neighbourFeatures values a candidate by those it imports and those that import it.
func (m *featureMatrix) neighbourFeatures(b []float64) {
	imported, importing, both := m.addCandidateFeature("Imports"), m.addCandidateFeature("ImportedBy"), m.addCandidateFeature("Neighbours")
	if m.out == nil {
		return
	}
	for k, i := range m.candidates {
		for _, t := range m.out[i] {
			imported[k] = max(imported[k], b[t])
			both[k] += b[t] * b[t]
		}
		for _, t := range m.in[i] {
			if m.ranked[t] {
				importing[k] = max(importing[k], b[t])
				both[k] += b[t] * b[t]
			}
		}
		both[k] = math.Sqrt(both[k])
	}
}

// Parameters of the personalised PageRank: three steps reach all that matters.
const (
	walkSeeds = 30
	walkSteps = 3
	walkStay  = 0.5
	walkFloor = 1e-7
)

// walkFeatures is PageRank over imports in both directions that starts from the
// best files of the first pass; a value is what came from other files.
func (m *featureMatrix) walkFeatures(b []float64) {
	out := m.addCandidateFeature("Walk")
	if m.out == nil {
		return
	}
	start, total := make([]float64, len(b)), 1e-12
	for _, i := range m.top(b, walkSeeds) {
		start[i] = b[i] * b[i] * b[i]
		total += start[i]
	}
	for i := range start {
		start[i] /= total
	}
	cur, next := slices.Clone(start), make([]float64, len(b))
	for range walkSteps {
		clear(next)
		for i, v := range cur {
			deg := float64(len(m.out[i]) + len(m.in[i]))
			if v < walkFloor || deg == 0 {
				continue
			}
			share := (1 - walkStay) * v / deg
			for _, t := range m.out[i] {
				next[t] += share
			}
			for _, t := range m.in[i] {
				next[t] += share
			}
		}
		for i := range next {
			next[i] += walkStay * start[i]
		}
		cur, next = next, cur
	}
	for k, i := range m.candidates {
		out[k] = math.Sqrt(max(0, cur[i]-walkStay*start[i]))
	}
}
