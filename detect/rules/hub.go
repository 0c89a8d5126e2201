package rules

import (
	"context"
	"fmt"

	"github.com/topo-dev/topo/detect"
)

// HubWithoutTests finds functions that much depends on, that decide something,
// and that no test reaches.
func HubWithoutTests(callers, cognitive int) detect.Detector {
	// A language that the repository hardly tests at all is not a matter of one
	// function.
	const testFiles = 5
	return detect.Detector{
		ID: "hub-without-tests", Category: "testing",
		Doc: "much used, complex functions that no test reaches",
		Why: "A mistake in such a function breaks much, and no test would say so. Reached means by a chain of at most three calls that the graph knows; tests through a process or a network are not seen.",
		Run: func(ctx context.Context, c *detect.Code, report func(detect.Finding)) error {
			tests := map[string]int{}
			for _, f := range c.Functions {
				if !f.File.Ordinary() || f.Metrics.Cognitive < cognitive || f.FanIn < callers {
					continue
				}
				if _, known := tests[f.Language]; !known {
					tests[f.Language] = c.TestFiles(f.Language)
				}
				users, files, err := c.Callers(f)
				if err != nil {
					return err
				}
				if tests[f.Language] < testFiles || users < callers {
					continue
				}
				tested, err := c.Tested(ctx, f)
				if err != nil {
					return err
				}
				if tested {
					continue
				}
				found := detect.Finding{Severity: detect.Medium, Confidence: 0.8, Value: users, Limit: callers,
					Message: fmt.Sprintf("no test reaches %s, which %d functions in %d files call", f.Name, users, files),
					Advice:  "write a test for what its callers rely on before you change it"}
				place(&found, f)
				report(found)
			}
			return nil
		},
	}
}
