package rules

import (
	"fmt"

	"github.com/topo-dev/topo/detect"
)

// CyclomaticComplexity finds functions with more paths than tests will cover
// (McCabe, 1976). A flat switch has many paths and reads well: what is not
// nested is left alone up to four times the limit.
func CyclomaticComplexity(low, medium int) detect.Detector {
	const flat = 4
	return detect.Detector{
		ID: "cyclomatic-complexity", Category: "complexity",
		Doc: "functions with more paths than tests will cover",
		Why: "The number of independent paths is the number of tests that a function needs. A long flat switch is left alone.",
		Run: each(func(f *detect.Function) *detect.Finding {
			n := f.Metrics.Cyclomatic
			s, ok := graded(n, low, medium)
			if !ok || f.Metrics.Cognitive < n && n < flat*low {
				return nil
			}
			return &detect.Finding{Severity: s, Value: n, Limit: low,
				Message: fmt.Sprintf("%s has %d independent paths", f.Name, n),
				Advice:  "split it by the decisions it makes, or turn them into data"}
		}),
	}
}
