package rules

import (
	"fmt"

	"github.com/topo-dev/topo/detect"
)

// CognitiveComplexity finds functions that are hard to follow, by the measure of
// Campbell, "Cognitive Complexity" (2018). Her rule complains above 15; on well
// kept repositories a fifth of what that says is code that reads well, so
// the default begins higher.
func CognitiveComplexity(low, medium, high int) detect.Detector {
	return detect.Detector{
		ID: "cognitive-complexity", Category: "complexity",
		Doc: "functions whose control flow is hard to follow",
		Why: "Each break in the linear flow costs the reader, and one inside of another costs more. Such functions are where mistakes are made and tests are missing.",
		Run: each(func(f *detect.Function) *detect.Finding {
			n := f.Metrics.Cognitive
			s, ok := graded(n, low, medium, high)
			if !ok {
				return nil
			}
			return &detect.Finding{Severity: s, Value: n, Limit: low,
				Message: fmt.Sprintf("%s has a cognitive complexity of %d", f.Name, n),
				Advice:  "move inner blocks into functions of their own, return early, and turn chains of conditions into a table"}
		}),
	}
}
