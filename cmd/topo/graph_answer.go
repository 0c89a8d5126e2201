package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/index/graph/draw"
	"github.com/topo-dev/topo/internal/lazy"
	"github.com/topo-dev/topo/stream"
)

// presetGraph is the preset in the header of an answer.
const presetGraph = "graph"

// symbolRecord is one node in an answer. One in JSON:
//
//	{"Symbol":"Server.Close","Kind":"method","Path":"net/server.go","Line":88,"EndLine":102,"Distance":1,"Confidence":0.9,"Reason":"known receiver type","Via":"main","Sites":[{"Path":"net/server.go","Line":91,"Text":"s.conn.Close()"}]}
type symbolRecord struct {
	Symbol     string  // qualified within its file; the path of a file; the import path of a module
	Kind       string  // file, module, type, function, method, var, external
	Path       string  `json:",omitempty"` // absent for modules and external nodes
	Line       int     `json:",omitempty"` // 1-based; absent for files and modules
	EndLine    int     `json:",omitempty"`
	Distance   int     `json:",omitempty"` // edges from what was asked for
	Confidence float64 `json:",omitempty"` // of the surest way there, 0 to 1
	Reason     string  `json:",omitempty"` // of the least sure edge on that way
	Via        string  `json:",omitempty"` // the node before this one, where there is one between
	Tier       string  `json:",omitempty"` // of an impact: target, direct, indirect, transitive, test, together
	Change     string  `json:",omitempty"` // of a target that a diff changed: modified, added, removed, moved, renamed
	From       string  `json:",omitempty"` // the path before, of what was moved or renamed
	Test       bool    `json:",omitempty"` // it is a test

	Sites     []graph.Site `json:",omitempty"` // of a caller, callee or importer: the lines that call or import
	MoreSites int          `json:",omitempty"` // lines beyond Sites

	Measures *measures `json:",omitempty"` // of a symbol or file that was asked for
}

func symbolOf(r graph.Ref) symbolRecord {
	return symbolRecord{Symbol: r.Name, Kind: r.Kind, Path: r.Path, Line: r.Line, EndLine: r.EndLine}
}

// edgeRecord is one edge in an answer; its ends are places as the commands
// take them. One in JSON:
//
//	{"From":"main.go:main","To":"net/server.go:Server.Close","Kind":"calls","Confidence":0.9,"Reason":"known receiver type"}
type edgeRecord struct {
	From, To   string
	Kind       string
	Confidence float64 // 0 to 1
	Reason     string
	Sites      []graph.Site `json:",omitempty"` // of a call of what was asked for: the lines with it
	MoreSites  int          `json:",omitempty"` // lines beyond Sites
}

// graphFooter is the footer of an answer: that of the stream and more.
type graphFooter struct {
	stream.Footer
	TotalSymbols int            // symbol records in this stream
	Impact       *impactSummary `json:",omitempty"`
	Truncated    string         `json:",omitempty"` // the limit that cut the answer short
	Hints        []string       // what to ask next
}

// answer is what a question is answered with.
type answer struct {
	query     string // the question
	symbols   []symbolRecord
	edges     []edgeRecord
	files     []any  // file records, for questions that rank files
	list      string // key of others in JSON
	others    []any  // records of another kind
	impact    *impactSummary
	truncated string
	hints     []string

	human func(*graphText)
	draw  func(context.Context) (*draw.Graph, error)
}

// hint adds a next step, once.
func (a *answer) hint(list ...string) { a.hints = append(a.hints, list...) }

// write writes the answer in the format asked for. Hints for a person go to
// standard error.
func (s *graphSession) write(a *answer) error {
	s.stale(a)
	s.complete(a.hints)
	w := bufio.NewWriter(s.o.f.out)
	var err error
	switch format := s.o.format(); format {
	case "human":
		a.human(&graphText{w: w, color: s.o.f.color()})
	case "json":
		err = s.writeGraphObject(w, a)
	case "dot", "mermaid":
		err = s.writeDrawing(w, a, format)
	default:
		err = s.writeGraphStream(w, a)
	}
	if err == nil {
		err = w.Flush()
	}
	if f := s.o.format(); err == nil && (f == "human" || f == "dot" || f == "mermaid") {
		if a.truncated != "" {
			s.o.f.notef("there is more: cut short by the limit of %s", a.truncated)
		}
		for _, h := range a.hints {
			s.o.f.notef("hint: %s", h)
		}
	}
	return err
}

var graphCommand = lazy.Regexp(`topo graph \w+`)

// complete adds to the commands in hints the flags that say which index the
// answer came from.
func (s *graphSession) complete(hints []string) {
	flags := ""
	for _, f := range []struct{ name, value string }{{"root", s.t.given}, {"cache-dir", s.o.f.cacheDir}, {"rev", s.o.Rev}} {
		if f.name == "root" && !s.o.f.rootGiven {
			continue // found from here as well
		}
		if f.value != "" {
			flags += " --" + f.name + " " + ask.Quote(f.value)
		}
	}
	if flags == "" {
		return
	}
	for i, h := range hints {
		hints[i] = graphCommand().ReplaceAllStringFunc(h, func(m string) string { return m + flags })
	}
}

func (s *graphSession) writeDrawing(w io.Writer, a *answer, format string) error {
	g, err := a.draw(s.o.f.cmd.Context())
	if err != nil {
		return graphError(s.o.f.cmd.Context(), err)
	}
	if format == "dot" {
		return draw.DOT(w, g)
	}
	return draw.Mermaid(w, g)
}

func (s *graphSession) footer(a *answer) graphFooter {
	f := graphFooter{TotalSymbols: len(a.symbols), Impact: a.impact, Truncated: a.truncated, Hints: a.hints}
	f.TotalFiles, f.ScannedFiles = len(a.files), s.x.NumFiles()
	for _, v := range a.files {
		f.TotalTokens += v.(hotspotRecord).Tokens
	}
	if f.Hints == nil {
		f.Hints = []string{}
	}
	return f
}

func (s *graphSession) writeGraphStream(w io.Writer, a *answer) error {
	out := stream.NewWriter(w)
	err := out.Write(stream.Header{Version: stream.StreamVersion, Query: a.query, Preset: presetGraph, Root: s.t.given,
		Rev: s.t.rev, Fingerprint: s.t.repo.Fingerprint})
	for _, list := range [][]any{anys(a.symbols), anys(a.edges), a.files, a.others} {
		for _, v := range list {
			if err == nil {
				err = out.Write(v)
			}
		}
	}
	if err == nil {
		err = out.Write(s.footer(a))
	}
	if err == nil {
		err = out.Flush()
	}
	return err
}

// writeGraphObject writes the answer as one object, whose keys in lower case
// are those of streamObject and one for each kind of record there is.
func (s *graphSession) writeGraphObject(w io.Writer, a *answer) error {
	obj := orderedObject{{"version", stream.StreamVersion}, {"query", a.query}, {"preset", presetGraph}}
	if s.t.given != "" {
		obj.add("root", s.t.given)
	}
	if s.t.rev != "" {
		obj.add("rev", s.t.rev)
	}
	if a.symbols != nil {
		obj.add("symbols", a.symbols)
	}
	if a.edges != nil {
		obj.add("edges", a.edges)
	}
	if a.files != nil {
		obj.add("files", a.files)
	}
	if a.list != "" {
		obj.add(a.list, anys(a.others))
	}
	if a.impact != nil {
		obj.add("impact", a.impact)
	}
	f := s.footer(a)
	obj.add("total_symbols", f.TotalSymbols)
	obj.add("total_files", f.TotalFiles)
	obj.add("total_tokens", f.TotalTokens)
	obj.add("scanned_files", f.ScannedFiles)
	if a.truncated != "" {
		obj.add("truncated", a.truncated)
	}
	obj.add("hints", f.Hints)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(obj)
}

// anys is a list whose values are of any type, never nil.
func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}
