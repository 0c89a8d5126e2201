package chunk

import (
	"bytes"
	"strings"

	"github.com/smacker/go-tree-sitter/rust"
)

func rustSpec() *spec {
	return &spec{
		name:    "rust",
		facts:   &rustFacts,
		grammar: rust.GetLanguage,
		defs: map[string]rule{
			"function_item":           {kind: Function},
			"function_signature_item": {kind: Function},
			"struct_item":             {kind: Type},
			"enum_item":               {kind: Type},
			"union_item":              {kind: Type},
			"trait_item":              {kind: Type},
			"type_item":               {kind: Type},
			"associated_type":         {kind: Type},
			"impl_item":               {kind: Impl, name: rustImpl},
			"mod_item":                {kind: Other},
			"macro_definition":        {kind: Function},
			"const_item":              {kind: Const, top: true},
			"static_item":             {kind: Var, top: true},
		},
		walkAll: true,
		skip:    []string{"token_tree", "parameters", "type_arguments", "type_parameters", "string_literal", "attribute_item"},
		attrs:   []string{"attribute_item"},
		clear:   []string{"foreign_mod_item"},
		imports: map[string]importer{"use_declaration": rustUse, "extern_crate_declaration": rustCrate, "mod_item": rustMod},
		home:    rustHome,
		recover: recoverRust,
		prepare: rustPrepare,
	}
}

// rustImpl is the bare name of the type an impl block is for.
func rustImpl(t *tree, n int) string {
	f := t.field(n, "type")
	if f < 0 {
		return ""
	}
	name, _, _ := strings.Cut(t.text(f), "<")
	name = name[strings.LastIndexByte(name, ':')+1:]
	return strings.Trim(name, "&*()[] \n\t")
}

// rustUse flattens the tree of a use declaration: "use a::{b, c::d as e}"
// gives "a::b" and "a::c::d"; "self" stands for the path before it.
func rustUse(text string, add func(string, int)) {
	if i := strings.Index(text, "use "); i >= 0 {
		flattenUse("", strings.TrimSuffix(strings.TrimSpace(text[i+4:]), ";"), 0, func(path string) { add(path, 0) })
	}
}

// rustHome gives a path of a module with a body as the file would write it: in
// "mod tests {" super is the module of the file itself.
func rustHome(t *tree, n int, path string) string {
	if strings.HasPrefix(path, "mod ") {
		return path + rustElsewhere(t, n)
	}
	if !strings.HasPrefix(path, "super::") {
		return path
	}
	for hops := 0; n >= 0 && hops < maxScopeDepth; hops++ {
		if n = int(t.nodes[n].parent); n < 0 || t.typeOf(n) != "mod_item" {
			continue
		}
		rest, ok := strings.CutPrefix(path, "super::")
		if !ok {
			break
		}
		path = rest
		if !strings.HasPrefix(path, "super::") {
			return "self::" + path
		}
	}
	return path
}

// rustElsewhere is "=./x.rs" for a module that an attribute says to be in the
// file x.rs.
func rustElsewhere(t *tree, n int) string {
	before := t.src[max(0, int(t.nodes[n].start)-maxName):t.nodes[n].start]
	i := bytes.LastIndex(before, []byte("#[path"))
	if i < 0 {
		return ""
	}
	attr, rest, ok := bytes.Cut(before[i:], []byte{']'})
	if _, file, quoted := strings.Cut(string(attr), `"`); ok && quoted && !bytes.ContainsAny(rest, ";{}") {
		file, _, _ = strings.Cut(file, `"`)
		return "=./" + file
	}
	return ""
}

func flattenUse(prefix, text string, depth int, add func(string)) {
	text = strings.TrimSpace(text)
	open := strings.IndexByte(text, '{')
	if open < 0 || depth > maxScopeDepth {
		text, _, _ = strings.Cut(text, " as ")
		text = strings.TrimSpace(text)
		switch {
		case text == "self":
			add(strings.TrimSuffix(prefix, "::"))
		case text != "":
			add(prefix + text)
		}
		return
	}
	prefix += strings.TrimSpace(text[:open])
	inner := strings.TrimSuffix(strings.TrimSpace(text[open+1:]), "}")
	level, from := 0, 0
	for i := range len(inner) {
		switch inner[i] {
		case '{':
			level++
		case '}':
			level--
		case ',':
			if level == 0 {
				flattenUse(prefix, inner[from:i], depth+1, add)
				from = i + 1
			}
		}
	}
	flattenUse(prefix, inner[from:], depth+1, add)
}

// rustCrate reads "extern crate x as y;".
func rustCrate(text string, add func(string, int)) {
	if i := strings.Index(text, "crate "); i >= 0 {
		name, _, _ := strings.Cut(strings.Trim(text[i+6:], "; \n"), " as ")
		add(name, 0)
	}
}

// rustMod reads "mod x;", a file of the same crate: the path is "mod x". A
// module with a body names no file.
func rustMod(text string, add func(string, int)) {
	i := strings.Index(text, "mod ")
	if i >= 0 && strings.HasSuffix(text, ";") {
		add("mod "+strings.Trim(text[i+4:], "; \n"), i)
	}
}
