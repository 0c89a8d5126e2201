package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sort"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/stream"
)

// Reader reads the files of the tree that is indexed.
type Reader interface {
	// ReadFile appends the content of a file to buf[:0]. It is called from
	// many goroutines at a time.
	ReadFile(path string, buf []byte) ([]byte, error)
}

// Input is the state of a tree that an index is to show. The index is a
// function of Files, the contents, History, Head, Links and Graph alone.
type Input struct {
	Files  []stream.File // a scan's: sorted by path bytes, each path once, Sha256 set where the content is used
	Source Reader

	History []Commit // newest first
	Head    string   // commit that History ends at, at most 64 bytes; empty when there is none

	Links        Linker // nil when import edges and PageRank are not wanted
	LinksVersion uint32 // changes when Links may give other results for the same input

	Graph        GraphBuilder // nil when the code graph is not wanted
	GraphVersion uint32       // changes when Graph may give other results for the same input

	// Seed names other index files to take entries from, such as those of
	// other commits of the same repository, the most similar first: when there is
	// no index yet, the postings of the first readable one are used too. One that
	// cannot be read is ignored.
	Seed []string
	// Force builds from scratch: nothing is taken over from anywhere.
	Force bool

	Workers  int                   // 0 is GOMAXPROCS
	Progress func(done, total int) // called with the number of files read; from many goroutines
}

// key says which files share an entry. The extension is part of it because it
// decides between dialects of a language.
type key struct {
	sha       [32]byte
	lang, ext string
}

// dialectPath is the path that a file is parsed under: as much of its own as
// its key holds.
func (k key) dialectPath() string { return "file" + k.ext }

func extension(p string) string {
	const longest = 16
	ext := path.Ext(p)
	if len(ext) > longest {
		return ""
	}
	return ext
}

// doc is one file of the index that is being made.
type doc struct {
	file  stream.File
	sha   [32]byte
	old   int    // the same file in the base, whose postings hold; -1 when there is none
	ent   *entry // nil when the content is not used
	lens  [3]uint32
	count counted // postings, when old is -1
}

func (d *doc) key() key { return key{d.sha, d.file.Language, extension(d.file.Path)} }

// entry is an entry on its way into an index: from another one, or new.
type entry struct {
	id          int32 // in the new index, -1 until known
	raw         uint32
	blob, block []byte // coded chunks, packed content
	from        *Index // where they come from when blob is nil
	row         entryRow
}

// load returns the coded chunks and the packed content.
func (e *entry) load() (blob, block []byte, err error) {
	if e.from == nil {
		return e.blob, e.block, nil
	}
	if blob, err = e.from.chunks.span(e.row.chunkOff, uint64(e.row.chunkLen)); err != nil {
		return nil, nil, err
	}
	block, err = e.from.content.span(e.row.contentOff, uint64(e.row.packed))
	return blob, block, err
}

func (e *entry) imports() ([]chunk.ImportRef, error) {
	blob, _, err := e.load()
	if err != nil {
		return nil, err
	}
	imports, ok := decodeImports(blob)
	if !ok {
		return nil, e.corrupt("imports of an entry")
	}
	return imports, nil
}

func (e *entry) chunks() ([]chunk.Chunk, error) {
	blob, _, err := e.load()
	if err != nil {
		return nil, err
	}
	chunks, ok := decodeChunks(blob)
	if !ok {
		return nil, e.corrupt("chunks of an entry")
	}
	return chunks, nil
}

// declared is [LinkFile.Declared]. A damaged entry declares nothing; whoever reads
// its chunks reports it.
func (e *entry) declared() (pkg string, names []string) {
	blob, _, err := e.load()
	if err != nil {
		return "", nil
	}
	chunks, ok := decodeChunks(blob)
	coded, known := factsOf(blob)
	if !ok || !known {
		return "", nil
	}
	return chunk.DecodePackage(coded), TopNames(chunks)
}

// TopNames are the names that chunks define at the top level, in order.
func TopNames(chunks []chunk.Chunk) (names []string) {
	for i := range chunks {
		if k := &chunks[i]; k.Scope == "" && k.Kind != chunk.Import {
			names = append(names, k.Name)
		}
	}
	return names
}

// corrupt blames the index that the entry was taken from.
func (e *entry) corrupt(what string) error {
	if e.from != nil {
		return e.from.chunks.corrupt("%s", what)
	}
	return errors.New("index: " + what + " cannot be read")
}

// newDocs checks the files and makes their docs.
func newDocs(files []stream.File) ([]doc, error) {
	docs := make([]doc, len(files))
	for i, f := range files {
		if err := stream.CheckPath(f.Path); err != nil {
			return nil, fmt.Errorf("index: %w", err)
		}
		if f.Size < 0 {
			return nil, fmt.Errorf("index: %q: size %d", f.Path, f.Size)
		}
		docs[i] = doc{file: f, old: -1}
		if f.Sha256 == "" {
			continue
		}
		if n, err := hex.Decode(docs[i].sha[:], []byte(f.Sha256)); err != nil || n != 32 || len(f.Sha256) != 64 {
			return nil, fmt.Errorf("index: %q: Sha256 %q is not 64 hex digits", f.Path, f.Sha256)
		}
	}
	less := func(i, j int) bool { return docs[i].file.Path < docs[j].file.Path }
	if !sort.SliceIsSorted(docs, less) {
		sort.Slice(docs, less)
	}
	for i := 1; i < len(docs); i++ {
		if docs[i].file.Path == docs[i-1].file.Path {
			return nil, fmt.Errorf("index: %q is listed twice", docs[i].file.Path)
		}
	}
	return docs, nil
}

// read reads the content of d and takes its size and identity from it. A file
// that cannot be read any more becomes one whose content is not used; only
// the end of the context is an error.
func (d *doc) read(ctx context.Context, source Reader, buf []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	text, err := source.ReadFile(d.file.Path, buf)
	switch {
	case err == nil && len(text) < maxContent:
		d.file.Size, d.sha = int64(len(text)), sha256.Sum256(text)
		return text, nil
	case err == nil:
		d.file.Skipped = stream.SkipLarge
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, fs.ErrNotExist):
		d.file.Skipped = stream.SkipMissing
	default:
		d.file.Skipped = stream.SkipUnreadable
	}
	d.sha = [32]byte{}
	return buf[:0], nil
}
