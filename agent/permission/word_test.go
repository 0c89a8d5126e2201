package permission

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// words returns the words of the only command of a text.
func words(t *testing.T, text string) []word {
	t.Helper()
	f, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil || len(f.Stmts) != 1 {
		return nil
	}
	call, ok := f.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok {
		return nil
	}
	var list []word
	for _, w := range call.Args {
		list = append(list, literal(w))
	}
	return list
}

func TestLiteral(t *testing.T) {
	for _, c := range []struct {
		text string
		want word
	}{
		{"abc", word{text: "abc", static: true}}, {`a\bc`, word{text: "abc", static: true}}, {"'a b'", word{text: "a b", static: true}},
		{`"a\"b\c"`, word{text: `a"b\c`, static: true}}, {`a"b"'c'\d`, word{text: "abcd", static: true}}, {"\"a\\\nb\"", word{text: "ab", static: true}},
		{"a{b}c", word{text: "a{b}c", static: true}}, {"{}", word{text: "{}", static: true}}, {"'{a,b}'", word{text: "{a,b}", static: true}},
		{"src/*.go", word{text: "src/*.go", static: true, glob: true}}, {"'*'", word{text: "*", static: true}}, {`\*`, word{text: "*", static: true}},
		{"~/x", word{text: "~/x", static: true}}, {"a=~", word{text: "a=~"}}, {"a~b", word{text: "a~b", static: true}}, {"''", word{static: true}},
		{"*", word{text: "*", glob: true}}, {"[a]b", word{text: "[a]b", glob: true}}, {"-*", word{text: "-*", glob: true}}, {"a{b,c}", word{text: "a{b,c}"}}, {"{1..3}", word{text: "{1..3}"}},
		{"~root/x", word{text: "~root/x"}}, {"$x", word{}}, {"a$x", word{text: "a"}}, {`"$x"`, word{}}, {"$(x)", word{}}, {"`x`", word{}}, {"$'a'", word{text: "a"}}, {`$"a"`, word{text: "a"}}, {"$((1))", word{}}, {"<(x)", word{}},
	} {
		got := words(t, "cmd "+c.text)
		if len(got) != 2 || got[1] != c.want {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
	}
}

// TestLiteralAgainstBash holds what we take a word for to what bash makes of it.
func TestLiteralAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed; install it with the system's package manager")
	}
	pieces := []string{"a", "b", "'", "\"", "\\", "\\\n", " ", "{", "}", ",", "..", "~", "/", "-", "=", "#", "!", "é", "\t", "$", "[", "]", "*", "?", "''", "$'", "`", "x"}
	r, number := rand.New(rand.NewPCG(9, 10)), 400
	if os.Getenv("TOPO_SLOW") != "" {
		number = 20_000
	}
	var script strings.Builder
	var want, texts []string
	for tries := 0; len(want) < 40000000 && tries < 100_000; tries++ {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := "p " + b.String()
		if differs(text) {
			continue // analyze reports those as unknown
		}
		list, known := words(t, text), true
		if len(list) < 2 {
			continue
		}
		line := ""
		for _, w := range list[1:] {
			known = known && w.static && !w.glob && !strings.HasPrefix(w.text, "~")
			line += w.text + "\x1f"
		}
		if known {
			want, texts = append(want, line), append(texts, text)
			script.WriteString(text + "\nprintf '\\x1e'\n")
		}
	}
	file := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(file, []byte("p() { printf '%s\\x1f' \"$@\"; }\n"+script.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "--noprofile", "--norc", file)
	cmd.Dir, cmd.Env = t.TempDir(), []string{"LC_ALL=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\x1e"), "\x1e")
	if len(got) != len(want) || len(want) < number {
		t.Fatalf("%d answers for %d commands", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q: bash has %q, we have %q", texts[i], got[i], want[i])
		}
	}
}

func TestHarmless(t *testing.T) {
	for _, name := range []string{"x", "my_var", "i", "LC_ALL", "CGO_ENABLED", "NODE_ENV"} {
		if !harmless(name) {
			t.Errorf("%s runs nothing", name)
		}
	}
	for _, name := range []string{"", "PATH", "IFS", "BASH_ENV", "ENV", "PS4", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "GIT_SSH", "GIT_PAGER", "PAGER", "EDITOR", "PROMPT_COMMAND", "GOFLAGS", "CC",
		"NODE_OPTIONS", "PYTHONPATH", "PERL5OPT", "RUBYOPT", "http_proxy", "npm_config_script_shell", "HOME", "CDPATH", "MAKEFLAGS", "RUSTC_WRAPPER", "x y"} {
		if harmless(name) {
			t.Errorf("%s can change what runs", name)
		}
	}
}
