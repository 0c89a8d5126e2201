package main

import (
	"bufio"
	"context"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/render"
)

// emit writes a stage's stream to standard output in the format asked for.
func (f *factory) emit(ctx context.Context, s *stream) error {
	switch f.outputFormat() {
	case "human":
		return f.emitRendered(ctx, s, "human")
	case "json":
		return f.emitRendered(ctx, s, "json")
	}
	return s.write(f.out)
}

// emitRendered writes the stream without the files' contents.
func (f *factory) emitRendered(ctx context.Context, s *stream, format string) error {
	in := render.Input{Header: s.header, Footer: s.footer}
	for _, file := range s.files() {
		in.Docs = append(in.Docs, render.Doc{File: file})
	}
	w := bufio.NewWriter(f.out)
	if err := render.Render(ctx, w, format, in, render.Options{Color: f.color(), Scores: true}); err != nil {
		return err
	}
	return w.Flush()
}

// cutShort writes a header without a footer when a stage fails that would
// have written a stream into a pipe. A stage that reads an empty pipe works
// without a stream; after a failure before it, it must fail as well.
func (f *factory) cutShort(preset string, err error) error {
	if err != nil && f.outPipe && f.outputFormat() == "jsonl" {
		w := topo.NewWriter(f.out)
		if w.Write(topo.Header{Version: topo.StreamVersion, Preset: preset}) == nil {
			w.Flush()
		}
	}
	return err
}
