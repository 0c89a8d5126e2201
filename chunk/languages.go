package chunk

import (
	"bytes"
	"strings"
	"sync"

	"github.com/topo-dev/topo/scan/lang"
)

// language is a table in its compiled form.
type language struct {
	name    string
	grammar func() *grammar
}

// table lists every language that tree-sitter reads, sorted by name. Tables
// and their compiled forms are made on first use, since most commands need none.
var table = []language{
	{"bash", compiled(bashSpec)},
	{"c", compiled(cSpec)},
	{"cpp", compiled(cppSpec)},
	{"csharp", compiled(csharpSpec)},
	{"css", compiled(cssSpec)},
	{"cue", compiled(cueSpec)},
	{"dockerfile", compiled(dockerfileSpec)},
	{"elixir", compiled(elixirSpec)},
	{"elm", compiled(elmSpec)},
	{"go", compiled(goSpec)},
	{"groovy", compiled(groovySpec)},
	{"hcl", compiled(hclSpec)},
	{"html", compiled(htmlSpec)},
	{"java", compiled(javaSpec)},
	{"javascript", compiled(javascriptSpec)},
	{"kotlin", compiled(kotlinSpec)},
	{"lua", compiled(luaSpec)},
	{"ocaml", compiled(ocamlSpec)},
	{"php", compiled(phpSpec)},
	{"protobuf", compiled(protobufSpec)},
	{"python", compiled(pythonSpec)},
	{"ruby", compiled(rubySpec)},
	{"rust", compiled(rustSpec)},
	{"scala", compiled(scalaSpec)},
	{"sql", compiled(sqlSpec)},
	{"svelte", compiled(svelteSpec)},
	{"swift", compiled(swiftSpec)},
	{"toml", compiled(tomlSpec)},
	{"tsx", compiled(tsxSpec)},
	{"typescript", compiled(typescriptSpec)},
	{"yaml", compiled(yamlSpec)},
}

func grammars() []language { return table }

// grammarOf is the compiled table of a language, nil for none.
func grammarOf(name string) *grammar {
	for i := range table {
		if table[i].name == name {
			return table[i].grammar()
		}
	}
	return nil
}

// dialect is the language whose grammar reads the file best: a header named
// as C may hold C++.
func dialect(language, path string, src []byte) string {
	if base := lang.SyntaxOf(language).Grammar; base != "" {
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
