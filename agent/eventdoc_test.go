package agent

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

// constants are the values of the constants of a type in event.go.
func constants(t *testing.T, typ string) (out []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if id, ok := spec.Type.(*ast.Ident); ok && id.Name == typ {
				v, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, v)
			}
		}
		return true
	})
	return out
}

func TestEveryKindIsDescribed(t *testing.T) {
	var kinds []string
	event := reflect.TypeFor[Event]()
	for _, k := range Kinds() {
		kinds = append(kinds, string(k.Kind))
		if k.Doc == "" {
			t.Errorf("%s has no description", k.Kind)
		}
		for _, key := range k.Keys {
			if _, ok := event.FieldByName(key); !ok {
				t.Errorf("%s: an event has no key %s", k.Kind, key)
			}
		}
	}
	want := constants(t, "EventKind")
	slices.Sort(kinds)
	slices.Sort(want)
	if !slices.Equal(kinds, want) {
		t.Errorf("described: %v; declared: %v", kinds, want)
	}
	var outcomes []string
	for _, o := range Outcomes() {
		outcomes = append(outcomes, string(o.Outcome))
	}
	if want := constants(t, "Outcome"); !slices.Equal(outcomes, want) {
		t.Errorf("outcomes described: %v; declared: %v", outcomes, want)
	}
}
