package score

import "math"

// RecencyWindow is how far back git recency looks from the newest commit, in
// seconds: 90 days (specification 4.4).
const RecencyWindow = 90 * 24 * 3600

// prior is a signal that does not depend on the query. raw is its value, and
// scaled what files are ranked by: the content score, up to doubled. A file's
// place in this order moves by its prior only among files of like relevance,
// and fusion cannot raise an unrelated file that everyone imports.
type prior struct{ raw, scaled []float64 }

// newPrior reads value for the files that content says something about. It
// returns nil when the corpus knows nothing.
func newPrior(content []float64, value func(i int) (float64, error)) (*prior, error) {
	p := &prior{make([]float64, len(content)), make([]float64, len(content))}
	top := 0.0
	for i, c := range content {
		if c <= 0 {
			continue
		}
		v, err := value(i)
		if err != nil {
			return nil, err
		}
		p.raw[i] = v
		top = max(top, v)
	}
	if top == 0 {
		return nil, nil
	}
	// Both are distributed by a power law: the logarithm lets the middle count.
	const spread = 1000
	for i, c := range content {
		if c > 0 {
			p.scaled[i] = c * (1 + math.Log1p(spread*p.raw[i]/top)/math.Log1p(spread))
		}
	}
	return p, nil
}
