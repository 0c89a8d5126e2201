package signal

import (
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/stream"
)

func (l *lab) readImports() error {
	g, ok := l.corpus.(Imports)
	if !ok {
		return nil
	}
	l.out, l.in = make([][]int32, len(l.files)), make([][]int32, len(l.files))
	var buf []uint32
	var err error
	for i, id := range l.ids {
		if id < 0 {
			continue
		}
		if buf, err = g.Imported(int(id), buf); err != nil {
			return err
		}
		for _, t := range buf {
			if int(t) < len(l.at) && l.at[t] >= 0 {
				l.out[i] = append(l.out[i], l.at[t])
				l.in[l.at[t]] = append(l.in[l.at[t]], int32(i))
			}
		}
	}
	return nil
}

// leadTemper is how much less sure of its leaders the first pass is than its
// mix says.
const leadTemper = 1.5

// propagate passes what the leaders are worth on to what belongs to them.
func (l *lab) propagate(lead []float64) {
	top := 0.0
	for i, x := range lead {
		if l.ranked[i] {
			top = max(top, x)
		}
	}
	b := make([]float64, len(lead))
	for i, x := range lead {
		if l.ranked[i] {
			b[i] = math.Exp((x - top) / leadTemper)
		}
	}
	if l.wants("TestByName") || l.wants("TestByImport") {
		l.tests()
	}
	l.folders(b)
	l.kin(b)
	l.neighbours(b)
	l.walk(b)
	l.coChange(b)
}

// spread adds a signal that is known of all files.
func (l *lab) spread(name string, values []float64) {
	out := l.few(name)
	for k, i := range l.candidates {
		out[k] = values[i]
	}
}

// Limits of what a test vouches for.
const (
	testFloor   = 0.2 // of the best body; below, a test is about something else
	testImports = 30  // imports; a test of more is one of the whole
)

// tests passes the body's value of a test on to the file it tests: by name, and
// by what it imports.
func (l *lab) tests() {
	byName, byImport := make([]float64, len(l.files)), make([]float64, len(l.files))
	body := l.get("Body")
	top := slices.Max(append(slices.Clone(body), 1e-9))
	byStem := map[string][]int{}
	for i := range l.files {
		if l.ranked[i] {
			s := strings.ToLower(stemOf(l.files[i].Path))
			byStem[s] = append(byStem[s], i)
		}
	}
	for i := range l.files {
		v := body[i] / top
		if l.files[i].Role != stream.RoleTest || v < testFloor {
			continue
		}
		own := strings.ToLower(stemOf(l.files[i].Path))
		if s := testedStem(own); s != "" && s != own {
			nearest := l.nearest(i, byStem[s])
			for _, k := range nearest {
				byName[k] = max(byName[k], v/float64(len(nearest)))
			}
		}
		if l.out != nil && len(l.out[i]) > 0 && len(l.out[i]) < testImports {
			for _, k := range l.out[i] {
				byImport[k] += v * v / math.Sqrt(float64(len(l.out[i])))
			}
		}
	}
	l.spread("TestByName", byName)
	l.spread("TestByImport", byImport)
}

// nearest lists those of files that share most folders with file i.
func (l *lab) nearest(i int, files []int) (out []int) {
	best := -1
	own := strings.Split(dirOf(l.files[i].Path), "/")
	for _, f := range files {
		n := 0
		for dir := range strings.SplitSeq(dirOf(l.files[f].Path), "/") {
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

// testedStem is the stem of the file that a test of that stem is about.
func testedStem(s string) string {
	for _, p := range []string{"test_", "tests_", "test-", "spec_"} {
		s = strings.TrimPrefix(s, p)
	}
	for _, p := range []string{"_test", "_tests", "-test", "_spec", ".spec", ".test", ".e2e", "tests", "test", "spec", "it", "testcase"} {
		if len(s) > len(p)+2 && strings.HasSuffix(s, p) {
			return strings.TrimSuffix(s, p)
		}
	}
	return s
}

// folders values a candidate by the others in its folder.
func (l *lab) folders(b []float64) {
	best, sum := l.few("FolderBest"), l.few("FolderSum")
	for k, c := range l.candidates {
		total, first, second := 0.0, 0.0, 0.0
		for _, i := range l.inDir[l.dir[c]] {
			if !l.ranked[i] {
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

// neighbours values a candidate by those it imports and those that import it.
func (l *lab) neighbours(b []float64) {
	imported, importing, both := l.few("Imports"), l.few("ImportedBy"), l.few("Neighbours")
	if l.out == nil {
		return
	}
	for k, i := range l.candidates {
		for _, t := range l.out[i] {
			imported[k] = max(imported[k], b[t])
			both[k] += b[t] * b[t]
		}
		for _, t := range l.in[i] {
			if l.ranked[t] {
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

// walk is PageRank over imports in both directions that starts from the
// leaders; a value is what came from others.
func (l *lab) walk(b []float64) {
	out := l.few("Walk")
	if l.out == nil {
		return
	}
	start, total := make([]float64, len(b)), 1e-12
	for _, i := range l.top(b, walkSeeds) {
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
			deg := float64(len(l.out[i]) + len(l.in[i]))
			if v < walkFloor || deg == 0 {
				continue
			}
			m := (1 - walkStay) * v / deg
			for _, t := range l.out[i] {
				next[t] += m
			}
			for _, t := range l.in[i] {
				next[t] += m
			}
		}
		for i := range next {
			next[i] += walkStay * start[i]
		}
		cur, next = next, cur
	}
	for k, i := range l.candidates {
		out[k] = math.Sqrt(max(0, cur[i]-walkStay*start[i]))
	}
}
