package codebase

import (
	"fmt"
	"strings"
	"testing"
)

// Calls of a definition's name that the graph cannot resolve are listed, unless
// the answer has a resolved call from the same place.
func TestUnresolvedCalls(t *testing.T) {
	root := t.TempDir()
	put(t, root, "services.js", "export function getServices() {}\n\nexport function known() {}\n")
	put(t, root, "util.js", "import * as all from './services';\n\nexport const { getServices } = all;\n")
	put(t, root, "direct.js", "import { known } from './services';\n\nexport function plain() {\n  known();\n}\n")
	for i := range maxCallPlaces + 2 {
		put(t, root, fmt.Sprintf("rule%02d.js", i), "import { getServices } from './util';\n\nexport function rule() {\n  return getServices();\n}\n")
	}
	tools := Tools(Options{Source: kept(t, root)})
	for name, input := range map[string]string{
		"trace_dependencies": `{"from":"getServices","direction":"used_by"}`,
		"analyze_impact":     `{"of":"getServices"}`,
	} {
		got := call(t, tools, name, input)
		for _, want := range []string{"May use it too, where a call of its name leads nowhere known: 22 places\n  function rule  rule00.js:4\n", "  and 2 more: grep for the name"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
	}
	if got := call(t, tools, "trace_dependencies", `{"from":"known","direction":"used_by"}`); strings.Contains(got, "May use") || !strings.Contains(got, "plain") {
		t.Errorf("a call that is understood:\n%s", got)
	}
}
