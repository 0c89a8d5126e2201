package rules

import (
	"fmt"
	"strings"

	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/scan/lang"
)

// LongParameterList finds functions with so many parameters that calls of them
// cannot be read. Constructors are what dependencies are passed to, and in some
// languages arguments have names where they are given: both may take twice as
// many.
func LongParameterList(low, medium int) detect.Detector {
	return detect.Detector{
		ID: "long-parameter-list", Category: "complexity",
		Doc: "functions with very many parameters",
		Why: "Arguments are told apart by their place alone: with eight of them, two are swapped and nobody sees it.",
		Run: each(func(f *detect.Function) *detect.Finding {
			n := f.Metrics.Params
			s, ok := graded(n, low, medium)
			if !ok || n < 2*low && (constructs(f) || lang.SyntaxOf(f.Language).NamedArguments) {
				return nil
			}
			return &detect.Finding{Severity: s, Value: n, Limit: low,
				Message: fmt.Sprintf("%s takes %d parameters", f.Name, n),
				Advice:  "group those that belong together in a struct or an options value"}
		}),
	}
}

// constructs reports whether a function makes a value of a type, by the names
// that languages have for that.
func constructs(f *detect.Function) bool {
	name := f.BareName()
	return name == "constructor" || name == "__init__" || name == "initialize" || name == "init" || name == f.Owner() ||
		strings.HasPrefix(name, "New") || strings.HasPrefix(name, "new")
}
