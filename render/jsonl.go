package render

import "github.com/topo-dev/topo/stream"

// jsonlEncoder prints the stream with the content inside each file record:
//
//	{"Path":"a.go","Score":0.95,"Tokens":500,"Language":"go","Role":"impl","Content":"package a\n"}
//	{"Path":"b.go",…,"Stale":true,"Outline":[{"StartLine":3,"EndLine":9,"Signature":"func B()"}],
//	 "Spans":[{"StartLine":10,"Content":"…","EndLine":31}],"Cut":true}
//
// It is a topo stream: a stage that does not know these fields passes them on.
// The footer says in LeftOut what a budget did not hold.
type jsonlEncoder struct {
	h stream.Header
	f stream.Footer
	o *Options
}

func newJSONL(h stream.Header, f stream.Footer, o *Options) encoder { return &jsonlEncoder{h, f, o} }

func (e *jsonlEncoder) open([]*Doc) []byte {
	if e.h.Version == "" {
		e.h.Version = stream.StreamVersion
	}
	return line(e.h)
}

func (e *jsonlEncoder) close(docs []*Doc, left leftOut) []byte {
	footer := Footer{Footer: totals(docs, e.f)}
	if !left.none() {
		footer.LeftOut = left.note()
	}
	return line(footer)
}

func (e *jsonlEncoder) section(d *Doc, _ int) section {
	return jsonSection(object(d.File), d, e.o, "\n")
}

// line is v as one line of JSON. The records hold nothing that cannot be
// encoded but a score or signal that is no number; that is printed as null.
func line(v any) []byte {
	raw, err := marshal(v)
	if err != nil {
		raw = []byte("null")
	}
	return append(raw, '\n')
}

// object is v as a JSON object without its closing brace.
func object(v any) []byte {
	raw, err := marshal(v)
	if err != nil || len(raw) < 2 {
		return []byte(`{"Error":"not a number"`)
	}
	return raw[:len(raw)-1]
}
