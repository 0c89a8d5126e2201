package graph

import (
	"testing"

	"github.com/topo-dev/topo/scan/lang"
)

func TestCallsInMacro(t *testing.T) {
	for _, c := range []struct {
		line, name      string
		calls, onValues bool
	}{
		{"let n = ready!(crate::coop::poll(cx));", "poll", true, true},
		{"assert!(poll(1));", "poll", true, true},
		{"assert_ok!(th1.join());", "join", false, true},
		{"pub fn poll(n: u32) {", "poll", false, false},
		{"// poll(1) waits", "poll", false, false},
		{"assert!(repoll(1));", "poll", false, false},
		{"assert!(poll_now(1));", "poll", false, false},
		{"let x = std::mem::take(&mut buf);", "take", false, false},
		{"", "poll", false, false},
	} {
		if got := callsInMacro(c.line, c.name, false); got != c.calls {
			t.Errorf("%q calls the function %s: %v", c.line, c.name, got)
		}
		if got := callsInMacro(c.line, c.name, true); got != c.onValues {
			t.Errorf("%q calls the method %s: %v", c.line, c.name, got)
		}
	}
}

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		language, line, name string
		want                 bool
	}{
		{"go", "Run: putFunc,", "putFunc", true},
		{"go", "putFunc", "putFunc", true},
		{"go", "Run: putFuncs, putFunc2, xputFunc", "putFunc", false},
		{"go", "Run: xputFunc, putFunc", "putFunc", true},
		{"go", "// putFunc is run", "putFunc", false},
		{"python", "  # putFunc is run", "putFunc", false},
		{"c", "*putFunc = 1;", "putFunc", true},
		{"c", "#define RUN putFunc", "putFunc", true},
		{"go", "anything", "", false},
	} {
		if got := mentions(lang.SyntaxOf(c.language), c.line, c.name); got != c.want {
			t.Errorf("%q mentions %s: %v", c.line, c.name, got)
		}
	}
}
