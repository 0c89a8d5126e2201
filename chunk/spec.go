package chunk

import sitter "github.com/smacker/go-tree-sitter"

// spec is the table of one language that tree-sitter reads: which node types
// are definitions and where the walk finds them. One file a language holds one.
type spec struct {
	name    string
	grammar func() *sitter.Language
	// defs are the node types that are definitions.
	defs map[string]rule
	// walk are the other node types whose children are looked at; walkAll
	// takes all of them but skip.
	walk    []string
	walkAll bool
	skip    []string
	// show are the node types that the naming functions of the rules read.
	show []string
	// wraps hold one definition and give it their span: decorators, export.
	wraps []string
	// attrs precede a definition and belong to it.
	attrs []string
	// clear hold top-level definitions without being one: conditional
	// compilation, blocks of external linkage.
	clear []string
	// imports are the node types that name other files, with their readers.
	imports map[string]importer
	// extraImports reads imports that are plain calls, not statements.
	extraImports func(src []byte, add func(path string, offset int))
	// home rewrites the path of an import by where it is; nil leaves it.
	home func(t *tree, n int, path string) string
	// facts is the table of what a code graph is resolved from, nil for none.
	facts *factSpec
	// globals is set when the grammar's scanner keeps its state in global
	// variables: such a grammar parses one file at a time.
	globals bool
	// embedded is the language of the scripts inside a page.
	embedded string
	// prepare gives the parser other bytes of the same length and lines, to
	// spare it what it cannot know (macros); nil when it changes nothing.
	prepare func(src []byte) []byte
	// simplify takes from prepared source of the same length what misleads the parser
	// where it meets syntax that it does not know. It is tried when a parse has errors.
	simplify func(src []byte) []byte
	// recover adds the definitions that a tree with errors did not give; text
	// is the prepared source.
	recover func(b *builder, text []byte)
}

// importer calls add for each path that an import's text names; offset is
// where in the text.
type importer func(text string, add func(path string, offset int))

// rule says what a node type defines.
type rule struct {
	kind Kind
	// name gives the bare name, "" when this node defines nothing; nil reads
	// the field "name".
	name func(t *tree, n int) string
	// names gives several names, for declarations of more than one.
	names func(t *tree, n int, add func(name string, at int))
	// kindOf decides the kind where the type alone does not; none drops the
	// definition. top tells whether it is at top level.
	kindOf func(t *tree, n int, top func() bool) Kind
	// scope is the holder that the definition names itself: a Go receiver,
	// "Foo" of a C++ "Foo::bar".
	scope func(t *tree, n int) string
	// extend moves the end to the start of the next definition of the same
	// type: stages of a Dockerfile.
	extend bool
	// ghost gives a scope to what it holds and is no chunk itself.
	ghost bool
	// unscoped is a ghost whose name is no part of the names in it.
	unscoped bool
	// top rules hold at top level only.
	top bool
	// body is the field or node type that ends the signature; "" is "body".
	body string
	// bodyAt is the offset of the body where body cannot name it, 0 for none.
	bodyAt func(t *tree, n int) int
}

// none is what kindOf returns for a node that defines nothing.
const none Kind = 255
