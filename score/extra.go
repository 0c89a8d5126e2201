package score

import (
	"context"
	"fmt"
	"math"

	"github.com/topo-dev/topo/stream"
)

// SignalSemantic is the similarity of a file's vector to the query's, and
// SignalRerank what a reranker thinks of its best passage.
const (
	SignalSemantic = "Semantic"
	SignalRerank   = "Rerank"
)

// Extra is a signal computed outside of this package, such as embeddings.
type Extra struct {
	Name string // as in [stream.File].Signals
	// Values gives one value a file, 0 for no value; only their order and
	// their distances count, not their scale.
	Values func(ctx context.Context, q *Query, files []stream.File) ([]float64, error)
}

const (
	// extraCandidates is how many of the best files by an extra signal are read
	// closely even if the first pass does not find them.
	extraCandidates = 60
	// extraWeight is what an extra signal counts in the linear fusion, its
	// values spread over 0 to 1; see docs/semantic.md.
	extraWeight = 1.0
)

// extraSignal holds an extra signal's values by position in run.files.
type extraSignal struct {
	name   string
	values []float64
	// low and high bound the values of files that the signal knows.
	low, high float64
}

// extras computes the signals that the caller brought; none but in preset
// thorough.
func (r *run) extras(list []Extra) ([]extraSignal, error) {
	if r.plan.Preset.Name != "thorough" {
		return nil, nil
	}
	var out []extraSignal
	for _, e := range list {
		v, err := e.Values(r.ctx, r.q, r.files)
		if err != nil {
			return nil, err
		}
		if len(v) != len(r.files) {
			return nil, fmt.Errorf("score: signal %s gives %d values for %d files", e.Name, len(v), len(r.files))
		}
		c := extraSignal{name: e.Name, values: v, low: math.Inf(1)}
		for _, x := range v {
			if x > 0 {
				c.low, c.high = min(c.low, x), max(c.high, x)
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// scaled spreads a value over 0 to 1; 0 for no value.
func (c *extraSignal) scaled(i int) float64 {
	switch v := c.values[i]; {
	case v <= 0:
		return 0
	case c.high == c.low:
		return 1
	default:
		return (v - c.low) / (c.high - c.low)
	}
}

// topFiles are the positions of the best files by the signal.
func (c *extraSignal) topFiles(less func(a, b int) int) (out []int) {
	for i, rank := range ranks(c.values, less) {
		if rank > 0 && rank <= extraCandidates {
			out = append(out, i)
		}
	}
	return out
}
