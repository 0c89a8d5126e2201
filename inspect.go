package topo

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// IndexInfo says what an index holds.
//
//	{"Record":"index","Index":".topo-cache/d3.deep.idx","Bytes":43,"Files":8019,"Terms":9,"Commits":1,"TotalLen":{"Filename":1,"Symbols":2,"Body":3},"Sections":[]}
type IndexInfo struct {
	Index    string // path of the index file
	Bytes    int64
	Files    int
	Terms    int
	Commits  int
	Head     string `json:",omitempty"` // commit that the history ends at
	TotalLen FieldLengths
	Sections []SectionInfo
}

// SectionInfo is one section of an index file.
type SectionInfo struct {
	Tag      string
	Offset   int64
	Bytes    int64  // in the file
	RawBytes int64  // of what it stands for, uncompressed
	Checksum string // 16 hex digits
}

// FieldLengths is a number of terms by field.
type FieldLengths struct{ Filename, Symbols, Body uint64 }

// FileInfo is what the index knows of one file.
type FileInfo struct {
	ID           int
	Path         string
	Language     string
	Role         stream.Role
	Size         int64
	Sha256       string `json:",omitempty"`
	Skipped      string `json:",omitempty"`
	Terms        FieldLengths
	Parser       string `json:",omitempty"`
	SyntaxErrors bool   `json:",omitempty"`
	PageRank     float64
	Commits      int
	Imports      []ImportInfo   `json:",omitempty"`
	ImportsFiles []string       `json:",omitempty"` // files of the tree it imports
	ImportedBy   []string       `json:",omitempty"`
	Chunks       []stream.Chunk `json:",omitempty"`
}

// ImportInfo is one import of a file.
type ImportInfo struct {
	Path string
	Line int
}

// Inspect says what the deep index holds.
func (r *Repo) Inspect() (*IndexInfo, error) { return InspectIndex(r.place().Deep()) }

// InspectIndex says what the index in a file holds.
func InspectIndex(name string) (*IndexInfo, error) {
	x, err := openIndexFile(name)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	info, err := os.Stat(name)
	if err != nil {
		return nil, fault.Of(fault.Environment, err)
	}
	n := x.TotalLen()
	out := &IndexInfo{Index: x.Path(), Bytes: info.Size(), Files: x.NumFiles(), Terms: x.NumTerms(),
		Commits: x.NumCommits(), Head: x.Head(), TotalLen: FieldLengths{n[0], n[1], n[2]}}
	for _, s := range x.Sections() {
		out.Sections = append(out.Sections, SectionInfo{s.Tag, s.Offset, s.Length, s.Raw, fmt.Sprintf("%016x", s.Checksum)})
	}
	return out, nil
}

func openIndexFile(name string) (*index.Index, error) {
	x, err := index.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Usagef("index: none at %s; build it with: topo index --deep", name)
	}
	return x, fault.Of(fault.Environment, err)
}

// InspectFile says what the deep index knows of the file with that path, relative
// to the root.
func (r *Repo) InspectFile(path string) (*FileInfo, error) {
	x, err := openIndexFile(r.place().Deep())
	if err != nil {
		return nil, err
	}
	defer x.Close()
	id, ok := x.Lookup(strings.TrimPrefix(path, "./"))
	if !ok {
		if err := x.Err(); err != nil {
			return nil, fault.Of(fault.Environment, err)
		}
		return nil, fault.Usagef("%s: not in the index %s; give a path relative to the root, as topo scan lists it", path, x.Path())
	}
	out, err := fileInfo(x, id)
	return out, fault.Of(fault.Environment, err)
}

func fileInfo(x *index.Index, id int) (*FileInfo, error) {
	f, err := x.File(id)
	if err != nil {
		return nil, err
	}
	out := &FileInfo{ID: id, Path: f.Path, Language: f.Language, Role: f.Role, Size: f.Size, Skipped: f.Skipped,
		Terms:    FieldLengths{uint64(f.Len[0]), uint64(f.Len[1]), uint64(f.Len[2])},
		PageRank: float64(x.PageRank(id))}
	if f.Skipped == "" {
		out.Sha256 = hex.EncodeToString(f.Sha256[:])
	}
	if out.Parser, out.SyntaxErrors, err = x.Parser(id); err != nil {
		return nil, err
	}
	commits, err := x.FileCommits(id, nil)
	if err != nil {
		return nil, err
	}
	out.Commits = len(commits)
	imports, err := x.Imports(id)
	if err != nil {
		return nil, err
	}
	for _, m := range imports {
		out.Imports = append(out.Imports, ImportInfo{m.Path, m.Line})
	}
	if out.ImportsFiles, err = pathsOf(x, x.Imported, id); err != nil {
		return nil, err
	}
	if out.ImportedBy, err = pathsOf(x, x.Importers, id); err != nil {
		return nil, err
	}
	chunks, err := x.Chunks(id)
	if err != nil {
		return nil, err
	}
	content, err := x.Content(id, nil)
	if err != nil {
		return nil, err
	}
	out.Chunks = score.Outline(chunks, content)
	maskSignatures(out.Chunks)
	return out, nil
}

// pathsOf names the files that edges leads to.
func pathsOf(x *index.Index, edges func(int, []uint32) ([]uint32, error), id int) ([]string, error) {
	ids, err := edges(id, nil)
	if err != nil {
		return nil, err
	}
	out := make([]string, 0, len(ids))
	for _, to := range ids {
		f, err := x.File(int(to))
		if err != nil {
			return nil, err
		}
		out = append(out, f.Path)
	}
	return out, nil
}
