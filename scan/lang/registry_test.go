package lang

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

func TestRegistry(t *testing.T) {
	byName := func(ls []*Language) bool {
		return slices.IsSortedFunc(ls, func(a, b *Language) int { return strings.Compare(a.Name, b.Name) })
	}
	if !byName(registry) {
		t.Error("registry is not sorted by name")
	}
	for _, table := range [][]Language{codeTable, textTable} {
		for i := range table[1:] {
			if table[i].Name >= table[i+1].Name {
				t.Errorf("%s stands before %s", table[i].Name, table[i+1].Name)
			}
		}
	}
	all := All()
	if !byName(all) || len(all) < 100 {
		t.Errorf("All gives %d languages, sorted %v; want over 100, sorted", len(all), byName(all))
	}
	word := regexp.MustCompile(`^[a-z][a-z0-9+#-]*$`)
	seen := map[string]string{}
	for _, l := range all {
		if !word.MatchString(l.Name) || l.Display == "" || l.FenceID() == "" {
			t.Errorf("%q: the name is not a plain word, or Display or Fence is empty", l.Name)
		}
		if !slices.Contains(stream.Roles, l.Role) {
			t.Errorf("%s: role %q is none of the stream's", l.Name, l.Role)
		}
		for _, n := range append([]string{l.Name}, l.Aliases...) {
			if other, ok := seen[n]; ok {
				t.Errorf("%s and %s are both called %q", other, l.Name, n)
			}
			seen[n] = l.Name
			if ByName(strings.ToUpper(n)) != l {
				t.Errorf("ByName(%q) does not give %s", n, l.Name)
			}
		}
		for _, e := range l.Extensions {
			if len(e) < 2 || e[0] != '.' || len(e) > 24 {
				t.Errorf("%s: extension %q wants a dot and at most 24 bytes", l.Name, e)
			}
		}
	}
	if ByName("no such language") != nil || ByName("") != nil {
		t.Error("ByName gives a language for a name of none")
	}
}

// An extension has one language by default; the content rules name the others.
func TestRegistryHasNoSilentConflict(t *testing.T) {
	owner := map[string]string{}
	for _, l := range All() {
		var keys []string
		for _, e := range l.Extensions {
			keys = append(keys, "extension "+e)
		}
		for _, f := range l.Filenames {
			keys = append(keys, "file name "+f)
		}
		for _, i := range l.Interpreters {
			keys = append(keys, "interpreter "+i)
		}
		for _, k := range keys {
			if other, ok := owner[k]; ok {
				t.Errorf("%s belongs to %s and to %s", k, other, l.Name)
			}
			owner[k] = l.Name
		}
	}
}

// The names that the chunker knows languages by are fixed.
func TestChunkedLanguagesAreRegistered(t *testing.T) {
	const names = "bash c cpp csharp css cue dockerfile elixir elm go groovy hcl html java javascript kotlin lua markdown ocaml php protobuf python ruby rust scala sql svelte swift toml tsx typescript yaml"
	for n := range strings.FieldsSeq(names) {
		if l := ByName(n); l == nil || !slices.Contains(registry, l) {
			t.Errorf("%s is not in the registry", n)
		}
	}
}
