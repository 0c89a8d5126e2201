package answer

import (
	"context"
	"io"
	"time"

	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/index/graph/draw"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/stream"
)

// Session is an open index with its graph, and where the tree is that it shows.
type Session struct {
	ask.Session

	Tree  string // folder of the tree, where git is asked and files are read; empty is the current folder
	Given string // the root as the user gave it, which answers name; empty when it was not given
	Rev   string // full id of the commit that the index shows; empty is the working tree
	// Indexed is when the index was made. Files of an answer that were written
	// later are compared with it. Zero means that the index is known to show the
	// tree as it is.
	Indexed time.Time
	// Readable reports whether the text of a file may be part of an answer; nil
	// allows all. The names and places of definitions are always part of it.
	Readable func(path string) bool
	// Mask replaces what must not be shown in the whole content of a file, line by
	// line; nil shows all. Text that is cut out later may not tell that it is of a
	// private key.
	Mask func(content []byte) []byte
}

// Answer is what every answer can do.
type Answer interface {
	// Text writes the answer for a person or a model.
	Text(w io.Writer, o TextOptions)
	// Records are the records of the stream between its header and its footer.
	Records() []any
	// Frame is the beginning that all answers share, Rest their end.
	Frame() *Head
	Rest() *Tail
}

// Head begins each answer. One in JSON, as a part of the answer:
//
//	"Record":"walk-answer","Version":"0.3","Query":"callers Server.Close","Preset":"graph"
type Head struct {
	Record  string // which answer it is, such as impact-answer
	Version string // of the records
	Query   string // the question
	Preset  string // graph, or detect for findings
	Root    string `json:",omitempty"` // as it was given
	Rev     string `json:",omitempty"` // full id of the commit that was asked about
}

// Tail ends each answer. One in JSON, as a part of the answer:
//
//	"TotalSymbols":2,"TotalFiles":0,"TotalTokens":0,"ScannedFiles":6,"Hints":[{"Text":"next: {ask}","Asks":[{"Question":"impact","Places":["Server.Close"]}]}]
type Tail struct {
	TotalSymbols int    // symbols in this answer
	TotalFiles   int    // files that are ranked in this answer
	TotalTokens  int    // of those files, estimated
	ScannedFiles int    // in the index
	Truncated    string `json:",omitempty"` // the limit that cut the answer short
	Hints        []Hint // what to ask next

	draw func(context.Context) (*draw.Graph, error)
}

// Presets of answers.
const (
	presetGraph  = "graph"
	presetDetect = "detect"
)

// Frame is the beginning of an answer.
func (h *Head) Frame() *Head { return h }

// Rest is the end of an answer.
func (t *Tail) Rest() *Tail { return t }

// Draw makes a picture of the answer. Not every answer can be
// drawn.
func (t *Tail) Draw(ctx context.Context) (*draw.Graph, error) {
	if t.draw == nil {
		return nil, fault.Usagef("this answer is not a graph and cannot be drawn")
	}
	return t.draw(ctx)
}

// Drawing writes a picture of the answer in a format, dot or mermaid.
func (t *Tail) Drawing(ctx context.Context, w io.Writer, format string) error {
	g, err := t.Draw(ctx)
	switch {
	case err != nil:
		return err
	case format == "dot":
		return draw.DOT(w, g)
	}
	return draw.Mermaid(w, g)
}

// Cut tells that a limit cut the answer short.
func (t *Tail) cut(limit string) { t.Truncated = limit }

func (s *Session) head(record, query string) Head {
	return Head{Record: record, Version: stream.StreamVersion, Query: query, Preset: presetGraph, Root: s.Given, Rev: s.Rev}
}

// tail begins the end of an answer.
func (s *Session) tail() Tail { return Tail{ScannedFiles: s.Index.NumFiles(), Hints: []Hint{}} }

// masked is the content of a file as it may be shown.
func (s *Session) masked(content []byte) []byte {
	if s.Mask == nil {
		return content
	}
	return s.Mask(content)
}

// readable reports whether the text of a file may be shown.
func (s *Session) readable(path string) bool { return s.Readable == nil || s.Readable(path) }

// orDefault reads a limit: 0 is the default, less is no limit, which is 0 for
// the packages below.
func orDefault(n, def int) int {
	switch {
	case n == 0:
		return def
	case n < 0:
		return 0
	}
	return n
}

// anys is a list whose values are of any type.
func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}
