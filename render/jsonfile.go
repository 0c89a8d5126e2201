package render

import (
	"fmt"

	"github.com/topo-dev/topo/stream"
)

// jsonKeys are the names of the fields that the JSON formats add to a file.
type jsonKeys struct {
	Content   string // the whole file
	Spans     string // or parts of it: a list of start, end, content
	StartLine string
	EndLine   string
	// StartColumn is the first byte of a part of a line; the content is the part.
	StartColumn string
	Outline     string // definitions outside the spans
	Signature   string // of one of them
	Stale       string // the file changed since the content was indexed
	Masked      string // credentials in the content that were replaced
	Missing     string // why there is no content
	SameAs      string // an earlier file with the same content
	Cut         string // a budget left the end out
}

// jsonSection is a file as a JSON object: the fields of record, an object
// without its closing brace, followed by the content. Between lines it can be
// cut and is still valid JSON.
func jsonSection(record []byte, d *Doc, o *Options, keys *jsonKeys, end string) section {
	head := append([]byte(nil), record...)
	if d.Stale {
		head = fmt.Appendf(head, `,"%s":true`, keys.Stale)
	}
	if d.Masked > 0 {
		head = fmt.Appendf(head, `,"%s":%d`, keys.Masked, d.Masked)
	}
	if d.sameAs != "" {
		quoted, _ := marshal(d.sameAs)
		return atomic(fmt.Appendf(head, `,"%s":%s}%s`, keys.SameAs, quoted, end))
	}
	if why := missing(d); why != "" {
		quoted, _ := marshal(why)
		return atomic(fmt.Appendf(head, `,"%s":%s}%s`, keys.Missing, quoted, end))
	}
	all := splitLines(d.Content)
	spans := spansOf(d, all)
	if sigs := outline(d, spans, size(all, spans), o); len(sigs) > 0 {
		head = appendOutline(head, sigs, keys)
	}
	if len(spans) == 0 || whole(spans, len(all)) {
		return jsonWhole(head, all, keys, end)
	}
	return jsonSpans(head, all, spans, keys, end)
}

func jsonWhole(head []byte, all [][]byte, keys *jsonKeys, end string) section {
	head = fmt.Appendf(head, `,"%s":"`, keys.Content)
	s := section{head: head, total: len(all)}
	for _, l := range all {
		s.lines = append(s.lines, appendJSONText(nil, l))
	}
	s.tail = func(n int) []byte {
		if n < len(all) {
			return fmt.Appendf(nil, `","%s":true}%s`, keys.Cut, end)
		}
		return []byte(`"}` + end)
	}
	return s
}

func jsonSpans(head []byte, all [][]byte, spans []stretch, keys *jsonKeys, end string) section {
	s := section{head: fmt.Appendf(head, `,"%s":[`, keys.Spans)}
	var numbers []int // line number of each entry of s.lines
	for i, sp := range spans {
		for no := sp.Start; no <= sp.End; no++ {
			var b []byte
			if no == sp.Start {
				if i > 0 {
					b = fmt.Appendf(b, `","%s":%d},`, keys.EndLine, spans[i-1].End)
				}
				b = fmt.Appendf(b, `{"%s":%d,`, keys.StartLine, sp.Start)
				if sp.part() {
					b = fmt.Appendf(b, `"%s":%d,`, keys.StartColumn, sp.from)
				}
				b = fmt.Appendf(b, `"%s":"`, keys.Content)
			}
			text := all[no-1]
			if sp.part() {
				text = unbroken(text)[sp.from-1 : sp.to]
			}
			s.lines = append(s.lines, appendJSONText(b, text))
			numbers = append(numbers, no)
		}
	}
	s.total = len(s.lines)
	s.tail = func(n int) []byte {
		if n == 0 {
			return fmt.Appendf(nil, `],"%s":true}%s`, keys.Cut, end)
		}
		b := fmt.Appendf(nil, `","%s":%d}]`, keys.EndLine, numbers[n-1])
		if n < len(numbers) {
			b = fmt.Appendf(b, `,"%s":true`, keys.Cut)
		}
		return append(b, "}"+end...)
	}
	return s
}

func appendOutline(b []byte, sigs []stream.Chunk, keys *jsonKeys) []byte {
	b = fmt.Appendf(b, `,"%s":[`, keys.Outline)
	for i, c := range sigs {
		sig, _ := marshal(string(signature(c)))
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"%s":%d,"%s":%d,"%s":%s}`,
			keys.StartLine, c.StartLine, keys.EndLine, c.EndLine, keys.Signature, sig)
	}
	return append(b, ']')
}
