package codebase

import (
	"fmt"
	"strings"
	"testing"
)

// What calls a definition by its name through what the graph does not understand
// is listed or counted, and an answer that knows better does not mention it.
func TestCallsThatLeadNowhere(t *testing.T) {
	root := t.TempDir()
	put(t, root, "services.js", "export function getServices() {}\n\nexport function known() {}\n")
	put(t, root, "util.js", "import * as all from './services';\n\nexport const { getServices } = all;\n")
	put(t, root, "direct.js", "import { known } from './services';\n\nexport function plain() {\n  known();\n}\n")
	for i := range 22 {
		put(t, root, fmt.Sprintf("rule%02d.js", i), "import { getServices } from './util';\n\nexport function rule() {\n  return getServices();\n}\n")
	}
	tools := Tools(Options{Source: kept(t, root)})
	for _, c := range []struct{ name, input, want string }{
		{"trace_dependencies", `{"from":"getServices","direction":"used_by"}`, "may be called by, where a call of this name leads nowhere known: 22 results\n"},
		{"trace_dependencies", `{"from":"getServices","direction":"used_by"}`, "          rule21.js:4  return getServices();\n"},
		{"query_graph", `{"ask":"callers","of":"getServices"}`, "          rule21.js:4  return getServices();\n"},
		{"analyze_impact", `{"of":"getServices"}`, "level unknown"},
		{"analyze_impact", `{"of":"getServices"}`, "not counted: 22 places with calls of such a name that lead nowhere known, as at rule00.js:4; query_graph callers of \"services.js:getServices\" lists them"},
	} {
		if got := call(t, tools, c.name, c.input); !strings.Contains(got, c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, got)
		}
	}
	if got := call(t, tools, "trace_dependencies", `{"from":"known","direction":"used_by"}`); strings.Contains(got, "may be called") || !strings.Contains(got, "plain") {
		t.Errorf("a call that is understood:\n%s", got)
	}
}
