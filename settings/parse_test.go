package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"# nothing\n", ""},
		{"preset: fast\n", "preset=fast@1"},
		{"top: 3\nexclude: [a, 'b c']\n", "exclude=a|b c@2 top=3@1"},
		{"include: '*.go'\n", "include=*.go@1"},
		{"preset: fast\nroot: /x\n", `2:1: key "root" is not read from a file; give --root or set TOPO_ROOT`},
		{"cache-dir: /x\n", `1:1: key "cache-dir" is not read from a project`},
		{"presets: fast\n", `1:1: unknown key "presets"; did you mean "preset"?`},
		{"max_tokens: 5\n", `unknown key "max_tokens"; did you mean "max-tokens"?`},
		{"openai-api-key: sk-1\n", "secrets are read from the environment alone"},
		{"colour-of-the-sky: blue\n", `unknown key "colour-of-the-sky"; known: format, preset`},
		{"preset: [fast]\n", "1:9: preset: expected a plain value"},
		{"preset: {a: b}\n", "expected a plain value"},
		{"exclude: [[a]]\n", "exclude: expected a plain value"},
		{"preset: &a fast\n", "expected a plain value"},
		{"preset: *a\n", "expected a plain value"},
		{"preset: fast\npreset: deep\n", "2:1"},
		{"- preset\n", `expected "key: value" lines`},
		{"preset: fast\n---\ntop: 3\n", "a second document"},
		{"preset: [\n", "1:9"},
		{strings.Repeat("[", 5000), "nested too deeply"},
		{strings.Repeat("- ", 5000), "nested too deeply"},
	} {
		got := flat(parse([]byte(tt.text), Project))
		if got != tt.want && (tt.want == "" || !strings.Contains(got, tt.want)) {
			t.Errorf("%.40q: got %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := flat(parse([]byte("cache-dir: /x\nbudget-usd: 1.5\ncolor: never\nsandbox: on\n"), User)); got != "budget-usd=1.5@2 cache-dir=/x@1 color=never@3 sandbox=on@4" {
		t.Errorf("a user's file gives %q", got)
	}
}

// flat is what was parsed on one line, or the error.
func flat(entries map[string]entry, err error) string {
	if err != nil {
		return err.Error()
	}
	var parts []string
	for k, v := range entries {
		parts = append(parts, k+"="+strings.Join(v.values, "|")+"@"+string(rune('0'+v.line)))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func TestReadProjectRefuses(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	write(t, outside, "preset: fast\n")
	for name, prepare := range map[string]func(path string) error{
		"a link out of the root": func(p string) error { return os.Symlink(outside, p) },
		"a folder":               func(p string) error { return os.Mkdir(p, 0o755) },
		"a large file":           func(p string) error { return os.WriteFile(p, make([]byte, maxFile+1), 0o644) },
	} {
		root := t.TempDir()
		path := filepath.Join(root, ProjectName)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := prepare(path); err != nil {
			t.Fatal(err)
		}
		if f, err := ReadProject(root); err == nil {
			t.Errorf("%s was read: %v", name, f)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"preset: fast\n", "exclude: [a, b]\n", "a: &x [*x]\n", "? [", "%YAML 1.2\n---\n", "top: 0x1F\n", "\"a", "a: |\n b\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > maxFile {
			return
		}
		entries, err := parse(text, Project)
		if err != nil && entries != nil {
			t.Error("an error and entries")
		}
		for k := range entries {
			if !slices.Contains(keys(Project), k) {
				t.Errorf("unknown key %q was accepted", k)
			}
		}
	})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
