package main

import (
	"bufio"
	"context"
	"encoding/json"

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

// streamObject is a stream as one JSON object (specification 8.2). The files
// are file records, with the keys of the stream.
type streamObject struct {
	Version      string        `json:"version"`
	Query        string        `json:"query"`
	Preset       string        `json:"preset"`
	Root         string        `json:"root,omitempty"`
	Rev          string        `json:"rev,omitempty"`
	Files        []stream.File `json:"files"`
	TotalFiles   int           `json:"total_files"`
	TotalTokens  int           `json:"total_tokens"`
	ScannedFiles int           `json:"scanned_files"`
}

func (f *factory) emitObject(s *stream.Stream) error {
	enc := json.NewEncoder(f.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(streamObject{s.Header.Version, s.Header.Query, s.Header.Preset, s.Header.Root, s.Header.Rev, s.Files(),
		s.Footer.TotalFiles, s.Footer.TotalTokens, s.Footer.ScannedFiles})
}
