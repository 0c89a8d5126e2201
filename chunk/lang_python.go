package chunk

import (
	"strings"

	"github.com/smacker/go-tree-sitter/python"
)

func pythonSpec() *spec {
	return &spec{
		name:    "python",
		facts:   &pythonFacts,
		grammar: python.GetLanguage,
		defs: map[string]rule{
			"function_definition":  {kind: Function},
			"class_definition":     {kind: Type},
			"expression_statement": {kind: Var, names: pythonAssigned, top: true, body: "-"},
		},
		walk: []string{
			"module", "block", "if_statement", "else_clause", "elif_clause", "try_statement", "except_clause",
			"finally_clause", "with_statement", "for_statement", "while_statement", "match_statement", "case_clause",
		},
		show:    []string{"assignment"},
		wraps:   []string{"decorated_definition"},
		clear:   nil,
		imports: map[string]importer{"import_statement": pythonImport, "import_from_statement": pythonFrom, "future_import_statement": pythonFrom},
		recover: recoverPython,
	}
}

// pythonAssigned names what a module-level assignment binds: "X = 1",
// "x: int = 1", "a, b = f()".
func pythonAssigned(t *tree, n int, add func(string, int)) {
	a := t.kid(n, "assignment")
	if a < 0 {
		return
	}
	left := t.field(a, "left")
	if left < 0 {
		return
	}
	for _, name := range strings.Split(t.text(left), ",") {
		if name = strings.TrimSpace(name); isIdent(name) {
			add(name, n)
		}
	}
}

// pythonImport reads "import a.b as c, d".
func pythonImport(text string, add func(string, int)) {
	rest := strings.TrimPrefix(text, "import")
	for _, part := range splitList(rest, len(text)-len(rest)) {
		name, _, _ := strings.Cut(part.text, " as ")
		add(strings.TrimSpace(name), part.offset)
	}
}

// pythonFrom reads "from a import (b, c as d)": a module, or a package with
// modules or names in it. Both readings are given: "a", "a.b" and "a.c".
func pythonFrom(text string, add func(string, int)) {
	at := strings.Index(text, "import")
	if !strings.HasPrefix(text, "from") || at < 4 {
		return
	}
	if i := strings.Index(text[4:], " import"); i >= 0 {
		at = 4 + i + 1
	}
	module := strings.Join(strings.Fields(strings.ReplaceAll(text[4:at], "\\", " ")), "")
	if strings.Trim(module, ".") != "" {
		add(module, 0)
	}
	sep := "."
	if strings.HasSuffix(module, ".") {
		sep = ""
	}
	at += len("import")
	for _, part := range splitList(text[at:], at) {
		name, _, _ := strings.Cut(part.text, " as ")
		if name = strings.TrimSpace(name); isIdent(name) {
			add(module+sep+name, part.offset)
		} else if name == "*" && strings.Trim(module, ".") == "" {
			add(module, part.offset)
		}
	}
}
