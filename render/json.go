package render

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/topo-dev/topo/stream"
)

// jsonEncoder prints one object, one file a line:
//
//	{
//	  "version": "0.3",
//	  "query": "auth middleware",
//	  "files": [
//	{"path":"a.go","score":0.95,"tokens":500,"language":"go","role":"impl","content":"package a\n"}
//	  ],
//	  "total_files": 1,
//	  "total_tokens": 500
//	}
//
// A file that is printed in parts has "spans" in place of "content", as
// in the jsonl format; "left_out" says what a budget did not hold.
type jsonEncoder struct {
	h stream.Header
	f stream.Footer
	o *Options
}

func newJSON(h stream.Header, f stream.Footer, o *Options) encoder { return &jsonEncoder{h, f, o} }

var jsonFileKeys = jsonKeys{
	Content: "content", Spans: "spans", StartLine: "start_line", EndLine: "end_line", StartColumn: "start_column",
	Outline: "outline", Signature: "signature", Stale: "stale", Masked: "masked", Missing: "missing", SameAs: "same_as", Cut: "cut",
}

// jsonFile is [stream.File] with the keys of this format.
type jsonFile struct {
	Path       string             `json:"path"`
	PathBase64 string             `json:"path_base64,omitempty"` // exact bytes of a path that is not UTF-8
	Score      float64            `json:"score"`
	Tokens     int                `json:"tokens"`
	Language   string             `json:"language"`
	Role       stream.Role        `json:"role"`
	Size       int64              `json:"size,omitempty"`
	Sha256     string             `json:"sha256,omitempty"`
	Signals    map[string]float64 `json:"signals,omitempty"`
}

func (e *jsonEncoder) open([]*Doc) []byte {
	version := e.h.Version
	if version == "" {
		version = stream.StreamVersion
	}
	v, _ := marshal(version)
	q, _ := marshal(e.h.Query)
	return fmt.Appendf(nil, "{\n  \"version\": %s,\n  \"query\": %s,\n  \"files\": [\n", v, q)
}

func (e *jsonEncoder) section(d *Doc, nth int) section {
	f := d.File
	w := jsonFile{f.Path, "", f.Score, f.Tokens, f.Language, f.Role, f.Size, f.Sha256, f.Signals}
	if !utf8.ValidString(f.Path) {
		w.Path = strings.ToValidUTF8(f.Path, "\uFFFD")
		w.PathBase64 = base64.StdEncoding.EncodeToString([]byte(f.Path))
	}
	record := object(w)
	if nth > 0 {
		record = append([]byte(",\n"), record...)
	}
	return jsonSection(record, d, e.o, &jsonFileKeys, "")
}

func (e *jsonEncoder) close(docs []*Doc, left leftOut) []byte {
	t := totals(docs, e.f)
	var b []byte
	if len(docs) > 0 {
		b = append(b, '\n')
	}
	b = fmt.Appendf(b, "  ],\n  \"total_files\": %d,\n  \"total_tokens\": %d", t.TotalFiles, t.TotalTokens)
	if !left.none() {
		note, _ := marshal(left.note())
		b = fmt.Appendf(b, ",\n  \"left_out\": %s", note)
	}
	return append(b, "\n}\n"...)
}
