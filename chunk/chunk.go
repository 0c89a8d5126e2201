// Package chunk cuts a source file into its definitions: chunks with kind,
// name, signature and doc comment as byte spans, and the imports it names.
//
// What always holds: parsing never executes and never panics; the same bytes
// give the same result; every span lies inside the source; StartByte < EndByte;
// chunks are sorted by StartByte, then by EndByte descending, so a parent
// comes before what it contains; a file with syntax errors still gives the
// definitions that can be found around them.
//
// One limit is of time, not of bytes: a grammar that loops on broken input is
// stopped, and the file is read by patterns. It is set so far above the needs
// of honest files that only such input meets it.
//
// A run of import statements is one chunk, named "import". What an import
// names is kept as its language writes it; two forms are topo's own: "mod x"
// for a module file of Rust, and "./x" for Ruby's require_relative "x".
// "from a import b" of Python gives both "a" and "a.b", for b may be a module.
package chunk

// Version changes whenever the same source may give other chunks than before;
// an index made by another version is rebuilt. TestVersion refuses goldens that
// change while it stays.
const Version = 7

// Kind is the kind of a definition.
type Kind uint8

// The kinds. Their order is part of the index format.
const (
	Other Kind = iota
	Function
	Method
	Type // struct, class, interface, enum, trait, alias
	Impl
	Import
	Const
	Var
	Section // heading of a document with its text; table of a config file
)

var kindNames = [...]string{"other", "function", "method", "type", "impl", "import", "const", "var", "section"}

// String is the kind's name in the stream.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "other"
}

// Chunk is one definition. All spans are half-open byte offsets into the
// source; lines are 1-based and inclusive.
type Chunk struct {
	Kind Kind
	Name string // the bare name, "Close"
	// Scope is the qualified name of what holds the definition, "Server" or
	// "outer.Inner"; empty at top level. The qualified name is Scope.Name.
	Scope string
	// StartByte and EndByte span the definition from its first token
	// (decorators and attributes included) to the end of its body.
	StartByte, EndByte int
	StartLine, EndLine int
	// SigEnd ends the signature, which starts at StartByte and stops before
	// the body.
	SigEnd int
	// DocStart and DocEnd span the doc comment (before the definition, or a
	// docstring inside it); both zero when there is none.
	DocStart, DocEnd int
	DocLine          int // line of DocStart, 0 when there is none
}

// Qualified is the name with what holds it: "Server.Close".
func (c Chunk) Qualified() string {
	if c.Scope == "" {
		return c.Name
	}
	return c.Scope + "." + c.Name
}

// ImportRef is one module, package, header or file that the source names.
type ImportRef struct {
	Path string // as written, without quotes: "net/http", "./util", "<stdio.h>", "..pkg.mod", "crate::a::b"
	Line int    // 1-based
}

// Result is what one source file holds.
type Result struct {
	Chunks  []Chunk
	Imports []ImportRef
	Parser  string // what read it: "go/parser", "tree-sitter", "pattern"; empty when there is none for the language
	Errors  bool   // the source had syntax errors: definitions may be missing
}
