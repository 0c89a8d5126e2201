package render

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/topo-dev/topo/stream"
)

// xmlEncoder prints one context element with a tree and a file element for
// each file. Content is in CDATA: code is not escaped; "]]>" inside it
// is divided between two CDATA sections.
type xmlEncoder struct {
	h stream.Header
	o *Options
}

func newXML(h stream.Header, _ stream.Footer, o *Options) encoder { return &xmlEncoder{h, o} }

func (e *xmlEncoder) open(docs []*Doc) []byte {
	b := []byte("<context")
	if q := oneLine(e.h.Query); q != "" {
		b = appendAttr(b, "query", q)
	}
	b = append(b, ">\n"...)
	if len(docs) == 0 {
		return b
	}
	b = append(b, "<tree>\n"...)
	b = append(b, escapeXML(string(appendTree(nil, docs)))...)
	return append(b, "</tree>\n"...)
}

func (e *xmlEncoder) close(_ []*Doc, left leftOut) []byte {
	if left.none() {
		return []byte("</context>\n")
	}
	return []byte("<left_out>" + escapeXML(left.note()) + "</left_out>\n</context>\n")
}

func (e *xmlEncoder) section(d *Doc, _ int) section {
	lines, spans, total := body(d, e.o)
	head := e.head(d, spans, total)
	if missing(d) != "" || total == 0 {
		if len(d.same) > 0 {
			return atomic(append(appendSame(append(head, '>'), d), "</file>\n"...))
		}
		return atomic(append(head, "/>\n"...))
	}
	texts := textLines(lines, total, e.o.LineNumbers)
	for i := range texts {
		texts[i] = bytes.ReplaceAll(texts[i], []byte("]]>"), []byte("]]]]><![CDATA[>"))
	}
	head = append(appendSame(append(head, '>'), d), "<![CDATA[\n"...)
	return section{head: head, lines: texts, total: len(texts), tail: func(n int) []byte {
		if n < len(lines) {
			return []byte("]]><cut/></file>\n")
		}
		return []byte("]]></file>\n")
	}}
}

func (e *xmlEncoder) head(d *Doc, spans []stretch, total int) []byte {
	b := appendAttr([]byte("<file"), "path", safePath(d.File.Path))
	if d.File.Language != "" {
		b = appendAttr(b, "language", d.File.Language)
	}
	if d.File.Role != "" {
		b = appendAttr(b, "role", string(d.File.Role))
	}
	if why := missing(d); why != "" {
		b = appendAttr(b, "missing", why)
	} else {
		if len(spans) > 0 && !whole(spans, total) {
			parts := make([]string, len(spans))
			for i, s := range spans {
				parts[i] = s.text("-")
			}
			b = appendAttr(b, "lines", strings.Join(parts, ","))
		}
		b = appendAttr(b, "total_lines", fmt.Sprint(total))
	}
	if e.o.Scores {
		b = appendAttr(b, "score", formatScore(d.File.Score))
	}
	if d.Stale {
		b = appendAttr(b, "stale", "true")
	}
	if d.Masked > 0 {
		b = appendAttr(b, "masked", fmt.Sprint(d.Masked))
	}
	return b
}

// appendSame appends an element for each file with the content of d.
func appendSame(b []byte, d *Doc) []byte {
	for _, s := range d.same {
		b = append(appendAttr(append(b, "<same"...), "path", safePath(s.File.Path)), "/>"...)
	}
	return b
}

// appendAttr appends an attribute whose value is made safe and escaped.
func appendAttr(b []byte, name, value string) []byte {
	b = append(b, ' ')
	b = append(b, name...)
	b = append(b, `="`...)
	b = append(b, escapeXML(safeText(value))...)
	return append(b, '"')
}

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escapeXML(s string) string { return xmlEscaper.Replace(s) }
