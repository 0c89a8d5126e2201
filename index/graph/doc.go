// Package graph builds the graph of a repository and reads it back. Its first
// layer are the import edges from file to file and the PageRank over them
// ([Link]); its second the code graph of files, modules, types, functions and
// variables ([Build], [Open]).
//
// What always holds: an import edge is drawn only where the rules of the
// language lead from the import to a file of the tree. A standard library or
// third-party import has no such edge, even when some file has its name: Go's
// "time" is never someone's time.go; it is an external node of the code graph.
// Where several files could be meant and the rules do not decide, there is no
// edge. Every edge of the code graph says how sure it is ([Confidence]), and a
// call that leads nowhere known is counted, not guessed. The results depend on
// the input alone, not on maps' order or the number of cores. Bad manifests are
// ignored, never fatal.
//
// # The code graph in the index
//
// Numbers are little-endian: u8, u16, u32 of 1, 2 and 4 bytes, f32 an IEEE 754
// number of 4, uv an unsigned LEB128 number, str a uv length and so many bytes.
//
// Nodes are numbered from 0: for each file of the index in order, the file and
// then its types, functions, methods and variables in source order; then the
// modules in the order of their first file; then the external nodes by name.
//
// GNOD holds u32 number of nodes, u32 number of edges, and 44 bytes a node:
//
//	offset  size  meaning
//	0       4     u32 file; 2³²−1 for modules and external nodes
//	4       4     u32 offset of the bare name in GSTR; 0 for files
//	8       4     u32 offset of what holds it ("Server" of "Server.Close"), 0 for nothing
//	12      4     u32 first line
//	16      4     u32 last line
//	20      2     u16 cyclomatic complexity, at most 65535, as the next three are capped
//	22      2     u16 cognitive complexity
//	24      1     u8 deepest nesting
//	25      1     u8 parameters
//	26      2     u16 calls that could not be resolved
//	28      4     u32 fan-in: callers; of files other files that use them, of types and
//	              variables what uses them, of modules and external nodes importers
//	32      4     u32 fan-out
//	36      4     u32 lines of a function
//	40      1     kind, as NodeKind numbers them
//	41      3     zero
//
// GSTR holds strings, each a str; offset 0 is the empty one.
//
// GNAM holds u32 number of names, then for each name, sorted by its bytes, and
// once more after the last, u32 offset in GSTR and u32 position of its first
// node in the list that follows; that holds a u32 for each node, ascending for
// each name. The names are the last parts ([LastPart]).
//
// GOUT holds the edges that start at each node, GINC those that end there: u32
// offset for each node and one more for the end, counted from behind the last,
// then the rows. A row holds for each kind of edge it has, ascending:
//
//	size  meaning
//	1     kind, as EdgeKind numbers them
//	uv    number of edges
//	uv    for each: distance and tier, distance × 5 + tier
//
// The distance of the first edge is its other node less the row's own, zigzag
// coded; that of the others is to the one before, never 0. The tiers are 0
// resolved, 1 known type, 2 dispatched, 3 overloaded, 4 name only.
//
// GRNK holds what was computed over the whole graph:
//
//	size            meaning
//	4 × nodes       f32 PageRank over calls, references, imports and inheritance,
//	                weighed by confidence
//	4 × nodes       f32 betweenness over the same edges, those by name only left
//	                out; estimated where the graph is large
//	4 × files       u32 community of each file of the index, 2³²−1 for none
//	4 × the others  u32 offset in GSTR of the label of each community
package graph
