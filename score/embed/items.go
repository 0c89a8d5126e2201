package embed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// signalFiles is how many files the semantic signal values.
const signalFiles = 1000

// Embedded reports whether a file gets a vector of its own: it has a content,
// written by people.
func Embedded(f *stream.File) bool {
	return f.Skipped == "" && f.Sha256 != "" && f.Role != stream.RoleGenerated && f.Role != stream.RoleOther
}

// FileItems are the points of files. The key is of path and content: it
// is known without reading the file; a file that changed without changing its
// document keeps its vector.
func FileItems(c score.Corpus, files []stream.File) ([]Item, error) {
	files = slices.DeleteFunc(slices.Clone(files), func(f stream.File) bool { return !Embedded(&f) })
	ids, err := c.Match(func(i int) string { return files[i].Path }, len(files))
	if err != nil {
		return nil, err
	}
	items := make([]Item, 0, len(files))
	for i, f := range files {
		if ids[i] < 0 {
			continue
		}
		items = append(items, Item{
			ID: f.Path, Key: keyOfParts(TypeFile, f.Path, f.Language, f.Sha256),
			Payload: Payload{Type: TypeFile, FilePath: f.Path, Language: f.Language},
			Text: func() (string, error) {
				chunks, content, err := read(c, int(ids[i]))
				return FileDocument(f.Path, f.Language, chunks, content), err
			},
		})
	}
	return items, nil
}

func read(c score.Corpus, id int) ([]chunk.Chunk, []byte, error) {
	chunks, err := c.Chunks(id)
	if err != nil {
		return nil, nil, err
	}
	content, err := c.Content(id, nil)
	return chunks, content, err
}

func keyOfParts(kind string, parts ...string) Key {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d", kind, documentVersion)
	for _, p := range parts {
		fmt.Fprintf(h, "\x00%d %s", len(p), p)
	}
	return Key(h.Sum(nil))
}

// Definition is one definition of a file, or a section of a document.
type Definition struct {
	stream.Chunk
	Path string
}

// ID names the definition among those of its workspace.
func (d *Definition) ID() string { return fmt.Sprintf("%s#%s@%d", d.Path, d.Name, d.StartLine) }

// DefinitionItems are the points of the definitions of files: functions,
// methods and types, or sections when kind is [TypeSection].
func DefinitionItems(c score.Corpus, files []stream.File, kind string) ([]Item, []Definition, error) {
	ids, err := c.Match(func(i int) string { return files[i].Path }, len(files))
	if err != nil {
		return nil, nil, err
	}
	var items []Item
	var defs []Definition
	seen := map[string]bool{}
	for i, f := range files {
		if ids[i] < 0 {
			continue
		}
		chunks, content, err := read(c, int(ids[i]))
		if err != nil {
			return nil, nil, err
		}
		if kind == TypeSection {
			if chunks = chunk.Parts(f.Language, f.Path, content, chunks); len(chunks) == 0 {
				chunks = chunk.Runs(f.Path, content)
			}
		}
		for _, ch := range chunks {
			if !searched(ch.Kind, kind) {
				continue
			}
			d := Definition{Path: f.Path, Chunk: outline(ch, content)}
			text := DefinitionDocument(f.Language, ch, content)
			p := Payload{Type: kind, FilePath: f.Path, Language: f.Language, Name: d.Name, Line: d.StartLine}
			if kind == TypeFunction {
				p.Parameters, p.ReturnType = Parts(d.Signature, ch.Name)
			}
			if seen[d.ID()] {
				continue // two on one line: minified code
			}
			seen[d.ID()] = true
			defs = append(defs, d)
			items = append(items, Item{ID: d.ID(), Key: keyOfParts(kind, text), Payload: p, Text: func() (string, error) { return text, nil }})
		}
	}
	return items, defs, nil
}

// outline is a definition as a record of the stream.
func outline(c chunk.Chunk, content []byte) stream.Chunk {
	start := c.StartLine
	if c.DocLine > 0 {
		start = min(start, c.DocLine)
	}
	return stream.Chunk{Kind: c.Kind.String(), Name: c.Qualified(), StartLine: start, EndLine: c.EndLine, Signature: score.Signature(c, content)}
}

func searched(k chunk.Kind, kind string) bool {
	if kind == TypeSection {
		return k == chunk.Section
	}
	return k == chunk.Function || k == chunk.Method || k == chunk.Type
}

// FileSignal is the similarity of each file's vector to the query's, the cosine
// where it is positive, for the most similar files. all are the files of the
// workspace; a ranking may request a part of them.
func (s *Space) FileSignal(c score.Corpus, all []stream.File) score.Extra {
	return score.Extra{Name: score.SignalSemantic, Values: func(ctx context.Context, q *score.Query, files []stream.File) ([]float64, error) {
		if err := s.Query(ctx, q.Text); err != nil {
			return nil, err
		}
		if _, err := s.SyncFiles(ctx, c, all); err != nil {
			return nil, err
		}
		found, err := s.Search(ctx, Scope{Collection: Files, Type: TypeFile}, signalFiles)
		if err != nil {
			return nil, err
		}
		like := make(map[string]float64, len(found))
		for _, m := range found {
			like[m.ID] = max(0, m.Score)
		}
		out := make([]float64, len(files))
		for i := range files {
			out[i] = like[files[i].Path]
		}
		return out, nil
	}}
}

// SyncFiles is [Space.Sync] of the files of the workspace.
func (s *Space) SyncFiles(ctx context.Context, c score.Corpus, all []stream.File) (Stats, error) {
	items, err := FileItems(c, all)
	if err != nil {
		return Stats{}, err
	}
	return s.Sync(ctx, Scope{Collection: Files, Type: TypeFile}, items)
}
