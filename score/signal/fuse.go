package signal

import "math"

// kind says how the values of a signal become comparable between queries.
type kind uint8

const (
	relative kind = iota // divided by the largest among the candidates
	plain                // as it is: a share, 0 to 1, or nearly
	standard             // less the mean, over twice the standard deviation, among the candidates
)

// normalize returns the values in comparable form.
func normalize(v []float64, k kind) []float64 {
	out := make([]float64, len(v))
	switch k {
	case plain:
		copy(out, v)
	case relative:
		top := 0.0
		for _, x := range v {
			top = max(top, x)
		}
		if top > 0 {
			for i, x := range v {
				out[i] = x / top
			}
		}
	case standard:
		mean, sq := 0.0, 0.0
		for _, x := range v {
			mean += x / float64(len(v))
		}
		for _, x := range v {
			sq += (x - mean) * (x - mean) / float64(len(v))
		}
		for i, x := range v {
			out[i] = (x - mean) / (2*math.Sqrt(sq) + 1e-6)
		}
	}
	return out
}

// Known is one signal as documented.
type Known struct {
	Name string
	Doc  string // one line
	// Group is what the signal is made of: text, path, read, imports, history,
	// tests, prior.
	Group string
	kind  kind
}

// Normal returns the table's values in comparable form, in the order of its
// features.
func (t *Table) Normal() [][]float64 {
	out := make([][]float64, len(t.Features))
	for k, c := range t.Features {
		out[k] = normalize(c.Values, byName()[c.Name].kind)
	}
	return out
}

// Parts is what each feature adds to the score of each candidate, by feature and
// candidate.
func (t *Table) Parts(weights map[string]float64) [][]float64 {
	parts := t.Normal()
	for k, c := range t.Features {
		for i := range parts[k] {
			parts[k][i] *= weights[c.Name]
		}
	}
	return parts
}
