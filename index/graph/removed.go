package graph

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// RemovedUse is code in one node that names a definition which the graph does not
// hold.
type RemovedUse struct {
	From       int        // the node that names it
	Confidence Confidence // that the definition is meant
	Sites
}

// maxRemovedUses bounds the users of one removed method: more than that call
// something of a common name.
const maxRemovedUses = 20

// UsesOfRemoved finds the code that still uses definitions that were taken out of
// the place where they were, such as what a diff removed: no edge leads to them
// any more. A definition is given by kind, name, language and the path that it had.
// Its users are the calls of its name, and other uses of what is no method. A node with a sure edge to something else of the name is no
// user. The uses are sorted by path and line, with up to most lines each, all for
// 0.
func (g *Graph) UsesOfRemoved(ctx context.Context, of []Node, most int) ([]RemovedUse, error) {
	all := &removedFinder{g: g, found: map[int][]spot{}, sure: map[int]Confidence{}}
	for i := range of {
		one := &removedFinder{g: g, of: &of[i], name: LastPart(of[i].Kind, of[i].Name), found: map[int][]spot{}, sure: map[int]Confidence{}}
		if err := one.find(ctx); err != nil {
			return nil, err
		}
		if of[i].Kind == NodeMethod && len(one.found) > maxRemovedUses {
			continue
		}
		for from, list := range one.found {
			all.found[from] = append(all.found[from], list...)
			all.sure[from] = max(all.sure[from], one.sure[from])
		}
	}
	sites, err := g.unresolvedSites(all.found, most)
	uses := make([]RemovedUse, len(sites))
	for i, s := range sites {
		uses[i] = RemovedUse{s.From, all.sure[s.From], s.Sites}
	}
	return uses, err
}

// removedFinder finds the users of one removed definition.
type removedFinder struct {
	g     *Graph
	of    *Node
	name  string
	found map[int][]spot
	sure  map[int]Confidence
}

func (r *removedFinder) find(ctx context.Context) error {
	rules := rulesOf(r.of.Language)
	if rules == nil {
		return nil
	}
	files, err := r.g.filesWith(r.name)
	if err != nil || len(files) > maxUnresolvedFiles {
		return err
	}
	for i, file := range files {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		f, err := r.g.x.File(file)
		if err != nil {
			return err
		}
		if other := rulesOf(f.Language); other == nil || other.family != rules.family {
			continue
		}
		if err := r.file(file, f.Path); err != nil {
			return err
		}
	}
	return nil
}

// file looks for users in one file.
func (r *removedFinder) file(file int, at string) error {
	reader, err := r.g.siteReader(EdgeCalls, file)
	if err != nil || reader.rules == nil {
		return err
	}
	coded, err := r.g.x.Facts(file)
	if err != nil {
		return err
	}
	if reader.facts, err = chunk.DecodeFacts(coded); err != nil {
		return nil // as Build takes them
	}
	in := &removedInFile{removedFinder: r, r: reader, w: reader.nameOf(r.of), outside: unresolvedInFile{unresolvedFinder: &unresolvedFinder{g: r.g}, file: file}}
	in.home = at == r.of.Path || reader.rules == goRules && path.Dir(at) == path.Dir(r.of.Path)
	if in.node, in.nodes, err = r.g.chunkNodes(file); err != nil {
		return err
	}
	for i := range reader.facts.Calls {
		if c := &reader.facts.Calls[i]; err == nil {
			err = in.add(c.Chunk, c.Line, in.named(c.Chunk, c.Chain))
		}
	}
	for i := range reader.facts.Refs {
		if c := &reader.facts.Refs[i]; err == nil && r.of.Kind != NodeMethod {
			err = in.add(c.Chunk, c.Line, in.named(c.Chunk, c.Chain))
		}
	}
	for i := range reader.facts.Binds {
		if b := &reader.facts.Binds[i]; err == nil && lastName(b.Member) == r.name && in.w.from(b) {
			err = in.add(-1, b.Line, Resolved)
		}
	}
	return err
}

// removedInFile is the search in one file.
type removedInFile struct {
	*removedFinder
	r       *siteReader
	w       *calleeName
	node    int              // of the file
	nodes   []int            // of its chunks
	outside unresolvedInFile // knows what the file imports from outside
	home    bool             // it is the file where the definition was, or of the same Go package
}

// add adds a line of a chunk, unless its node has a sure edge to something of the
// name.
func (r *removedInFile) add(in, line int, c Confidence) error {
	if c == 0 {
		return nil
	}
	from := r.node
	if in >= 0 && in < len(r.nodes) {
		from = r.nodes[in]
	}
	edges, err := r.g.Out(from)
	if err != nil {
		return err
	}
	for _, e := range edges {
		if e.Kind == EdgeContains || e.Confidence <= NameOnly {
			continue
		}
		n, err := r.g.Node(e.Other)
		if err != nil {
			return err
		}
		if LastPart(n.Kind, n.Name) == r.name {
			return nil
		}
	}
	r.found[from] = append(r.found[from], spot{r.outside.file, line})
	r.sure[from] = max(r.sure[from], c)
	return nil
}

// named is how sure it is that a chain in a chunk names the definition; 0 when it
// does not.
func (r *removedInFile) named(in int, chain string) Confidence {
	named, fits := r.w.calledBy(chain)
	if !named {
		return 0
	}
	base := chain
	if i := strings.IndexAny(base, ".([{"); i >= 0 {
		base = base[:i]
	}
	bare, b := base == chain, r.bind(base)
	own := base == "self" || base == "this" || base == "cls"
	switch {
	case b != nil && r.w.from(b) && (!bare || lastName(b.Member) == r.name):
		return Resolved
	case b != nil && r.outside.imported(b.Path):
		return 0
	case r.of.Kind == NodeMethod && (own || bare):
		if r.home && (own || fits && !r.local(in, base)) {
			return KnownType
		}
		return 0
	case r.of.Kind == NodeMethod:
		return NameOnly
	case !fits || !bare || r.local(in, base):
		return 0
	case r.home:
		return Resolved
	case r.r.rules == goRules:
		return 0 // what is of no package of the repository
	}
	return NameOnly
}

// local reports whether a name is a parameter or variable of the function in a
// chunk.
func (r *removedInFile) local(in int, name string) bool {
	for i := range r.r.facts.Funcs {
		f := &r.r.facts.Funcs[i]
		if f.Chunk != in {
			continue
		}
		return f.Recv == name || slices.ContainsFunc(f.Params, func(p chunk.NameType) bool { return p.Name == name }) ||
			slices.ContainsFunc(f.Locals, func(l chunk.Local) bool { return l.Name == name })
	}
	return false
}

// bind is the import that a name stands for in the file.
func (r *removedInFile) bind(name string) *chunk.Bind {
	if b := r.r.binds[name]; b != nil {
		return b
	}
	for i := range r.r.facts.Binds { // a Go package bears the name of its folder, mostly
		if b := &r.r.facts.Binds[i]; b.Name == "" && lastOfImport(b.Path) == name {
			return b
		}
	}
	return nil
}
