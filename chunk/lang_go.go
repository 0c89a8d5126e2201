package chunk

import (
	"bytes"
	"strings"

	"github.com/smacker/go-tree-sitter/golang"
)

// goSpec reads the Go files that go/parser rejects.
func goSpec() *spec {
	return &spec{
		name:    "go",
		grammar: golang.GetLanguage,
		defs: map[string]rule{
			"function_declaration": {kind: Function},
			"method_declaration":   {kind: Method, scope: goReceiver},
			"type_declaration":     {kind: Type, names: goNames("type_spec", "type_alias"), top: true, bodyAt: goBody},
			"const_declaration":    {kind: Const, names: goNames("const_spec"), top: true, body: "-"},
			"var_declaration":      {kind: Var, names: goNames("var_spec"), top: true, body: "-"},
		},
		walk:    []string{"source_file"},
		show:    []string{"type_spec", "type_alias", "const_spec", "var_spec", "var_spec_list"},
		imports: map[string]importer{"import_declaration": goImports},
	}
}

// goReceiver is the type of a method's receiver without pointer and type
// parameters.
func goReceiver(t *tree, n int) string {
	r := t.field(n, "receiver")
	if r < 0 {
		return ""
	}
	return receiverType(t.text(r))
}

// receiverType is T of "(r *T[K, V])".
func receiverType(text string) string {
	text = strings.Trim(text, "() \t\n")
	text, _, _ = strings.Cut(text, "[")
	if i := strings.LastIndexAny(text, " *\t("); i >= 0 {
		text = text[i+1:]
	}
	return strings.TrimSpace(text)
}

// goBody is where the fields of a struct or the methods of an interface start.
func goBody(t *tree, n int) int {
	typ := t.field(n, "type")
	if typ < 0 {
		return 0
	}
	switch t.typeOf(typ) {
	case "struct_type", "interface_type":
		start, end := t.nodes[typ].start, t.nodes[typ].end
		if i := bytes.IndexByte(t.src[start:end], '{'); i >= 0 {
			return int(start) + i
		}
	}
	return 0
}

// goNames gives the names that the specs of a declaration declare.
func goNames(types ...string) func(*tree, int, func(string, int)) {
	return func(t *tree, n int, add func(string, int)) {
		for _, spec := range goSpecs(t, n, types) {
			t.kids(spec, func(k int) bool {
				if f := int(t.nodes[k].field); f < len(t.g.fields) && t.g.fields[f] == "name" {
					if name := t.text(k); name != "," {
						add(name, spec)
					}
				}
				return true
			})
		}
	}
}

func goSpecs(t *tree, n int, types []string) []int {
	var out []int
	t.kids(n, func(k int) bool {
		for _, want := range types {
			if t.typeOf(k) == want {
				out = append(out, k)
			}
		}
		if t.typeOf(k) == "var_spec_list" {
			out = append(out, goSpecs(t, k, types)...)
		}
		return true
	})
	return out
}

// goImports reads the quoted paths of an import declaration.
func goImports(text string, add func(string, int)) {
	at := 0
	for _, line := range strings.SplitAfter(text, "\n") {
		code, _, _ := strings.Cut(line, "//")
		if i := strings.IndexAny(code, "\"`"); i >= 0 {
			if j := strings.IndexByte(code[i+1:], code[i]); j > 0 {
				add(code[i+1:i+1+j], at+i)
			}
		}
		at += len(line)
	}
}
