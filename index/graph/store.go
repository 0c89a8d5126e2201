package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/topo-dev/topo/index"
)

var le = binary.LittleEndian

// Sizes of records; doc.go gives their layout.
const (
	nodeHeader = 8
	nodeRecord = 44
	nameRecord = 8
	noFile     = 1<<32 - 1
)

// Graph is the graph of an index, read where it is mapped. It is safe for
// concurrent use as long as the index is open.
type Graph struct {
	x                                  *index.Index
	n, edges                           int
	nodes, strs, names, out, in, ranks index.Part
	numNames                           int
}

var _ Store = (*Graph)(nil)

// ErrNoGraph is the error of [Open] for an index without a code graph.
var ErrNoGraph = errors.New("graph: the index has no code graph; build it with: topo index --deep --force")

// ErrOtherVersion is the error of [Open] for a graph that another version of
// topo built; an update of the index rebuilds it.
var ErrOtherVersion = errors.New("graph: built by another version of topo; bring the index up to date with: topo index --deep")

// Open finds the graph of an index. It reads a few bytes; the rest is checked
// when it is first used.
func Open(x *index.Index) (*Graph, error) {
	g := &Graph{x: x}
	for _, p := range []struct {
		to  *index.Part
		tag string
	}{{&g.nodes, index.GraphNodes}, {&g.strs, index.GraphStrings}, {&g.names, index.GraphNames},
		{&g.out, index.GraphOut}, {&g.in, index.GraphIn}, {&g.ranks, index.GraphRanks}} {
		*p.to, _ = x.Graph(p.tag)
	}
	if g.nodes.Len() == 0 || x.GraphVersion() == 0 {
		return nil, ErrNoGraph
	}
	if v := x.GraphVersion(); v != BuildVersion {
		return nil, fmt.Errorf("%w: it is of version %d, this topo makes and reads %d", ErrOtherVersion, v, BuildVersion)
	}
	b, err := g.nodes.Span(0, nodeHeader)
	if err != nil {
		return nil, err
	}
	n := uint64(le.Uint32(b))
	if g.nodes.Len() != nodeHeader+n*nodeRecord {
		return nil, g.nodes.Corrupt("%d bytes long with %d nodes", g.nodes.Len(), n)
	}
	if least := 8*n + 4*uint64(x.NumFiles()); g.ranks.Len() < least || g.ranks.Len()%4 != 0 {
		return nil, g.ranks.Corrupt("%d bytes long with %d nodes", g.ranks.Len(), n)
	}
	g.n, g.edges = int(n), int(le.Uint32(b[4:]))
	if b, err = g.names.Span(0, 4); err != nil {
		return nil, err
	}
	g.numNames = int(le.Uint32(b))
	return g, nil
}

// NumNodes is the number of nodes; they are numbered from 0.
func (g *Graph) NumNodes() int { return g.n }

// NumEdges is the number of edges.
func (g *Graph) NumEdges() int { return g.edges }

// record returns the record of node id.
func (g *Graph) record(id int) ([]byte, error) {
	if id < 0 || id >= g.n {
		return nil, fmt.Errorf("graph: no node %d of %d", id, g.n)
	}
	return g.nodes.Span(nodeHeader+uint64(id)*nodeRecord, nodeRecord)
}

// str reads the string at an offset of GSTR.
func (g *Graph) str(off uint32) ([]byte, error) {
	b, err := g.strs.Span(uint64(off), min(5, g.strs.Len()-min(uint64(off), g.strs.Len())))
	if err != nil {
		return nil, err
	}
	n, k := binary.Uvarint(b)
	if k <= 0 {
		return nil, g.strs.Corrupt("no string at %d", off)
	}
	return g.strs.Span(uint64(off)+uint64(k), n)
}

// name is the qualified name in a record of anything but a file.
func (g *Graph) name(b []byte) (string, error) {
	name, err := g.str(le.Uint32(b[4:]))
	if err != nil {
		return "", err
	}
	scope, err := g.str(le.Uint32(b[8:]))
	if err != nil || len(scope) == 0 {
		return string(name), err
	}
	return string(scope) + "." + string(name), nil
}

// Node returns node id.
func (g *Graph) Node(id int) (Node, error) {
	b, err := g.record(id)
	if err != nil {
		return Node{}, err
	}
	n := Node{ID: id, Kind: NodeKind(b[40]), Line: int(le.Uint32(b[12:])), EndLine: int(le.Uint32(b[16:])),
		FanIn: int(le.Uint32(b[28:])), FanOut: int(le.Uint32(b[32:])), Unknown: int(le.Uint16(b[26:]))}
	n.Metrics = Metrics{Cyclomatic: int(le.Uint16(b[20:])), Cognitive: int(le.Uint16(b[22:])), Nesting: int(b[24]),
		Params: int(b[25]), Lines: int(le.Uint32(b[36:]))}
	if int(n.Kind) >= len(nodeKinds) {
		return Node{}, g.nodes.Corrupt("node %d is of kind %d", id, n.Kind)
	}
	if file := le.Uint32(b); file != noFile {
		f, err := g.x.File(int(file))
		if err != nil {
			return Node{}, err
		}
		n.Path, n.Language = f.Path, f.Language
	}
	if n.Kind == NodeFile {
		n.Name = n.Path
	} else if n.Name, err = g.name(b); err != nil {
		return Node{}, err
	}
	return n, g.figuresOf(&n, le.Uint32(b))
}

// Out returns the edges that start at node id.
func (g *Graph) Out(id int) ([]Edge, error) { return g.row(g.out, id) }

// In returns the edges that end at node id; Other is where each starts.
func (g *Graph) In(id int) ([]Edge, error) { return g.row(g.in, id) }

func (g *Graph) row(p index.Part, id int) ([]Edge, error) { return g.appendRow(p, id, nil) }

// appendRow appends the edges in row id of p to buf.
func (g *Graph) appendRow(p index.Part, id int, buf []Edge) ([]Edge, error) {
	if id < 0 || id >= g.n {
		return nil, fmt.Errorf("graph: no node %d of %d", id, g.n)
	}
	b, err := p.Span(4*uint64(id), 8)
	if err != nil {
		return nil, err
	}
	from, to := uint64(le.Uint32(b)), uint64(le.Uint32(b[4:]))
	if from > to {
		return nil, p.Corrupt("row %d ends before it starts", id)
	}
	b, err = p.Span(4*uint64(g.n+1)+from, to-from)
	if err != nil || len(b) == 0 {
		return buf, err
	}
	edges, ok := decodeRow(b, id, g.n, slices.Grow(buf, len(b)/2))
	if !ok {
		return nil, p.Corrupt("row %d makes no sense", id)
	}
	return edges, nil
}

// FileNode is the node of a file of the index: files come first, each followed
// by what is defined in it.
func (g *Graph) FileNode(file int) (int, error) {
	var err error
	at := sort.Search(g.n, func(i int) bool {
		b, e := g.record(i)
		if e != nil {
			err = e
			return true
		}
		return le.Uint32(b) >= uint32(file)
	})
	if err != nil {
		return 0, err
	}
	if b, err := g.record(at); err != nil || le.Uint32(b) != uint32(file) || file < 0 {
		return 0, fmt.Errorf("graph: no file %d", file)
	}
	return at, nil
}

// Named returns the nodes whose name, or last part of it ([LastPart]), is
// name, ascending.
func (g *Graph) Named(name string) ([]int, error) {
	var out []int
	keys := []string{LastPart(NodeFile, name), LastPart(NodeMethod, name), name}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		ids, err := g.named(key)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if key != name { // its last part is the key, its name may be another
				n, err := g.Node(id)
				if err != nil {
					return nil, err
				}
				if n.Name != name {
					continue
				}
			}
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// named returns the nodes whose last part is key.
func (g *Graph) named(key string) ([]int, error) {
	at, err := g.firstName(key)
	if err != nil || at == g.numNames {
		return nil, err
	}
	s, _, err := g.nameAt(at)
	if err != nil || string(s) != key {
		return nil, err
	}
	return g.nodesOfName(at)
}

// firstName is the place of the first name that is not before key.
func (g *Graph) firstName(key string) (at int, err error) {
	at = sort.Search(g.numNames, func(i int) bool {
		s, _, e := g.nameAt(i)
		if e != nil {
			err = e
			return true
		}
		return string(s) >= key
	})
	return at, err
}

// nodesOfName are the nodes of name at, ascending.
func (g *Graph) nodesOfName(at int) ([]int, error) {
	_, from, err := g.nameAt(at)
	if err != nil {
		return nil, err
	}
	b, err := g.names.Span(4+uint64(at+1)*nameRecord, 8)
	if err != nil {
		return nil, err
	}
	to := le.Uint32(b[4:])
	if from > to {
		return nil, g.names.Corrupt("name %d ends before it starts", at)
	}
	b, err = g.names.Span(4+uint64(g.numNames+1)*nameRecord+4*uint64(from), 4*uint64(to-from))
	if err != nil {
		return nil, err
	}
	ids := make([]int, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		id := int(le.Uint32(b))
		if id >= g.n {
			return nil, g.names.Corrupt("node %d of %d", id, g.n)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// nameAt is name i and where its nodes start.
func (g *Graph) nameAt(i int) (s []byte, from uint32, err error) {
	b, err := g.names.Span(4+uint64(i)*nameRecord, nameRecord)
	if err != nil {
		return nil, 0, err
	}
	s, err = g.str(le.Uint32(b))
	return s, le.Uint32(b[4:]), err
}
