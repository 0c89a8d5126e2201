package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/internal/english"
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
	r, err := o.f.open(ctx, nil, o.Rev)
	if err != nil {
		return err
	}
	defer r.Close()
	var info *topo.IndexInfo
	switch {
	case strings.HasSuffix(o.Path, indexExt):
		info, err = topo.InspectIndex(o.Path)
	case o.Path != "":
		var file *topo.FileInfo
		if file, err = r.InspectFile(o.Path); err == nil {
			return writeObject(o.f, file)
		}
	default:
		info, err = r.Inspect()
	}
	if err != nil {
		return err
	}
	if o.f.outputFormat() == "human" {
		return indexTable(o.f.out, info)
	}
	return writeObject(o.f, info)
}

// indexExt ends the name of a deep index.
const indexExt = ".deep.idx"

func indexTable(out io.Writer, r *topo.IndexInfo) error {
	fmt.Fprintf(out, "%s\n%s, %s, %d terms, %s\n\n", r.Index, english.Bytes(r.Bytes), english.Count(r.Files, "file"), r.Terms, english.Count(r.Commits, "commit"))
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "section\toffset\tbytes\traw bytes\tratio\tchecksum\t\n")
	for _, s := range r.Sections {
		ratio := "-"
		if s.Bytes > 0 {
			ratio = fmt.Sprintf("%.2f", float64(s.RawBytes)/float64(s.Bytes))
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\t\n", answer.Visible(s.Tag), s.Offset, s.Bytes, s.RawBytes, ratio, s.Checksum)
	}
	return w.Flush()
}

// writeObject writes v as JSON: on one line for jsonl, indented otherwise.
func writeObject(f *factory, v any) error {
	raw, err := stream.Marshal(v)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if f.outputFormat() == "jsonl" {
		b.Write(raw)
	} else if err := json.Indent(&b, raw, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = f.out.Write(b.Bytes())
	return err
}
