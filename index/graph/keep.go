package graph

import (
	"bytes"
	"context"

	"github.com/topo-dev/topo/chunk"
)

// Resolving what every file calls and mentions is half of the work of a build.
// When an index is updated, the edges of unchanged files are taken from the
// previous graph, unless a declaration that they name has changed. Everything
// else is built as always: only [builder.walk] is skipped.
//
// What makes this exact: the resolution of a chain in a file depends on the
// file's own facts, on its imports, which lead where they led as long as the
// files, their manifests and, beyond Go, all imports are the same, and on
// declarations that are looked up by a name. That name is in the file, or in
// a declaration that was found by a name before. So with the names of all
// declarations that changed, and of those that mention such a name, and so on
// (see changedNames), a file whose facts mention none of them resolves as it did.

// reused holds the edges of the previous graph that are still valid.
type reused struct {
	edges [][]edge // calls, references and tests of each file, nil for a file to be walked
}

// canReuse tells whether the file needs no walk.
func (k *reused) canReuse(f *source) bool {
	return k != nil && f.reused
}

// reuseEdges finds the files that need no walk, and decodes the rest of the facts
// of those that do.
func (b *builder) reuseEdges(ctx context.Context) error {
	base := b.in.Base
	if base == nil {
		return nil
	}
	walk, err := b.filesToWalk(ctx)
	if err != nil {
		return err
	}
	if walk != nil {
		if b.reused, err = b.oldEdges(ctx, walk); err != nil {
			return err
		}
	}
	return b.parallel(ctx, len(b.files), func(i int, _ *worker) error {
		f := &b.files[i]
		if f.rules == nil || !base.Same[i] {
			return nil
		}
		if f.reused = walk != nil && !walk[i]; f.reused {
			return nil
		}
		_, _, facts, err := f.Load()
		if err != nil || len(facts) == 0 {
			return err
		}
		if f.facts, err = chunk.DecodeFacts(facts); err == nil && !f.facts.Within(len(f.chunks)) {
			f.facts = chunk.Facts{}
		}
		return err
	})
}

// filesToWalk tells which files are to be walked; nil for all.
func (b *builder) filesToWalk(ctx context.Context) ([]bool, error) {
	base := b.in.Base
	walk := make([]bool, len(b.files))
	n := changedNames{b: b, seen: map[string]bool{}, allMembers: map[string]bool{}}
	for p := range b.read {
		if i, ok := b.tree.number[p]; !ok || !base.Same[i] {
			return nil, nil // a manifest may have changed, or one that the index does not list
		}
	}
	for i := range b.files {
		if base.Same[i] {
			continue
		}
		walk[i] = true
		old, err := b.oldSource(i)
		if err != nil {
			return nil, err
		}
		if n.compare(uint32(i), old, &b.files[i]); n.all {
			return nil, nil
		}
	}
	for at := 0; at < len(n.list); at++ {
		if err := n.markFiles(ctx, n.list[at], walk); err != nil || n.all {
			return nil, err
		}
	}
	return walk, nil
}

// oldSource is file i as the base knows it.
func (b *builder) oldSource(i int) (*source, error) {
	f := &source{GraphFile: b.files[i].GraphFile, rules: b.files[i].rules}
	chunks, imports, facts, err := b.in.Base.Load(i)
	if err != nil {
		return nil, err
	}
	f.chunks, f.imports = chunks, imports
	if f.rules == nil || len(facts) == 0 {
		return f, nil
	}
	if f.facts, err = chunk.DecodeDeclarations(facts); err == nil && !f.facts.Within(len(chunks)) {
		f.facts = chunk.Facts{}
	}
	return f, err
}

// markFiles marks the files that hold a name, and adds the declarations that
// mention it.
func (n *changedNames) markFiles(ctx context.Context, name string, walk []bool) error {
	text := []byte(name[1:]) // TestFoo tests foo as well as Foo
	found := make([]bool, len(walk))
	err := n.b.parallel(ctx, len(walk), func(i int, _ *worker) error {
		coded, err := n.b.in.Files[i].Coded()
		found[i] = bytes.Contains(coded, text)
		return err
	})
	for i, ok := range found {
		if ok {
			walk[i] = true
			n.addMentioning(&n.b.files[i], name)
		}
	}
	return err
}

// oldEdges takes the edges of the files that need no walk from the base.
func (b *builder) oldEdges(ctx context.Context, walk []bool) (*reused, error) {
	old, err := Open(b.in.Base.Index)
	if err != nil {
		return nil, err
	}
	first, to, err := b.renumber()
	if err != nil {
		return nil, err
	}
	if len(to) > old.NumNodes() {
		return nil, old.nodes.Corrupt("%d nodes where %d should be at the least", old.NumNodes(), len(to))
	}
	k := &reused{edges: make([][]edge, len(b.files))}
	err = b.parallel(ctx, len(b.files), func(i int, _ *worker) (err error) {
		if f := &b.files[i]; !walk[i] && f.rules != nil {
			var ok bool
			k.edges[i], ok, err = b.oldFile(old, f, first[i], to)
			walk[i] = !ok
		}
		return err
	})
	return k, err
}

// oldFile takes over the edges and the unknown calls of a file whose nodes
// start at first in the base; ok is false when one leads to what is gone.
func (b *builder) oldFile(old *Graph, f *source, first uint32, to []uint32) (edges []edge, ok bool, err error) {
	n := uint32(1)
	for _, id := range f.nodeOf {
		if id != none {
			n++
		}
	}
	var row []Edge
	for d := range n {
		rec, err := old.record(int(first + d))
		if err != nil {
			return nil, false, err
		}
		b.nodes[f.node+d].unknown = int32(le.Uint16(rec[26:]))
		if row, err = old.appendRow(old.out, int(first+d), row[:0]); err != nil {
			return nil, false, err
		}
		for _, e := range row {
			if e.Kind != EdgeCalls && e.Kind != EdgeReferences && e.Kind != EdgeTests {
				continue
			}
			if e.Other >= len(to) || to[e.Other] == none {
				b.forget(f, n)
				return nil, false, nil
			}
			edges = append(edges, edge{f.node + d, to[e.Other], e.Kind, tierOf(e.Confidence)})
		}
	}
	return edges, true, nil
}

// forget undoes what oldFile recorded for the n nodes of a file.
func (b *builder) forget(f *source, n uint32) {
	for d := range n {
		b.nodes[f.node+d].unknown = 0
	}
}

func tierOf(c Confidence) uint8 {
	for i, t := range tiers {
		if t == c {
			return uint8(i)
		}
	}
	return tierName
}

// renumber gives the old number of the first node of each file, and the new
// number of each old node of a file, none for a definition that is gone.
func (b *builder) renumber() (first, to []uint32, err error) {
	first = make([]uint32, len(b.files))
	for i := range b.files {
		f := &b.files[i]
		first[i] = uint32(len(to))
		to = append(to, f.node)
		if f.rules == nil {
			continue
		}
		if b.in.Base.Same[i] {
			for _, id := range f.nodeOf {
				if id != none {
					to = append(to, id)
				}
			}
			continue
		}
		old, err := b.oldSource(i)
		if err != nil {
			return nil, nil, err
		}
		to = append(to, sameNodes(old, f)...)
	}
	return first, to, nil
}

// sameNodes are the nodes of f that the definitions of old have become: the
// n-th of a kind, scope and name that of old.
func sameNodes(old, f *source) (to []uint32) {
	type place struct {
		kind        NodeKind
		scope, name string
		n           int
	}
	now, count := map[place]uint32{}, map[place]int{}
	at := func(k *chunk.Chunk) (place, bool) {
		kind, ok := nodeKind(k.Kind)
		p := place{kind, k.Scope, k.Name, 0}
		if ok {
			n := count[p]
			count[p] = n + 1
			p.n = n
		}
		return p, ok
	}
	for c := range f.chunks {
		if p, ok := at(&f.chunks[c]); ok {
			now[p] = f.nodeOf[c]
		}
	}
	clear(count)
	for c := range old.chunks {
		if p, ok := at(&old.chunks[c]); ok {
			id, ok := now[p]
			if !ok {
				id = none
			}
			to = append(to, id)
		}
	}
	return to
}
