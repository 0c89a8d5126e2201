package settings

import (
	"path/filepath"
	"strings"
	"testing"
)

// sources reads the files with these texts, empty for none.
func sources(t *testing.T, project, user string, flags, env map[string]string) Sources {
	t.Helper()
	root, home := t.TempDir(), t.TempDir()
	if project != "" {
		write(t, filepath.Join(root, ProjectName), project)
	}
	if user != "" {
		write(t, filepath.Join(home, "topo", userName), user)
	}
	lookup := func(name string) (string, bool) {
		if name == "XDG_CONFIG_HOME" {
			return home, true
		}
		v, ok := env[name]
		return v, ok
	}
	src := Sources{Lookup: lookup, Flag: func(name string) (string, bool) { v, ok := flags[name]; return v, ok }}
	var err error
	if src.Project, err = ReadProject(root); err != nil {
		t.Fatal(err)
	}
	if src.User, err = ReadUser(lookup); err != nil {
		t.Fatal(err)
	}
	return src
}

func TestPrecedence(t *testing.T) {
	none := map[string]string{}
	for _, tt := range []struct {
		project, user string
		flags, env    map[string]string
		name          string
		value         string
		level         Level
		line          int
	}{
		{"", "", none, none, "preset", "balanced", FromDefault, 0},
		{"", "top: 1\npreset: deep\n", none, none, "preset", "deep", FromUser, 2},
		{"preset: fast\n", "top: 1\npreset: deep\n", none, none, "preset", "fast", FromProject, 1},
		{"preset: fast\n", "preset: deep\n", none, map[string]string{"TOPO_PRESET": "thorough"}, "preset", "thorough", FromEnv, 0},
		{"preset: fast\n", "", none, map[string]string{"TOPO_PRESET": ""}, "preset", "fast", FromProject, 1},
		{"preset: fast\n", "", map[string]string{"preset": "balanced"}, map[string]string{"TOPO_PRESET": "deep"}, "preset", "balanced", FromFlag, 0},
		{"", "cache-dir: /c\n", none, none, "cache-dir", "/c", FromUser, 1},
		{"", "color: always\n", none, map[string]string{"NO_COLOR": "1"}, "color", "never", FromEnv, 0},
		{"", "color: never\n", none, map[string]string{"FORCE_COLOR": "1"}, "color", "always", FromEnv, 0},
		{"", "color: never\n", none, map[string]string{"FORCE_COLOR": "0"}, "color", "never", FromUser, 1},
	} {
		values, err := Resolve(sources(t, tt.project, tt.user, tt.flags, tt.env))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			if v.Name == tt.name && (v.Value != tt.value || v.Origin.Level != tt.level || v.Origin.Line != tt.line) {
				t.Errorf("%+v: got %q from %s", tt, v.Value, v.Origin)
			}
		}
	}
}

func TestWrongValueNamesItsPlace(t *testing.T) {
	for _, tt := range []struct{ project, user, env, want string }{
		{"top: -3\n", "", "", ".topo/config.yaml line 1: top: -3 is negative"},
		{"", "\nsandbox: maybe\n", "", "config.yaml line 2: sandbox: unknown sandbox \"maybe\""},
		{"", "budget-usd: much\n", "", `budget-usd: "much" is not a number`},
		{"", "", "slow", `TOPO_PRESET: unknown preset "slow"`},
	} {
		_, err := Resolve(sources(t, tt.project, tt.user, nil, map[string]string{"TOPO_PRESET": tt.env}))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}

// TestLookup checks that a user's file sets a variable that the environment leaves
// open, and no other.
func TestLookup(t *testing.T) {
	src := sources(t, "", "qdrant-host: file:1\nollama-host: file:2\npreset: deep\n", nil, map[string]string{"OLLAMA_HOST": "env:2"})
	values, err := Resolve(src)
	if err != nil {
		t.Fatal(err)
	}
	lookup := Lookup(values, src.Lookup)
	for name, want := range map[string]string{"QDRANT_HOST": "file:1", "OLLAMA_HOST": "env:2", "TOPO_PRESET": ""} {
		if got, _ := lookup(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestReadUser(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.yaml")
	if _, err := ReadUser(func(string) (string, bool) { return missing, true }); err == nil || !strings.Contains(err.Error(), "TOPO_CONFIG "+missing+": no such file") {
		t.Errorf("a missing file that is named: %v", err)
	}
	if f, err := ReadUser(func(string) (string, bool) { return "", false }); f != nil || err != nil {
		t.Errorf("without a folder: %v, %v", f, err)
	}
}

// TestNoSecrets checks that no key of a service can be set in a file.
func TestNoSecrets(t *testing.T) {
	for _, s := range All() {
		if s.Scope != Nowhere && (strings.Contains(s.Name, "key") || strings.Contains(s.Name, "token-") || strings.Contains(s.Env, "KEY")) {
			t.Errorf("%s may be set in a file", s.Name)
		}
	}
}
