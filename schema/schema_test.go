package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/topo-dev/topo/stream"
)

func TestFileSchema(t *testing.T) {
	for _, k := range Records() {
		if k.Name != file {
			continue
		}
		s := k.Schema()
		if want := []string{"Path", "Score", "Tokens", "Language", "Role"}; !slices.Equal(s.Required, want) {
			t.Errorf("required is %q, want %q", s.Required, want)
		}
		if s.Properties["Chunks"].Type != "array" || s.Properties["Chunks"].Items.Required[0] != "Kind" {
			t.Error("chunks are a list of what has a kind")
		}
		if s.Properties["Content"] == nil || s.Properties["PathBase64"] == nil || s.AdditionalProperties != nil {
			t.Error("a file may have content, bytes of its path, and more")
		}
		if s.Properties["Record"].Not == nil || s.Properties["Version"].Not == nil {
			t.Error("a file is no other kind")
		}
		if s.Properties["Score"].Description == "" {
			t.Error("a field has no description")
		}
	}
}

// Kinds have names of their own, which their values write, and schemas that do not
// change from one call to the next.
func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range append(append(Records(), Answers()...), Rendering()) {
		if seen[k.Name] {
			t.Errorf("two kinds are called %s", k.Name)
		}
		seen[k.Name] = true
		if n, ok := reflect.Zero(k.Type).Interface().(stream.Named); ok && n.RecordKind() != k.Name {
			t.Errorf("%s writes the name %s", k.Name, n.RecordKind())
		} else if !ok && !k.Object && !k.Specified() {
			t.Errorf("%s writes no name", k.Name)
		}
		a, err := json.Marshal(k.Schema())
		if err != nil {
			t.Fatal(err)
		}
		if b, err := json.Marshal(k.Schema()); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s has another schema the second time: %v", k.Name, err)
		}
		if !k.Specified() && !bytes.Contains(a, []byte(`"const":"`+k.Name+`"`)) {
			t.Errorf("the schema of %s does not ask for its name", k.Name)
		}
	}
}
