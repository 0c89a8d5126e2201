package graph

import (
	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/scan/lang"
)

// rules say how the imports and names of a language are resolved. Adding a
// language with a graph is one such value in a file of its own: it fills the
// fields that are true of it and gives functions where fields do not do.
type rules struct {
	family   string // of [lang.Language]: the languages that see each other
	language string // the one language of the family that they are for; "" for those that have none of their own

	// prepare looks at the whole tree once, for the family, and returns the
	// function that resolves one import of one file into its targets; nil where
	// imports lead to no files.
	prepare func(t *tree) func(from uint32, path string, to *targets)

	imports  importRules
	names    nameRules
	types    typeRules
	calls    callRules
	variants variantRules
}

// importRules say what imports bind.
type importRules struct {
	star       string // what the resolver wants after a path that is imported whole
	anyFile    bool   // a type may lie in a file of any name: an import is often sure of the package alone
	includes   bool   // a file sees what it includes: of types of one name, the nearest
	first      bool   // an imported name hides what the unit declares
	reexported bool   // a variable may be no more than the name of what it imports

	// bound completes what a declaration binds; nil leaves it.
	bound func(l *linking, d *chunk.Bind, v bind) bind
	// clause is the name that an import without one binds; nil takes its path.
	clause func(b *builder, path string, units []int32) string
	// linked adds what a file's imports say together; nil adds nothing.
	linked func(l *linking)
}

// nameRules say where a name is looked for.
type nameRules struct {
	unit     unitOf
	root     bool                   // all files of no package are one unit
	builtin  func(name string) bool // of the language itself; nil for none
	implicit bool                   // a bare name may be a member of the type around
	flat     bool                   // definitions stand in no others
	declared bool                   // every name is declared: one that is not found here is from outside
	free     bool                   // a bare name that is found nowhere is from outside: no import would say so
	values   bool                   // a local may be a function that is defined under its name
	hidden   string                 // a function that no name reaches: "init"
	outer    bool                   // T.this is the value around
	// rest finds a name that neither the unit nor the imports have; nil finds
	// none.
	rest func(w *worker, f *source, name string, depth int) found
	// extensions is set when functions outside of a type are called like its
	// members; their first parameter is called "this".
	extensions bool
	// single is set when what a file changes about one name concerns that name
	// alone, and no other language finds it.
	single bool
	// find finds a bare name where the language looks elsewhere than in the unit
	// and its imports; nil does that.
	find       func(w *worker, f *source, name string, depth int) found
	properties bool // some functions are read like fields, see [chunk.FormProperty]
}

// typeRules say what types have.
type typeRules struct {
	structural bool // a type implements an interface by having its methods
	embeds     bool // a base is a field of its name
	parameters bool // parameters of a constructor may be fields
	outside    bool // types from outside are told apart by their names
	apart      bool // fields and methods may have the same names
	fluent     bool // a result of type "static" is what the method was called on
	// platform tells the types that come with the language and need an import.
	platform func(name string) bool
}

// callRules say what a call leads to.
type callRules struct {
	ctors       []string // names of constructors; "." is the type's own name
	make        string   // the method of a type itself that makes a value: "new"
	conversions bool     // calling a type converts and runs no constructor
	super       bool     // a call of super is a value to call methods of, and no constructor
	methods     bool     // what is called has names of its own: a local of that name is something else
	primary     bool     // a type may be its own constructor, next to those that ctors name
	macros      bool     // calls stand in macros, whose text is searched
	overloads   overloadBy
	// accepts tells whether a parameter, written as text, takes an argument; nil
	// does as Java does.
	accepts func(b *builder, param typ, text string, arg typ) fit
	// inherited is set when the overloads of a method include those that its
	// type inherits.
	inherited bool
}

// overloadBy says what tells functions of one name apart.
type overloadBy uint8

const (
	overloadNone  overloadBy = iota
	overloadCount            // the number of arguments
	overloadTypes            // their types too
)

// variantRules say which of several definitions of a name holds.
type variantRules struct {
	builds    bool // each is for another build
	lastOf    bool // of methods in a file, the last with a body
	redefines bool // of nested definitions, the last
	sameFile  bool // all of a file: they are overloads
	// copies is set when one of them is there in a running program, and those
	// of tests are there for tests alone.
	copies    bool
	overloads bool // all of a unit: they are overloads
}

// registry is sorted by family, then by language.
var registry = []*rules{
	cRules,
	cppRules,
	csharpRules,
	goRules,
	javaRules,
	kotlinRules,
	scalaRules,
	javascriptRules,
	phpRules,
	plainRules,
	pythonRules,
	rubyRules,
	rustRules,
	swiftRules,
}

// plainRules are for languages whose definitions are nodes and whose names are
// looked for in their own file.
var plainRules = &rules{family: "plain", names: nameRules{unit: unitFile, implicit: true}}

// rulesOf are the rules of a language, nil when it has no code graph.
func rulesOf(language string) *rules {
	family := lang.SyntaxOf(language).Family
	if family == "" {
		return nil
	}
	var shared *rules
	for _, r := range registry {
		switch {
		case r.family != family:
		case r.language == language:
			return r
		case r.language == "":
			shared = r
		}
	}
	return shared
}
