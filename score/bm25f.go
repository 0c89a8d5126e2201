package score

import (
	"context"
	"math"
)

// Parameters of BM25F (Robertson, Zaragoza and Taylor, 2004) as the
// specification sets them. Fields are filename, symbols, body.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

var fieldWeights = [3]float64{5, 3, 1}

// Fields names the fields of a file in the order of [Corpus.FileLen].
var Fields = [3]string{"filename", "symbols", "body"}

// IDF is the weight of a term that df of n files hold:
// log((n-df+0.5)/(df+0.5)+1).
func IDF(n, df int) float64 {
	return math.Log((float64(n)-float64(df)+0.5)/(float64(df)+0.5) + 1)
}

// lengths holds what every file's frequencies are multiplied with: the weight
// of the field over its length normalisation.
type lengths [][3]float64

func newLengths(c Corpus) (lengths, error) {
	n := c.NumFiles()
	total := c.TotalLen()
	out := make(lengths, n)
	for id := range out {
		l, err := c.FileLen(id)
		if err != nil {
			return nil, err
		}
		for f := range l {
			norm := 1.0
			if total[f] > 0 {
				avg := float64(total[f]) / float64(n)
				norm = 1 - bm25B + bm25B*float64(l[f])/avg
			}
			out[id][f] = fieldWeights[f] / norm
		}
	}
	return out, nil
}

// saturation is the saturated frequency of a term in file id, 0 to 1.
func (l lengths) saturation(id int, tf [3]uint32) float64 {
	w := &l[id]
	t := w[0]*float64(tf[0]) + w[1]*float64(tf[1]) + w[2]*float64(tf[2])
	return t / (t + bm25K1)
}

// bm25f adds up, for every file of the corpus, weight × IDF × gain over terms.
func bm25f(ctx context.Context, c Corpus, terms []weighted) ([]float64, error) {
	lens, err := newLengths(c)
	if err != nil {
		return nil, err
	}
	out := make([]float64, c.NumFiles())
	for _, t := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w := t.Weight * t.idf
		if err := c.Each(t.Text, func(id int, tf [3]uint32) { out[id] += w * lens.saturation(id, tf) }); err != nil {
			return nil, err
		}
	}
	return out, nil
}
