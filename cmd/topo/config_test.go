package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseConfig(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"# nothing\n", ""},
		{"preset: fast\n", "preset=fast@1"},
		{"top: 3\nexclude: [a, 'b c']\n", "exclude=a|b c@2 top=3@1"},
		{"include: '*.go'\n", "include=*.go@1"},
		{"preset: fast\nroot: /x\n", `2:1: unknown key "root"`},
		{"cache-dir: /x\n", `1:1: unknown key "cache-dir"`},
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
		conf, err := parseConfig([]byte(tt.text))
		got := flat(conf)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
			t.Errorf("%.40q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

func flat(c config) string {
	var parts []string
	for _, k := range []string{"exclude", "format", "include", "max-file-size", "max-tokens", "preset", "tokenizer", "top"} {
		if v, ok := c[k]; ok {
			parts = append(parts, k+"="+strings.Join(v.values, "|")+"@"+string(rune('0'+v.line)))
		}
	}
	return strings.Join(parts, " ")
}

func TestReadConfigRefuses(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	write(t, outside, "preset: fast\n")
	for name, prepare := range map[string]func(path string) error{
		"a link out of the root": func(p string) error { return os.Symlink(outside, p) },
		"a folder":               func(p string) error { return os.Mkdir(p, 0o755) },
		"a large file":           func(p string) error { return os.WriteFile(p, make([]byte, maxConfig+1), 0o644) },
	} {
		root := t.TempDir()
		path := filepath.Join(root, configName)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := prepare(path); err != nil {
			t.Fatal(err)
		}
		if conf, err := readConfig(root); err == nil {
			t.Errorf("%s was read: %v", name, conf)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	for _, seed := range []string{"preset: fast\n", "exclude: [a, b]\n", "a: &x [*x]\n", "? [", "%YAML 1.2\n---\n", "top: 0x1F\n", "\"a", "a: |\n b\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > maxConfig {
			return
		}
		conf, err := parseConfig(text)
		if err != nil {
			if conf != nil {
				t.Error("an error and a configuration")
			}
			return
		}
		known := map[string]bool{}
		for _, k := range configKeys() {
			known[k] = true
		}
		for k := range conf {
			if !known[k] {
				t.Errorf("unknown key %q was accepted", k)
			}
		}
	})
}
