package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

type inspectOptions struct {
	f    *factory
	Path string // of a file of the tree, or of an index file; empty is the tree's index
	Rev  string
}

func newInspect(f *factory, runF func(context.Context, *inspectOptions) error) *cobra.Command {
	opts := &inspectOptions{f: f}
	cmd := &cobra.Command{
		Use:   "inspect [path]",
		Short: "Show what the index holds: its sections, or one file's entry",
		Long: `Show the sections of the deep index with their sizes and compression. With the
path of an indexed file, show what the index knows of it as JSON. With the path
of an index file (.deep.idx), show that index.`,
		Example: `  topo inspect
  topo inspect cmd/main.go
  topo inspect .topo-cache/d36221297e4f3b4da20e9cbb6c74f3a5.deep.idx`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				opts.Path = args[0]
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runInspect(cmd.Context(), opts)
		},
	}
	addRevFlag(cmd.Flags(), &opts.Rev)
	return cmd
}

func runInspect(ctx context.Context, o *inspectOptions) error {
	root, err := o.f.settle("")
	if err != nil {
		return err
	}
	t, err := o.f.openTree(ctx, root, o.Rev)
	if err != nil {
		return err
	}
	defer t.Close()
	name := t.deepPath()
	if strings.HasSuffix(o.Path, fresh.DeepExt) {
		name, o.Path = o.Path, ""
	}
	x, err := index.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("index: none at %s; build it with: topo index --deep", name)
	} else if err != nil {
		return envError{err}
	}
	defer x.Close()
	if o.Path != "" {
		return o.inspectFile(x)
	}
	return o.inspectIndex(x)
}

// indexReport is what inspect says of a whole index.
type indexReport struct {
	Index    string // path of the index file
	Bytes    int64
	Files    int
	Terms    int
	Commits  int
	Head     string `json:",omitempty"` // commit that the history ends at
	TotalLen fieldCounts
	Sections []sectionReport
}

type sectionReport struct {
	Tag      string
	Offset   int64
	Bytes    int64 // in the file
	RawBytes int64 // of what it stands for
	Checksum string
}

type fieldCounts struct{ Filename, Symbols, Body uint64 }

func (o *inspectOptions) inspectIndex(x *index.Index) error {
	info, err := os.Stat(x.Path())
	if err != nil {
		return envError{err}
	}
	n := x.TotalLen()
	r := indexReport{Index: x.Path(), Bytes: info.Size(), Files: x.NumFiles(), Terms: x.NumTerms(),
		Commits: x.NumCommits(), Head: x.Head(), TotalLen: fieldCounts{n[0], n[1], n[2]}}
	for _, s := range x.Sections() {
		r.Sections = append(r.Sections, sectionReport{s.Tag, s.Offset, s.Length, s.Raw, fmt.Sprintf("%016x", s.Checksum)})
	}
	if o.f.outputFormat() == "human" {
		return r.table(o.f.out)
	}
	return writeObject(o.f, r)
}

func (r *indexReport) table(out io.Writer) error {
	fmt.Fprintf(out, "%s\n%s, %s, %d terms, %s\n\n", r.Index, humanBytes(r.Bytes), plural(r.Files, "file"), r.Terms, plural(r.Commits, "commit"))
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "section\toffset\tbytes\traw bytes\tratio\tchecksum\t\n")
	for _, s := range r.Sections {
		ratio := "-"
		if s.Bytes > 0 {
			ratio = fmt.Sprintf("%.2f", float64(s.RawBytes)/float64(s.Bytes))
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\t\n", visible(s.Tag), s.Offset, s.Bytes, s.RawBytes, ratio, s.Checksum)
	}
	return w.Flush()
}

// fileReport is what the index knows of one file.
type fileReport struct {
	ID           int
	Path         string
	Language     string
	Role         stream.Role
	Size         int64
	Sha256       string `json:",omitempty"`
	Skipped      string `json:",omitempty"`
	Terms        fieldCounts
	Parser       string `json:",omitempty"`
	SyntaxErrors bool   `json:",omitempty"`
	PageRank     float64
	Commits      int
	Imports      []importReport `json:",omitempty"`
	ImportsFiles []string       `json:",omitempty"` // files of the tree it imports
	ImportedBy   []string       `json:",omitempty"`
	Chunks       []stream.Chunk `json:",omitempty"`
}

type importReport struct {
	Path string
	Line int
}

func (o *inspectOptions) inspectFile(x *index.Index) error {
	id, ok := x.Lookup(strings.TrimPrefix(o.Path, "./"))
	if !ok {
		if err := x.Err(); err != nil {
			return envError{err}
		}
		return usagef("%s: not in the index %s; give a path relative to the root, as topo scan lists it", o.Path, x.Path())
	}
	r, err := reportFile(x, id)
	if err != nil {
		return envError{err}
	}
	return writeObject(o.f, r)
}

func reportFile(x *index.Index, id int) (*fileReport, error) {
	f, err := x.File(id)
	if err != nil {
		return nil, err
	}
	r := &fileReport{ID: id, Path: f.Path, Language: f.Language, Role: f.Role, Size: f.Size, Skipped: f.Skipped,
		Terms:    fieldCounts{uint64(f.Len[0]), uint64(f.Len[1]), uint64(f.Len[2])},
		PageRank: float64(x.PageRank(id))}
	if f.Skipped == "" {
		r.Sha256 = hex.EncodeToString(f.Sha256[:])
	}
	if r.Parser, r.SyntaxErrors, err = x.Parser(id); err != nil {
		return nil, err
	}
	commits, err := x.FileCommits(id, nil)
	if err != nil {
		return nil, err
	}
	r.Commits = len(commits)
	imports, err := x.Imports(id)
	if err != nil {
		return nil, err
	}
	for _, m := range imports {
		r.Imports = append(r.Imports, importReport{m.Path, m.Line})
	}
	if r.ImportsFiles, err = paths(x, x.Imported, id); err != nil {
		return nil, err
	}
	if r.ImportedBy, err = paths(x, x.Importers, id); err != nil {
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
	r.Chunks = score.Outline(chunks, content)
	return r, nil
}

// paths names the files that edges leads to.
func paths(x *index.Index, edges func(int, []uint32) ([]uint32, error), id int) ([]string, error) {
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

// writeObject writes v as JSON: on one line for jsonl, indented otherwise.
func writeObject(f *factory, v any) error {
	enc := json.NewEncoder(f.out)
	enc.SetEscapeHTML(false)
	if f.outputFormat() != "jsonl" {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(v)
}
