package render

import (
	"fmt"

	"github.com/topo-dev/topo/stream"
)

// jsonEncoder prints one object, one file a line, each as in the jsonl format:
//
//	{
//	  "Record": "rendering",
//	  "Version": "0.3",
//	  "Query": "auth middleware",
//	  "Files": [
//	{"Path":"a.go","Score":0.95,"Tokens":500,"Language":"go","Role":"impl","Content":"package a\n"}
//	  ],
//	  "TotalFiles": 1,
//	  "TotalTokens": 500
//	}
//
// LeftOut says what a budget did not hold.
type jsonEncoder struct {
	h stream.Header
	f stream.Footer
	o *Options
}

func newJSON(h stream.Header, f stream.Footer, o *Options) encoder { return &jsonEncoder{h, f, o} }

func (e *jsonEncoder) open([]*Doc) []byte {
	version := e.h.Version
	if version == "" {
		version = stream.StreamVersion
	}
	v, _ := marshal(version)
	q, _ := marshal(e.h.Query)
	return fmt.Appendf(nil, "{\n  \"Record\": \"rendering\",\n  \"Version\": %s,\n  \"Query\": %s,\n  \"Files\": [\n", v, q)
}

func (e *jsonEncoder) section(d *Doc, nth int) section {
	file := d.File
	file.Chunks = nil // a reader of the content does not need them
	record := object(file)
	if nth > 0 {
		record = append([]byte(",\n"), record...)
	}
	return jsonSection(record, d, e.o, "")
}

func (e *jsonEncoder) close(docs []*Doc, left leftOut) []byte {
	t := totals(docs, e.f)
	var b []byte
	if len(docs) > 0 {
		b = append(b, '\n')
	}
	b = fmt.Appendf(b, "  ],\n  \"TotalFiles\": %d,\n  \"TotalTokens\": %d", t.TotalFiles, t.TotalTokens)
	if !left.none() {
		note, _ := marshal(left.note())
		b = fmt.Appendf(b, ",\n  \"LeftOut\": %s", note)
	}
	return append(b, "\n}\n"...)
}
