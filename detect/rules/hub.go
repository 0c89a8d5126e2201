package rules

import (
	"context"
	"fmt"

	"github.com/topo-dev/topo/detect"
)

// HubWithoutTests finds functions that much depends on, that decide something,
// and that no test reaches.
func HubWithoutTests(callers, cognitive int) detect.Detector {
	return detect.Detector{
		ID: "hub-without-tests", Category: "testing",
		Doc: "much used, complex functions that no test reaches",
		Why: "A mistake in such a function breaks much, and no test would say so. Reached means by a chain of at most three calls that the graph knows; tests through a process or a network are not seen.",
		Run: func(ctx context.Context, c *detect.Code, report func(detect.Finding)) error {
			hubs := map[string][]hub{} // by language
			for _, f := range c.Functions {
				if !f.File.Ordinary() || f.Metrics.Cognitive < cognitive || f.FanIn < callers {
					continue
				}
				users, err := c.Callers(f)
				if err != nil {
					return err
				}
				if users < callers {
					continue
				}
				tested, err := c.Tested(ctx, f)
				if err != nil {
					return err
				}
				hubs[f.Language] = append(hubs[f.Language], hub{f, users, tested})
			}
			for _, list := range hubs {
				for _, h := range untested(list) {
					found := detect.Finding{Severity: detect.Medium, Confidence: 0.8, Value: h.users, Limit: callers,
						Message: fmt.Sprintf("no test reaches %s, which %d functions call", h.f.Name, h.users),
						Advice:  "write a test for what its callers rely on before you change it"}
					place(&found, h.f)
					report(found)
				}
			}
			return nil
		},
	}
}

// hub is a function that much depends on.
type hub struct {
	f      *detect.Function
	users  int // functions outside of tests that call it
	tested bool
}

// untested are the hubs that no test reaches, of a language whose tests reach
// most of them. Where they do not, the tests run the program from outside, and
// the graph knows nothing about what they cover.
func untested(list []hub) (out []hub) {
	for _, h := range list {
		if !h.tested {
			out = append(out, h)
		}
	}
	if 2*len(out) > len(list) {
		return nil
	}
	return out
}
