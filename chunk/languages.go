package chunk

import "sync"

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
	{&markdownSpec, compiled(&markdownSpec)},
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

// dialect is the language whose grammar reads the file best.
func dialect(language, path string, src []byte) string { return language }

// patternTable is built on first use and never changes after.
var patternTable = sync.OnceValue(patternLanguages)
