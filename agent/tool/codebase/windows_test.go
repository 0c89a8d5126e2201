package codebase

import (
	"fmt"
	"strings"
	"testing"

	"github.com/topo-dev/topo/detect/rules"
)

// What the task is about is shown where no parser knows the file, where the
// definition is long, and where the line is.
func TestTextsAndLongPassages(t *testing.T) {
	const telling = "the quagmire threshold equals zebrafish"
	lines := func(format string) string {
		var b strings.Builder
		for i := range 2000 {
			if i == 1000 {
				fmt.Fprintf(&b, format, i, telling)
			}
			fmt.Fprintf(&b, format, i, "river stone cloud")
		}
		return b.String()
	}
	root := shop(t)
	put(t, root, "docs/notes.txt", lines("%d %s\n"))
	put(t, root, "conf/app.properties", lines("key.k%d=%s\n"))
	put(t, root, "conf/one.json", "["+lines("{\"id\":%d,\"text\":\"%s\"},")+"{}]")
	put(t, root, "long/giant.go", "package long\n\nfunc Giant() {\n"+lines("\tprint(%d, \"%s\")\n")+"}\n")
	tools := Tools(Options{Source: kept(t, root), Detectors: rules.All()})
	for _, c := range []struct{ tool, input string }{
		{"retrieve", `{"task":"quagmire threshold zebrafish","path":"conf/app.properties"}`},
		{"retrieve", `{"task":"quagmire threshold zebrafish","path":"conf/one.json"}`},
		{"retrieve", `{"task":"quagmire threshold zebrafish","path":"long/giant.go"}`},
		{"retrieve", `{"task":"quagmire threshold zebrafish","path":"long/giant.go","max_tokens":100}`},
		{"retrieve", `{"task":"quagmire threshold zebrafish","path":"docs/notes.txt","strategy":"document"}`},
		{"render_context", `{"task":"quagmire threshold zebrafish","path":"docs/notes.txt"}`},
		{"render_context", `{"task":"quagmire threshold zebrafish","path":"conf/one.json","max_tokens":200}`},
		{"render_context", `{"task":"quagmire threshold zebrafish","path":"long/giant.go"}`},
	} {
		got := call(t, tools, c.tool, c.input)
		_, body, _ := strings.Cut(got, "\n") // not the task's echo
		if !strings.Contains(body, telling) || len(got) > 24<<10 {
			t.Errorf("%s %s: %d bytes\n%.800s", c.tool, c.input, len(got), got)
		}
	}
	if got := call(t, tools, "search", `{"query":"quagmire threshold zebrafish","path":"docs/notes.txt"}`); !strings.Contains(got, "995-1006  lines") {
		t.Errorf("search: %s", got)
	}
}
