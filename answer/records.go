package answer

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/stream"
)

// SymbolRecord is one node in an answer. One in JSON:
//
//	{"Record":"symbol","Symbol":"Server.Close","Kind":"method","Path":"net/server.go","Line":88,"EndLine":102,"Distance":1,"Confidence":0.9,"Reason":"known receiver type","Via":"main","Sites":[{"Path":"net/server.go","Line":91,"Text":"s.conn.Close()"}]}
type SymbolRecord struct {
	Symbol     string  // qualified within its file; the path of a file; the import path of a module
	Kind       string  // file, module, type, function, method, var, external
	Path       string  `json:",omitempty"` // absent for modules and external nodes
	Line       int     `json:",omitempty"` // 1-based; absent for files and modules
	EndLine    int     `json:",omitempty"`
	Distance   int     `json:",omitempty"` // edges from what was asked for
	Confidence float64 `json:",omitempty"` // of the surest way there, 0 to 1
	Reason     string  `json:",omitempty"` // of the least sure edge on that way
	Via        string  `json:",omitempty"` // the node before this one, where there is one between
	Tier       string  `json:",omitempty"` // of an impact: target, direct, indirect, transitive, test, together; of callers: reference, unresolved
	Change     string  `json:",omitempty"` // of a target that a diff changed: modified, added, removed, moved, renamed, mode
	From       string  `json:",omitempty"` // the path before, of what was moved or renamed
	Test       bool    `json:",omitempty"` // it is a test

	Sites     []graph.Site `json:",omitempty"` // of a caller, callee or importer: the lines that call or import
	MoreSites int          `json:",omitempty"` // lines beyond Sites

	Measures *Measures `json:",omitempty"` // of a symbol or file that was asked for
}

func symbolOf(r graph.Ref) SymbolRecord {
	return SymbolRecord{Symbol: r.Name, Kind: r.Kind, Path: r.Path, Line: r.Line, EndLine: r.EndLine}
}

// place is where a record stands: path, or path:line.
func (r *SymbolRecord) place() string {
	if r.Line > 0 {
		return fmt.Sprintf("%s:%d", r.Path, r.Line)
	}
	return r.Path
}

// extent is where a record begins and ends: path:first-last.
func (r *SymbolRecord) extent() string {
	if r.Line > 0 && r.EndLine > r.Line {
		return fmt.Sprintf("%s:%d-%d", r.Path, r.Line, r.EndLine)
	}
	return r.place()
}

// runs reports whether it is code that runs, which complexity is measured of.
func (r *SymbolRecord) runs() bool {
	return r.Kind == graph.NodeFunction.String() || r.Kind == graph.NodeMethod.String()
}

// named is how to ask for what a record stands for.
func (r *SymbolRecord) named() string { return placeOf(graph.Ref{Name: r.Symbol, Path: r.Path}) }

// EdgeRecord is one edge in an answer; its ends are places as questions take
// them. One in JSON:
//
//	{"Record":"edge","From":"main.go:main","To":"net/server.go:Server.Close","Kind":"calls","Confidence":0.9,"Reason":"known receiver type"}
type EdgeRecord struct {
	From, To   string
	Kind       string
	Confidence float64 // 0 to 1
	Reason     string
	Sites      []graph.Site `json:",omitempty"` // of a call of what was asked for: the lines with it
	MoreSites  int          `json:",omitempty"` // lines beyond Sites
}

func edgeOf(from, to graph.Ref, kind graph.EdgeKind, c graph.Confidence) EdgeRecord {
	return EdgeRecord{From: placeOf(from), To: placeOf(to), Kind: kind.String(), Confidence: float64(c) / 100, Reason: kind.Reason(c)}
}

// ImpactSummary is the blast radius of a change. One in JSON:
//
//	{"Symbols":12,"Files":4,"Tests":2,"Level":"medium","Unresolved":0.1}
type ImpactSummary struct {
	Symbols    int     // affected, tests included
	Files      int     // that hold them
	Tests      int     // among them
	Level      string  // none, low, medium, high, or unknown when too much around is not resolved
	Unresolved float64 // share of the calls around whose target is unknown or found by name only, 0 to 1
}

// Footer is the footer of an answer in a stream: that of the stream and more. In
// it a hint is a sentence with commands.
type Footer struct {
	stream.Footer
	TotalSymbols int            // symbol records in this stream
	Impact       *ImpactSummary `json:",omitempty"`
	Truncated    string         `json:",omitempty"` // the limit that cut the answer short
	Hints        []string       // what to ask next
}

// Object is a JSON object whose keys keep their order.
type Object []Field

// Field is one key of an [Object] with its value.
type Field struct {
	Key   string
	Value any
}

// Add adds a key.
func (o *Object) Add(key string, value any) { *o = append(*o, Field{key, value}) }

// MarshalJSON is the object, with nothing escaped that only HTML needs.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(f.Key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(f.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// placeOf is how to name a node so that it is found again.
func placeOf(r graph.Ref) string { return ask.PlaceOf(r) }

// rounded cuts the noise of a product of hundredths.
func rounded(c float64) float64 { return float64(int(c*10000+0.5)) / 10000 }
