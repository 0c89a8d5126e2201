package main

import (
	"bufio"
	"context"

	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/stream"
)

// emit writes a stage's stream to standard output in the format asked for.
func (f *factory) emit(ctx context.Context, s *stream.Stream) error {
	switch f.outputFormat() {
	case "human", formatPaths:
		return f.emitText(ctx, s)
	case "json":
		return f.emitObject(s)
	}
	return s.Write(f.out)
}

// emitText writes the files as a table for a person, or their paths.
func (f *factory) emitText(ctx context.Context, s *stream.Stream) error {
	in := render.Input{Header: s.Header, Footer: s.Footer}
	for _, file := range s.Files() {
		in.Docs = append(in.Docs, render.Doc{File: file})
	}
	w := bufio.NewWriter(f.out)
	if err := render.Render(ctx, w, f.outputFormat(), in, render.Options{Color: f.color(), Null: f.null}); err != nil {
		return err
	}
	return w.Flush()
}

// streamObject is a stream as one JSON object (specification 8.2).
type streamObject struct {
	Version      string // of the stream
	Query        string // the task
	Preset       string // as in the header
	Root         string `json:",omitempty"` // as in the header
	Rev          string `json:",omitempty"` // as in the header
	Files        []stream.File
	TotalFiles   int
	TotalTokens  int
	ScannedFiles int
}

// RecordKind is the name of the object.
func (streamObject) RecordKind() string { return "stream" }

func (f *factory) emitObject(s *stream.Stream) error {
	return writeObject(f, streamObject{s.Header.Version, s.Header.Query, s.Header.Preset, s.Header.Root, s.Header.Rev, s.Files(),
		s.Footer.TotalFiles, s.Footer.TotalTokens, s.Footer.ScannedFiles})
}
