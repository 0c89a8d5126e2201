package chunk

import (
	"bytes"
	"strings"
	"sync"
)

// language is a table with its compiled form.
type language struct {
	spec    *spec
	grammar func() *grammar
}

// table lists every language that tree-sitter reads, sorted by name. The
// compiled forms are made on first use.
var table = []language{
	{&bashSpec, compiled(&bashSpec)},
	{&cSpec, compiled(&cSpec)},
	{&cppSpec, compiled(&cppSpec)},
	{&csharpSpec, compiled(&csharpSpec)},
	{&cssSpec, compiled(&cssSpec)},
	{&cueSpec, compiled(&cueSpec)},
	{&dockerfileSpec, compiled(&dockerfileSpec)},
	{&elixirSpec, compiled(&elixirSpec)},
	{&elmSpec, compiled(&elmSpec)},
	{&goSpec, compiled(&goSpec)},
	{&groovySpec, compiled(&groovySpec)},
	{&hclSpec, compiled(&hclSpec)},
	{&htmlSpec, compiled(&htmlSpec)},
	{&javaSpec, compiled(&javaSpec)},
	{&javascriptSpec, compiled(&javascriptSpec)},
	{&kotlinSpec, compiled(&kotlinSpec)},
	{&luaSpec, compiled(&luaSpec)},
	{&ocamlSpec, compiled(&ocamlSpec)},
	{&phpSpec, compiled(&phpSpec)},
	{&protobufSpec, compiled(&protobufSpec)},
	{&pythonSpec, compiled(&pythonSpec)},
	{&rubySpec, compiled(&rubySpec)},
	{&rustSpec, compiled(&rustSpec)},
	{&scalaSpec, compiled(&scalaSpec)},
	{&sqlSpec, compiled(&sqlSpec)},
	{&svelteSpec, compiled(&svelteSpec)},
	{&swiftSpec, compiled(&swiftSpec)},
	{&tomlSpec, compiled(&tomlSpec)},
	{&tsxSpec, compiled(&tsxSpec)},
	{&typescriptSpec, compiled(&typescriptSpec)},
	{&yamlSpec, compiled(&yamlSpec)},
}

func grammars() []language { return table }

// grammarOf is the compiled table of a language, nil for none.
func grammarOf(name string) *grammar {
	for i := range table {
		if table[i].spec.name == name {
			return table[i].grammar()
		}
	}
	return nil
}

// aliases are the languages close enough to another for its grammar.
var aliases = map[string]string{
	"apex": "java", "processing": "java", "cuda": "cpp", "metal": "cpp", "hlsl": "cpp", "glsl": "c", "opencl": "c",
	"arduino": "cpp", "starlark": "python", "luau": "lua", "terra": "lua", "hack": "php", "ebuild": "bash",
	"vue": "svelte", "astro": "svelte",
}

// dialect is the language whose grammar reads the file best: a header named
// as C may hold C++.
func dialect(language, path string, src []byte) string {
	if base := aliases[language]; base != "" {
		return base
	}
	if language == "c" && strings.HasSuffix(path, ".h") && looksCpp(src) {
		return "cpp"
	}
	return language
}

// looksCpp reports a line that C cannot have.
func looksCpp(src []byte) bool {
	for at := 0; at < len(src); {
		n := lineLength(src[at:])
		line := bytes.TrimSpace(src[at : at+n])
		switch wordAt(line) {
		case "namespace", "template", "public", "private", "protected", "constexpr", "virtual":
			return true
		case "class":
			if !bytes.HasSuffix(line, []byte("*/")) {
				return true
			}
		case "using":
			if bytes.HasPrefix(line, []byte("using namespace")) || bytes.IndexByte(line, '=') > 0 {
				return true
			}
		}
		at += n + 1
	}
	return false
}

// patternTable is built on first use and never changes after.
var patternTable = sync.OnceValue(patternLanguages)
