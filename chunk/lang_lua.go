package chunk

import (
	"bytes"
	"strings"

	"github.com/smacker/go-tree-sitter/lua"
)

func luaSpec() *spec {
	return &spec{
		name:    "lua",
		grammar: lua.GetLanguage,
		defs: map[string]rule{
			"function_statement":   {kind: Function, name: luaName, scope: luaScope, bodyAt: luaBody},
			"variable_declaration": {names: luaDeclared, kindOf: luaKind},
		},
		globals:      true,
		walkAll:      true,
		skip:         []string{"parameter_list", "string", "comment"},
		extraImports: luaRequires,
	}
}

func luaFull(t *tree, n int) string {
	f := t.field(n, "name")
	if f < 0 || t.nodes[f].end-t.nodes[f].start > maxName {
		return ""
	}
	return strings.Join(strings.Fields(t.text(f)), "")
}

func luaName(t *tree, n int) string {
	full := luaFull(t, n)
	return full[strings.LastIndexAny(full, ".:")+1:]
}

func luaScope(t *tree, n int) string {
	full := luaFull(t, n)
	return strings.ReplaceAll(full[:max(strings.LastIndexAny(full, ".:"), 0)], ":", ".")
}

// luaBody is where the line of the parameters ends.
func luaBody(t *tree, n int) int {
	start, end := int(t.nodes[n].start), int(t.nodes[n].end)
	if i := bytes.IndexByte(t.src[start:end], ')'); i >= 0 {
		return start + i + 1
	}
	return 0
}

func luaDeclared(t *tree, n int, add func(string, int)) {
	if full := luaFull(t, n); isIdent(strings.NewReplacer(".", "", ":", "").Replace(full)) {
		add(full[strings.LastIndexAny(full, ".:")+1:], n)
	}
}

func luaKind(t *tree, n int, top func() bool) Kind {
	if f := t.field(n, "value"); f >= 0 && t.typeOf(f) == "function" {
		return Function
	}
	if top() {
		return Var
	}
	return none
}

// luaRequires reads require "x" and require("x").
func luaRequires(src []byte, add func(string, int)) {
	for at := 0; ; {
		i := bytes.Index(src[at:], []byte("require"))
		if i < 0 {
			return
		}
		start := at + i
		at = start + len("require")
		if start > 0 && identByte(src[start-1]) || bytes.Contains(src[lineStart(src, start):start], []byte("--")) {
			continue
		}
		if path, ok := leadingString(strings.TrimLeft(string(src[at:min(len(src), at+maxName)]), " (")); ok {
			add(path, start)
		}
	}
}
