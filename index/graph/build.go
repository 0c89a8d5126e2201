package graph

import (
	"context"
	"io/fs"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
)

// BuildVersion changes whenever [Build] may give another graph than before for
// the same input. TestVersions refuses edges that change while it stays.
const BuildVersion = 14

// source is one file while the graph is built.
type source struct {
	*index.GraphFile
	chunks  []chunk.Chunk
	imports []chunk.ImportRef
	facts   chunk.Facts
	rules   *rules
	test    bool
	reused  bool // its calls, references and tests are those of the graph before

	node        uint32   // of the file; those of its definitions follow
	nodeOf      []uint32 // of each chunk, none when it is no node
	unit        int32
	binds       map[string]bind
	stars       []bind // imports that bind every name
	wholeExport string // the local name of what a JavaScript file exports as a whole
	edges       []edge
	outers      []string // imports that lead out of the repository, sorted
	csharp      csharpScope
	includes    []uint32 // files that a file of C names, in its order
	result      [][]typ  // of each function
	vars        []typ    // declared type of each variable, by facts.Vars
	params      [][]typ  // of each function, where overloads are chosen by them

	// result and vars until those of all files are known: the declarations of one
	// file must not depend on the progress of the others.
	made struct {
		result, params [][]typ
		vars           []typ
	}
}

// nodeInfo is one node while the graph is built.
type nodeInfo struct {
	file    uint32 // noFile for modules and external nodes
	chunk   int32  // −1 for files, modules and external nodes
	kind    NodeKind
	name    string // of modules and external nodes
	typ     int32  // of a type node: its number
	fact    int32  // of a function: index into Funcs; of a variable: into Vars; −1
	next    int32  // the next definition of the same name in its unit, −1
	unknown int32
}

// builder holds the graph that is being built.
type builder struct {
	in      index.GraphInput
	tree    *tree
	resolve map[string]func(uint32, string, *targets)
	group   func(uint32) int32 // the unit of a group of files, −1 for none
	files   []source
	nodes   []nodeInfo
	units   []unit
	spaces  map[string]int32 // units by their key, see spaceKey
	types   []typeInfo
	byName  map[string][]int32 // methods by their bare name
	first   uint32             // first node that is no file's
	modules map[int32]uint32   // of a unit
	outside map[string]uint32  // external nodes
	extra   []edge

	namespaces []namespace        // of C#
	extensions map[string][]int32 // functions that are called like members, by name

	externals externals
	asked     []signature     // by field.sign, counted from 1
	read      map[string]bool // manifests that were asked for, there or not
	reused    *reused         // what still holds of the graph before; nil for nothing
	names     chan *naming    // comes when it is ready
}

// Build makes the code graph of a tree. It has the type of [index.GraphBuilder].
func Build(ctx context.Context, in index.GraphInput) (index.GraphSections, error) {
	b, err := assemble(ctx, in)
	if err != nil {
		return nil, err
	}
	return b.sections(ctx)
}

// assemble makes nodes and edges.
func assemble(ctx context.Context, in index.GraphInput) (*builder, error) {
	b := &builder{in: in, modules: map[int32]uint32{}, outside: map[string]uint32{}, read: map[string]bool{}}
	if err := b.load(ctx); err != nil {
		return nil, err
	}
	b.number()
	b.link()
	b.external()
	b.names = make(chan *naming, 1)
	go func() { b.names <- b.nameNodes() }()
	if err := b.reuseEdges(ctx); err != nil {
		return nil, err
	}
	if err := b.eachFile(ctx, b.signatures); err != nil {
		return nil, err
	}
	b.publish()
	b.members()
	if err := b.dispatch(ctx); err != nil {
		return nil, err
	}
	if err := b.eachFile(ctx, b.walk); err != nil {
		return nil, err
	}
	b.extra = append(b.extra, b.cochanges()...)
	return b, nil
}

// eachFile calls fn for every file, from several goroutines. What fn does to other
// files than its own must not depend on the order.
func (b *builder) eachFile(ctx context.Context, fn func(f *source, w *worker)) error {
	return b.parallel(ctx, len(b.files), func(i int, w *worker) error {
		fn(&b.files[i], w)
		return nil
	})
}

func (b *builder) parallel(ctx context.Context, n int, fn func(i int, w *worker) error) error {
	workers := b.in.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	eg, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range max(1, min(workers, n)) {
		eg.Go(func() error {
			w := &worker{b: b}
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if i%64 == 0 && ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if err := fn(i, w); err != nil {
					return err
				}
			}
		})
	}
	return eg.Wait()
}

// load decodes what the index keeps of every file.
func (b *builder) load(ctx context.Context) error {
	b.files = make([]source, len(b.in.Files))
	err := b.parallel(ctx, len(b.files), func(i int, _ *worker) error {
		f := &b.files[i]
		f.GraphFile = &b.in.Files[i]
		f.test = f.Role == "test"
		f.rules = rulesOf(f.Language)
		if f.rules == nil { // its definitions are no nodes
			var err error
			f.imports, err = f.Imports()
			return err
		}
		chunks, imports, facts, err := f.Load()
		if err != nil {
			return err
		}
		f.chunks, f.imports = chunks, imports
		if len(facts) == 0 {
			return nil
		}
		decode := chunk.DecodeFacts
		if base := b.in.Base; base != nil && base.Same[i] {
			decode = chunk.DecodeDeclarations // of a file that is walked, reuseEdges reads the rest
		}
		f.facts, err = decode(facts)
		if err == nil && !f.facts.Within(len(chunks)) {
			f.facts = chunk.Facts{}
		}
		return err
	})
	if err != nil {
		return err
	}
	li := index.LinkInput{Files: make([]index.LinkFile, len(b.files)), Read: b.readManifest}
	for i := range b.files {
		f := &b.files[i]
		li.Files[i] = index.LinkFile{Path: f.Path, Language: f.Language, Imports: f.imports,
			Types:    func() []string { return index.TypesOf(f.chunks) },
			Declared: func() (string, []string) { return f.facts.Package, index.TopNames(f.chunks) }}
	}
	b.tree = newTree(li)
	b.resolve = b.tree.resolvers()
	return nil
}

// readManifest reads for the resolvers, and remembers what they asked for.
func (b *builder) readManifest(path string) ([]byte, error) {
	b.read[path] = true
	if b.in.Read == nil {
		return nil, fs.ErrNotExist
	}
	return b.in.Read(path)
}

// nodeKind is the kind of node that a chunk is.
func nodeKind(k chunk.Kind) (NodeKind, bool) {
	switch k {
	case chunk.Function:
		return NodeFunction, true
	case chunk.Method:
		return NodeMethod, true
	case chunk.Type:
		return NodeType, true
	case chunk.Var, chunk.Const:
		return NodeVar, true
	}
	return 0, false
}

// number makes the nodes of files and definitions, and the units.
func (b *builder) number() {
	total := 0
	for i := range b.files {
		total += 1 + len(b.files[i].chunks)
	}
	b.nodes = make([]nodeInfo, 0, total)
	for i := range b.files {
		f := &b.files[i]
		f.node = uint32(len(b.nodes))
		b.nodes = append(b.nodes, nodeInfo{file: uint32(i), chunk: -1, kind: NodeFile, typ: -1, fact: -1, next: -1})
		if f.rules == nil {
			continue
		}
		f.nodeOf = make([]uint32, len(f.chunks))
		for c := range f.chunks {
			kind, ok := nodeKind(f.chunks[c].Kind)
			if f.nodeOf[c] = none; !ok {
				continue
			}
			f.nodeOf[c] = uint32(len(b.nodes))
			b.nodes = append(b.nodes, nodeInfo{file: uint32(i), chunk: int32(c), kind: kind, typ: -1, fact: -1, next: -1})
		}
		b.attachFacts(f)
	}
	b.first = uint32(len(b.nodes))
	b.makeUnits()
	b.makeNamespaces()
}

// attachFacts sets the facts of the nodes of a file.
func (b *builder) attachFacts(f *source) {
	for i := range f.facts.Funcs {
		if n := f.nodeOf[f.facts.Funcs[i].Chunk]; n != none {
			b.nodes[n].fact = int32(i)
			if f.facts.Funcs[i].Form == chunk.FormExtension {
				b.addExtension(f.chunks[f.facts.Funcs[i].Chunk].Name, int32(n))
			}
		}
	}
	for i := range f.facts.Vars {
		if n := f.nodeOf[f.facts.Vars[i].Chunk]; n != none && b.nodes[n].kind == NodeVar {
			b.nodes[n].fact = int32(i)
		}
	}
}

func (b *builder) addExtension(name string, n int32) {
	if b.extensions == nil {
		b.extensions = map[string][]int32{}
	}
	b.extensions[name] = append(b.extensions[name], n)
}

// caller is the node that a call or reference in a chunk belongs to: the
// innermost definition, the file for none.
func (f *source) caller(c int) uint32 {
	if c >= 0 && c < len(f.nodeOf) && f.nodeOf[c] != none {
		return f.nodeOf[c]
	}
	return f.node
}

// sortedKeys are the keys of m, sorted.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
