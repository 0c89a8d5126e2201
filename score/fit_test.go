package score

import (
	"testing"
)

func TestMeasureFit(t *testing.T) {
	tr := tree{
		"evict.go": "func evictPods() { pods; memory; pressure }",
		"node.go":  "func node() { pods }",
		"doc.md":   "how to cook",
	}
	c := newFake(tr)
	for _, test := range []struct {
		task        string
		min, max    float64
		held, words int
	}{
		{"evict pods memory pressure", 1, 1, 4, 4},
		{"evicting pod", 1, 1, 2, 2}, // other forms of the words
		{"node brown fox dances", 0.05, 0.5, 1, 4},
		{"Hi folks\n\nevict pods under memory pressure", 0.8, 1, 4, 5}, // a greeting first
		{"evict pods\nwith a long report of other words that no file here has at all", 1, 1, 2, 2},
	} {
		q := mustQuery(t, test.task)
		ranked := mustRank(t, c, tr.files(), Options{Query: q})
		fit, err := MeasureFit(c, q, ranked)
		if err != nil || fit.Value < test.min || fit.Value > test.max || fit.Held != test.held || fit.Words != test.words {
			t.Errorf("%q: %+v, %v; best %v", test.task, fit, err, paths(ranked))
		}
	}
	if fit, err := MeasureFit(nil, mustQuery(t, "evict"), tr.files()); err != nil || fit.Value != 1 {
		t.Errorf("without a corpus: %+v, %v", fit, err)
	}
}
