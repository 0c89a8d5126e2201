package rules

import (
	"fmt"

	"github.com/topo-dev/topo/detect"
)

// DeepNesting finds control flow nested so deep that nobody holds its conditions
// in mind. Linux's coding style asks for three levels; twice that is beyond
// debate.
func DeepNesting(low, medium int) detect.Detector {
	return detect.Detector{
		ID: "deep-nesting", Category: "complexity",
		Doc: "functions with deeply nested control flow",
		Why: "Whoever reads the innermost line must hold every condition around it in mind.",
		Run: each(func(f *detect.Function) *detect.Finding {
			n := f.Metrics.Nesting
			s, ok := graded(n, low, medium)
			if !ok {
				return nil
			}
			return &detect.Finding{Severity: s, Value: n, Limit: low,
				Message: fmt.Sprintf("control flow in %s is nested %d deep", f.Name, n),
				Advice:  "return or continue early instead of nesting, or move the inner block into a function"}
		}),
	}
}
