package rules

import (
	"fmt"

	"github.com/topo-dev/topo/detect"
)

// LongFunction finds functions that no screen holds. A long table, with hardly
// a decision in it, is no problem, and is left alone.
func LongFunction(low, medium int) detect.Detector {
	return detect.Detector{
		ID: "long-function", Category: "size",
		Doc: "functions that are too long to keep in mind",
		Why: "What does not fit a few screens does several things. Tables, which decide nothing, are left alone.",
		Run: each(func(f *detect.Function) *detect.Finding {
			n := f.Metrics.Lines
			s, ok := graded(n, low, medium)
			if table := f.Metrics.Cognitive < n/20; !ok || table {
				return nil
			}
			return &detect.Finding{Severity: s, Value: n, Limit: low,
				Message: fmt.Sprintf("%s is %d lines long", f.Name, n),
				Advice:  "give each of its steps a function with a name"}
		}),
	}
}
