package chunk

// FactsVersion changes whenever the same source may give other facts than
// before; facts stored by another version are read again. TestVersion refuses
// goldens that change while it stays.
const FactsVersion = 9

// Facts is what a file says that a code graph is resolved from. It names
// things as text, as the file does: nothing outside of the file is looked at.
//
// A chain is the path from a name to a value, normalised: a name, then any
// number of
//
//	.name  a member
//	()     what calling it gives, the first of several results
//	#n     after (): result n, counted from 0, where n > 0
//	[]     an element: of an index, a dereferenced channel, a range's value
//	[key]  the first variable of a range: key, index, or a channel's element
//	{}     a value of the preceding type: "pkg.T{}.Close"
//
// "c.client.Pods().List", "self.items[].run". A "?" stands for what can not be
// written so: "?.Close" is a member of something unknown. An object that a
// language makes by calling or instantiating its class is "T()".
//
// A type is text without pointers, references and type arguments: "pkg.T".
// Containers keep their element: "[]T" of a list, "map[]T" of a map's value,
// "chan T", "func()T" of a function with T as its first result, "func" of one
// without.
//
// A local name that would mean something else in the same function or file is
// distinguished by "'2", "'3" after it, in [FuncFact.Locals] and in every chain:
// a base name found among the function's receiver, parameters and locals is
// that, any other is a name of the file, of its package or of an import.
type Facts struct {
	Package string     // declared package, namespace or module: "main", "com.foo.bar"; "" when there is none
	Binds   []Bind     // names that imports bind, in source order
	Types   []TypeFact // by chunk
	Funcs   []FuncFact // by chunk
	Vars    []VarFact  // by chunk; those about which something is known
	Calls   []Call     // in source order, inner calls first; conversions that look like calls included
	Refs    []Ref      // in source order, each chain once a chunk; what is called is not in it
}

// Bind is one name that an import binds.
type Bind struct {
	// Name is the bound name. In Go "" stands for the name of the package
	// clause; "." and "*" bind everything exported; "_" binds nothing.
	Name   string
	Path   string // what is imported, as written: "numpy", "./util", "../b"
	Member string // the member that Name stands for; "" for the module itself, "default" for a default export
	Line   int    // 1-based
}

// TypeFact is what a type's declaration says.
type TypeFact struct {
	Chunk int // index into Result.Chunks
	// Kind is "struct", "interface", "class", "enum", "trait", "alias", "named" (a Go
	// type of another shape), "impl" or "companion" (in Kotlin, of the type around).
	// "expect " precedes it where Kotlin declares what each platform defines.
	Kind  string
	Bases []string
	// Fields are the fields with their types, methods of a Rust trait as
	// "func()T" and of a Go interface as "func(A,B)T", and under the name "" the type that a named
	// type or alias stands for.
	Fields []NameType
}

// FuncFact is what a function's declaration and body say. That of a type is its
// primary constructor, which has no metrics. The first parameter of an extension
// function of Kotlin is its receiver and is called "this". A result that starts with
// "=" is the chain that a function without a declared result returns.
type FuncFact struct {
	Chunk   int        // index into Result.Chunks
	Recv    string     // by which name its body calls the receiver: "s", "self", "this"; its type is the chunk's Scope
	Params  []NameType // without the receiver
	Results []string   // types
	// Optional is how many of the last parameters a call may leave out, and
	// Variadic says that the last one takes any number of arguments; both are
	// set where a language has several functions of one name, see [Call].
	Optional int
	Variadic bool
	Form     FuncForm
	Locals   []Local // the locals that chains of the function begin with
	Metrics  Metrics
}

// FuncForm says how a function is used, where not by a plain call of its name.
type FuncForm uint8

const (
	FormPlain       FuncForm = iota
	FormProperty             // read and assigned like a field
	FormExtension            // called like a member of its first parameter, too
	FormExplicit             // reached through an interface alone
	FormInitializer          // run by the language, no code names it
)

// VarFact is what the declaration of a top-level variable or constant says.
type VarFact struct {
	Chunk int    // index into Result.Chunks
	Type  string // declared, or of the literal it is made from
	Expr  string // chain it is made from, when there is no Type
}

// NameType is a name with its type; Type is "" when it is not declared.
type NameType struct{ Name, Type string }

// Local is a local variable: its declared type or, failing that, the chain it
// was made from. A variable of a language without declarations is there only
// when one assignment gives its value.
type Local struct{ Name, Type, Expr string }

// Call is one call.
type Call struct {
	Chunk int // innermost enclosing definition, -1 at file level
	Line  int // 1-based
	Chain string
	// Args are the arguments, in languages where functions of one name are
	// distinguished by them (Java, C++): their chains in parentheses, separated by
	// commas, "(s,String{},?)". "" when even their number is not known. Further
	// types occur there than in other chains: "null", and those of literals.
	Args string
}

// Ref is one use of a type, or of a function or variable as a value.
type Ref struct {
	Chunk int // innermost enclosing definition, -1 at file level
	Line  int // 1-based, of the first use
	Chain string
}

// Metrics measure one function or method, the functions inside it included.
type Metrics struct {
	// Cyclomatic is McCabe's number: 1 and the decisions, && and || among them.
	Cyclomatic int
	// Cognitive follows G. Ann Campbell, "Cognitive Complexity", 2018. A
	// function that calls itself counts one more; recursion through others is
	// not known from one file.
	Cognitive int
	Nesting   int // deepest nesting of control flow
	Params    int // parameters as written in the list
	Lines     int // from the signature to the end
}

// Limits of the facts of one file.
const (
	maxFacts      = 1 << 18 // entries of one list
	maxChain      = maxName // bytes
	maxChainSteps = 48      // parts of a chain looked at: what lies before them is "?"
)

// interner keeps one copy of each string of a file.
type interner struct{ seen map[string]string }

func (n *interner) bytes(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := n.seen[string(b)]; ok {
		return s
	}
	s := clip(string(b))
	n.seen[s] = s
	return s
}

// lineCursor finds lines of offsets that mostly ascend.
type lineCursor struct {
	x    lineIndex
	last int // 0-based line of the last answer
}

// at is the 1-based line of the offset.
func (c *lineCursor) at(offset int) int {
	for step := 0; step < 8; step++ {
		switch {
		case int(c.x[c.last]) > offset && c.last > 0:
			c.last--
		case c.last+1 < len(c.x) && int(c.x[c.last+1]) <= offset:
			c.last++
		default:
			return c.last + 1
		}
	}
	c.last = max(c.x.at(offset)-1, 0)
	return c.last + 1
}
