package score

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/stream"
)

// Names of the ways to join signals.
const (
	FusionLinear = "linear" // learned weights over normalised signals
	FusionRRF    = "rrf"    // reciprocal rank fusion, as specified
)

// Fusions lists the ways to join signals, the default first.
func Fusions() (names []string) {
	for _, f := range FusionDocs() {
		names = append(names, f.Name)
	}
	return names
}

// FusionDoc is a way to join signals with its one line of help.
type FusionDoc struct{ Name, Doc string }

// FusionDocs lists them with their help.
func FusionDocs() []FusionDoc {
	return []FusionDoc{
		{FusionLinear, fmt.Sprintf("learned weights over %d signals; the default of balanced, deep and thorough", len(signal.Weights))},
		{FusionRRF, "reciprocal rank fusion of the preset's named signals"},
	}
}

// SignalFirstPass is the mix of signals that chooses the files to be read closely.
const SignalFirstPass = "Lead"

// floor is the score of the last file that was read closely. What was not read
// is below it, in the order of the mix that chose.
const floor = signal.Floor

// groups are what the linear fusion computes at each preset.
var groups = map[string][]string{
	"balanced": {"text", "path", "prior", "read", "history", "together"},
	"deep":     {"text", "path", "prior", "read", "history", "imports", "together"},
	"thorough": {"text", "path", "prior", "read", "history", "imports", "tests", "together"},
}

// PresetSignals lists the names of what the default fusion of a preset computes,
// sorted; those of preset fast, which has no fusion, are [Preset].Signals.
func PresetSignals(p Preset) (names []string) {
	computes, ok := groups[p.Name]
	if !ok {
		return slices.Clone(p.Signals)
	}
	for _, k := range signal.Signals() {
		if _, counts := signal.Weights[k.Name]; counts && slices.Contains(computes, k.Group) {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return names
}

// PresetGroups lists what the signals of the default fusion are made of.
func PresetGroups(p Preset) []string { return slices.Clone(groups[p.Name]) }

// thoroughCandidates is how many files preset thorough reads.
const thoroughCandidates = 3 * signal.MaxCandidates

// usesLearnedWeights reports whether the plan is ranked by the linear fusion.
func (o *Options) usesLearnedWeights(plan Plan) (bool, error) {
	switch o.Fusion {
	case "", FusionLinear, FusionRRF:
	default:
		return false, errors.New("unknown fusion \"" + o.Fusion + "\"; known: " + FusionLinear + ", " + FusionRRF)
	}
	return o.Fusion != FusionRRF && plan.Mode.Name == "hybrid" && plan.Reads(), nil
}

// linear ranks by the learned weights. all are the files that may support
// others, in scope or not.
func (r *run) linear(all []stream.File, o Options) error {
	byPath := func(a, b stream.File) int { return strings.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(all, byPath) { // sums depend on the order of files
		all, r.files = slices.Clone(all), slices.Clone(r.files)
		slices.SortFunc(all, byPath)
		slices.SortFunc(r.files, byPath)
	}
	in := signal.Input{Corpus: r.corpus, Query: r.q.Text, Files: all, Ranked: make([]bool, len(all)),
		Groups: groups[r.plan.Preset.Name], Candidates: signal.MaxCandidates}
	if r.plan.Preset.Name == "thorough" {
		in.Candidates = thoroughCandidates
	}
	place := make([]int, 0, len(r.files)) // of each file of r.files in all
	for i := range all {
		if in.Ranked[i] = o.Scope == nil || o.Scope(all[i].Path); in.Ranked[i] {
			place = append(place, i)
		}
	}
	extra, err := r.extras(o.Extra)
	if err != nil {
		return err
	}
	for _, c := range extra {
		for _, k := range c.topFiles(r.byPath) {
			in.More = append(in.More, place[k])
		}
	}
	if in.IDs, err = r.corpus.Match(func(i int) string { return all[i].Path }, len(all)); err != nil {
		return err
	}
	table, err := signal.Compute(r.ctx, in)
	if err != nil {
		return err
	}
	back := make([]int, len(all))
	r.ids = make([]int32, len(place))
	firstPass := make([]float64, len(place))
	for k, i := range place {
		back[i], r.ids[k], firstPass[k] = k, in.IDs[i], table.FirstPass[i]
	}
	at := make([]int, len(table.Candidates))
	for k, i := range table.Candidates {
		at[k] = back[i]
	}
	r.join(table, at, firstPass, extra)
	return nil
}

// join makes the scores: 1 for the best candidate, floor for the last, what is
// between them in proportion; below it the files that were not read. at is the
// place of each candidate in r.files.
func (r *run) join(t *signal.Table, at []int, firstPass []float64, extra []extraSignal) {
	r.read = make([]int32, len(r.files))
	first := make([]float64, len(r.files))
	top := 0.0
	for _, v := range firstPass {
		top = max(top, v)
	}
	for i, v := range firstPass {
		r.read[i] = -1
		if v > 0 {
			first[i] = 0.99 * floor * v / top
		}
	}
	parts := t.Parts(signal.Weights)
	for _, c := range extra {
		part := make([]float64, len(at))
		for k, i := range at {
			part[k] = extraWeight * c.scaled(i)
		}
		parts = append(parts, part)
	}
	distinct := scaleParts(parts, len(at))
	for k, i := range at {
		r.read[i] = int32(k)
		if first[i] = floor; !distinct {
			first[i] = 1
		}
	}
	r.fused = slices.Clone(first)
	for _, part := range parts {
		for k, i := range at {
			r.fused[i] += part[k]
		}
	}
	roundAll(r.fused)
	r.signals = append(r.signals, computed{name: SignalFirstPass, raw: roundAll(firstPass), part: first})
	for c, col := range t.Features {
		r.signals = append(r.signals, computed{name: col.Name, raw: roundAll(col.Values), part: parts[c], candidatesOnly: true})
	}
	for c, col := range extra {
		part := make([]float64, len(r.files))
		for k, i := range at {
			part[i] = parts[len(t.Features)+c][k]
		}
		r.addPart(col.name, col.values, part)
	}
}

// scaleParts makes the parts of n candidates add up to 0 for the last one and 1 -
// [floor] for the first, by turning each into its distance from that of the
// last. It reports whether the two differ; the parts are 0 when not.
func scaleParts(parts [][]float64, n int) (distinct bool) {
	if n == 0 {
		return false
	}
	sums := make([]float64, n)
	lowest, highest := 0, 0
	for k := range sums {
		for _, p := range parts {
			sums[k] += p[k]
		}
		if sums[k] < sums[lowest] {
			lowest = k
		}
		if sums[k] > sums[highest] {
			highest = k
		}
	}
	scale := 0.0
	if distinct = sums[highest] > sums[lowest]; distinct {
		scale = (1 - floor) / (sums[highest] - sums[lowest])
	}
	for _, p := range parts {
		last := p[lowest]
		for k, v := range p {
			p[k] = (v - last) * scale
		}
	}
	return distinct
}

// rounded drops what the order of a sum decides.
func rounded(v float64) float64 { return math.Round(v*1e9) / 1e9 }

func roundAll(v []float64) []float64 {
	for i, x := range v {
		if x != 0 {
			v[i] = rounded(x)
		}
	}
	return v
}

// addPart adds a signal that may value any file.
func (r *run) addPart(name string, raw, part []float64) {
	r.signals = append(r.signals, computed{name: name, raw: roundAll(raw), order: raw, part: part})
}
