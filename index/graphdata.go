package index

import (
	"context"
	"fmt"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/stream"
)

// The sections of the code graph. What they mean is the graph builder's matter
// (package graph documents them); the index stores them, sums them and gives
// them out within bounds. All are empty when the index has no graph.
const (
	GraphNodes   = "GNOD" // records of the nodes
	GraphStrings = "GSTR" // names
	GraphNames   = "GNAM" // nodes by name
	GraphOut     = "GOUT" // edges from each node
	GraphIn      = "GINC" // edges to each node
	GraphRanks   = "GRNK" // values computed over the whole graph
)

// graphTags lists the sections of the graph in the order of the file.
var graphTags = [...]string{GraphNodes, GraphStrings, GraphNames, GraphOut, GraphIn, GraphRanks}

// GraphFile is one file as a graph builder sees it.
type GraphFile struct {
	Path, Language string
	Role           stream.Role
	ent            *entry
}

// Load decodes what the index keeps of the file's content. It may be called
// from many goroutines. It gives nothing for a file whose content is not used.
func (f *GraphFile) Load() (chunks []chunk.Chunk, imports []chunk.ImportRef, facts []byte, err error) {
	if f.ent == nil {
		return nil, nil, nil, nil
	}
	blob, _, err := f.ent.load()
	if err != nil {
		return nil, nil, nil, err
	}
	chunks, ok1 := decodeChunks(blob)
	imports, ok2 := decodeImports(blob)
	facts, ok3 := factsOf(blob)
	if !ok1 || !ok2 || !ok3 {
		return nil, nil, nil, f.ent.corrupt("chunks of " + f.Path)
	}
	return chunks, imports, facts, nil
}

// Imports decodes only what the file imports.
func (f *GraphFile) Imports() ([]chunk.ImportRef, error) {
	if f.ent == nil {
		return nil, nil
	}
	return f.ent.imports()
}

// GraphInput is what a graph builder may use. It must depend on nothing else,
// so the same tree gives the same index.
type GraphInput struct {
	Files   []GraphFile // sorted by path; the position is the file's number
	History []Commit    // newest first
	Links   Links       // what Input.Links gave
	Read    func(path string) ([]byte, error)
	Workers int // 0 is GOMAXPROCS; the result does not depend on it
	// Base is what a builder may take over from the index that is brought up to
	// date, nil for none. The result must not depend on it.
	Base *GraphBase
}

// GraphSections are the coded sections, by tag. Others than the graph's own
// are an error.
type GraphSections map[string][]byte

// GraphBuilder makes the code graph of a tree. Its error ends the update.
type GraphBuilder func(context.Context, GraphInput) (GraphSections, error)

// graph builds the graph of the new index.
func (a *assembly) graph(ctx context.Context, in *Input, links Links, p *plan) error {
	if in.Graph == nil {
		return nil
	}
	gi := GraphInput{Files: make([]GraphFile, len(a.docs)), History: in.History, Links: links, Workers: in.Workers,
		Read: func(path string) ([]byte, error) { return in.Source.ReadFile(path, nil) }}
	for i := range a.docs {
		d := &a.docs[i]
		gi.Files[i] = GraphFile{d.file.Path, d.file.Language, d.file.Role, d.ent}
	}
	var err error
	if gi.Base, err = p.graphBase(in.GraphVersion); err != nil {
		return err
	}
	sections, err := in.Graph(ctx, gi)
	if err != nil {
		return err
	}
	used := 0
	for i, tag := range graphTags {
		if b, ok := sections[tag]; ok {
			a.graphs[i] = b
			used++
		}
	}
	if used != len(sections) {
		return fmt.Errorf("index: the graph builder made sections that are not the graph's")
	}
	a.head.grapher = in.GraphVersion
	return nil
}

// A Part is a section whose meaning another package knows.
type Part struct{ s *section }

// Graph returns a section of the code graph. It is empty when the index has
// none; ok is false for a tag that is not one of the graph's.
func (x *Index) Graph(tag string) (p Part, ok bool) {
	for i, t := range graphTags {
		if t == tag {
			return Part{x.graphs[i]}, true
		}
	}
	return p, false
}

// GraphVersion is the version of the builder of the graph, 0 when there is none.
func (x *Index) GraphVersion() uint32 { return x.head.grapher }

// Len is the length in bytes.
func (p Part) Len() uint64 {
	if p.s == nil {
		return 0
	}
	return p.s.len()
}

// Span returns n bytes at off, checked against their checksums. They point
// into the mapping: they must not be changed, nor used after [Index.Close].
func (p Part) Span(off, n uint64) ([]byte, error) {
	if p.s == nil {
		return nil, fmt.Errorf("index: no such section")
	}
	return p.s.span(off, n)
}

// Corrupt is the error for bytes of the part that make no sense.
func (p Part) Corrupt(format string, args ...any) error {
	if p.s == nil {
		return fmt.Errorf("index: "+format, args...)
	}
	return p.s.corrupt(format, args...)
}
