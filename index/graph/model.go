package graph

// NodeKind is what a node of the code graph stands for.
type NodeKind uint8

// The kinds of nodes. Their order is part of the index format.
const (
	NodeFile NodeKind = iota
	NodeModule
	NodeType
	NodeFunction
	NodeMethod
	NodeVar
	NodeExternal // a package or symbol outside of the repository
)

var nodeKinds = [...]string{"file", "module", "type", "function", "method", "var", "external"}

// String is the kind's name in records and queries.
func (k NodeKind) String() string { return nodeKinds[min(int(k), len(nodeKinds)-1)] }

// EdgeKind is the relation between the two nodes of an edge.
type EdgeKind uint8

// The kinds of edges, from the first node to the second. Their order is part of
// the index format.
const (
	EdgeContains   EdgeKind = iota // file or type → what is defined in it
	EdgeImports                    // file → file, module or external
	EdgeCalls                      // function or method → function or method
	EdgeInherits                   // type → base type, interface or embedded type
	EdgeReferences                 // definition → type, function or var it mentions
	EdgeTests                      // test → what it tests
	EdgeCoChanges                  // file → file that often changes when it does
)

var edgeKinds = [...]string{"contains", "imports", "calls", "inherits", "references", "tests", "cochanges"}

// String is the kind's name in records and queries.
func (k EdgeKind) String() string { return edgeKinds[min(int(k), len(edgeKinds)-1)] }

// Confidence says how sure an edge is, in per cent; each value stands for one
// reason. For a co-change it is the share of the first file's commits that touched the other
// as well, rounded down to a tier.
type Confidence uint8

// The tiers of confidence.
const (
	Resolved   Confidence = 100 // the target is named by what the file declares or imports
	KnownType  Confidence = 90  // a method; the type of its receiver is known
	Dispatched Confidence = 60  // through an interface or trait: one of several targets
	Overloaded Confidence = 50  // one of several functions of a name that differ in what they take
	NameOnly   Confidence = 30  // nothing but the name matches
)

// Reason is the tier in words.
func (c Confidence) Reason() string {
	switch {
	case c >= Resolved:
		return "resolved"
	case c >= KnownType:
		return "known receiver type"
	case c >= Dispatched:
		return "through an interface"
	case c >= Overloaded:
		return "one of several overloads"
	}
	return "name match only"
}

// Reason says why an edge of that kind has that confidence.
func (k EdgeKind) Reason(c Confidence) string {
	switch {
	case k == EdgeCoChanges:
		return "changed in the same commits"
	case k == EdgeInherits && c < KnownType && c >= Dispatched:
		return "has its methods"
	}
	return c.Reason()
}

// Node is one node. Metrics are zero where they do not apply.
type Node struct {
	ID        int
	Kind      NodeKind
	Name      string // qualified within its file: "Server.Close"; a path for files; an import path for modules
	Path      string // of the file that defines it; empty for modules and external nodes
	Language  string
	Line      int // 1-based, 0 for files and modules
	EndLine   int
	Metrics   Metrics
	PageRank  float32
	Between   float32 // betweenness, 0 to 1
	Community int32   // of its file, −1 for none
	FanIn     int     // distinct callers; files that use a file; what uses a type or variable; importers of a module
	FanOut    int     // the same the other way
	Unknown   int     // calls out of it that could not be resolved
}

// Metrics measure one function or method.
type Metrics struct {
	Cyclomatic int // decisions + 1 (McCabe)
	Cognitive  int // cognitive complexity
	Nesting    int // deepest nesting of control flow
	Params     int
	Lines      int
}

// Edge is one edge, seen from one of its nodes.
type Edge struct {
	Kind       EdgeKind
	Other      int // node at the far end
	Confidence Confidence
}

// Store is a graph that can be walked both ways. Edges come sorted by kind,
// then by the other node.
type Store interface {
	NumNodes() int
	Node(id int) (Node, error)
	Out(id int) ([]Edge, error)
	In(id int) ([]Edge, error)
	// Named returns the nodes whose name, or last part of it, is name, in
	// ascending order.
	Named(name string) ([]int, error)
}
