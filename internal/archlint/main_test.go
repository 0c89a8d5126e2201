package main

import (
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	for _, c := range []struct {
		from, imp string
		ok        bool
	}{
		{"stream", "encoding/json", true},
		{"stream", "github.com/spf13/cobra", false},
		{"stream", "/scan", false},
		{"scan", "/scan/lang", true},
		{"scan", "/stream", true},
		{"scan", "/index", false},
		{"scan", "/internal/par", true},
		{"chunk", "/scan/lang", true},
		{"chunk", "/scan", false},
		{"chunk", "github.com/smacker/go-tree-sitter", true},
		{"index", "/chunk", true},
		{"index", "/index/token", true},
		{"index", "/index/graph", false},
		{"index", "/score", false},
		{"index/graph", "/index", true},
		{"index/token", "/index", false},
		{"index/token", "github.com/x/y", false},
		{"score", "/index", true},
		{"score", "/render", false},
		{"render", "/score", false},
		{"render", "/index", false},
		{"render", "/stream", true},
		{"agent", "/score", false},
		{"agent/tool", "/score", true},
		{"agent/provider/openai", "/agent", true},
		{"agent/provider", "/agent/tool", false},
		{"agent", "/agent/provider", false},
		{"scan", "/cmd/topo", false},
		{"cmd/topo", "/index/graph", false},
		{"cmd/topo", "/scan", false},
		{"cmd/topo", "/chunk", false},
		{"cmd/topo", "/answer", true},
		{"cmd/topo", "/internal/fault", true},
		{"cmd/topo", "/internal/lab", true},
		{"cmd/topo", "/internal/lab/train", false},
		{"", "/internal/lab", false},
		{"", "/score/eval/replay", true},
		{"score", "/internal/lab", false},
		{"score", "/score/eval/replay", false},
		{"internal", "/internal/lab", false},
		{"internal/lab", "/internal/lab/train", true},
		{"internal/lab", "", true},
		{"internal/lab/train", "", false},
	} {
		got := check([]pkg{{ImportPath: strings.TrimSuffix(module+"/"+c.from, "/"), Imports: []string{abs(c.imp)}}})
		if (len(got) == 0) != c.ok {
			t.Errorf("%q imports %q: %v, want ok %v", c.from, c.imp, got, c.ok)
		}
	}
}

func abs(imp string) string {
	if imp == "" || imp[0] == '/' {
		return module + imp
	}
	return imp
}

func TestUnknownRoom(t *testing.T) {
	got := check([]pkg{{ImportPath: module + "/attic"}})
	if len(got) != 1 || !strings.Contains(got[0], "no import rule") {
		t.Fatal(got)
	}
}

func TestEveryRuleHasAReason(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules {
		if r.why == "" || seen[r.room] {
			t.Errorf("rule %q: no reason, or named twice", r.room)
		}
		seen[r.room] = true
	}
}
