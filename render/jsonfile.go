package render

import (
	"fmt"

	"github.com/topo-dev/topo/stream"
)

// jsonSection is a file as a JSON object: the fields of record, an object
// without its closing brace, followed by the content. Between lines it can be
// cut and is still valid JSON.
func jsonSection(record []byte, d *Doc, o *Options, end string) section {
	head := append([]byte(nil), record...)
	if d.Stale {
		head = fmt.Appendf(head, `,"Stale":true`)
	}
	if d.Masked > 0 {
		head = fmt.Appendf(head, `,"Masked":%d`, d.Masked)
	}
	if d.sameAs != "" {
		quoted, _ := marshal(d.sameAs)
		return atomic(fmt.Appendf(head, `,"SameAs":%s}%s`, quoted, end))
	}
	if why := missing(d); why != "" {
		quoted, _ := marshal(why)
		return atomic(fmt.Appendf(head, `,"Missing":%s}%s`, quoted, end))
	}
	all := splitLines(d.Content)
	spans := spansOf(d, all)
	if sigs := outline(d, spans, size(all, spans), o); len(sigs) > 0 {
		head = appendOutline(head, sigs)
	}
	if len(spans) == 0 || whole(spans, len(all)) {
		return jsonWhole(head, all, end)
	}
	return jsonSpans(head, all, spans, end)
}

func jsonWhole(head []byte, all [][]byte, end string) section {
	head = fmt.Appendf(head, `,"Content":"`)
	s := section{head: head, total: len(all)}
	for _, l := range all {
		s.lines = append(s.lines, appendJSONText(nil, l))
	}
	s.tail = func(n int) []byte {
		if n < len(all) {
			return fmt.Appendf(nil, `","Cut":true}%s`, end)
		}
		return []byte(`"}` + end)
	}
	return s
}

func jsonSpans(head []byte, all [][]byte, spans []stretch, end string) section {
	s := section{head: fmt.Appendf(head, `,"Spans":[`)}
	var numbers []int // line number of each entry of s.lines
	for i, sp := range spans {
		for no := sp.Start; no <= sp.End; no++ {
			var b []byte
			if no == sp.Start {
				if i > 0 {
					b = fmt.Appendf(b, `","EndLine":%d},`, spans[i-1].End)
				}
				b = fmt.Appendf(b, `{"StartLine":%d,`, sp.Start)
				if sp.part() {
					b = fmt.Appendf(b, `"StartColumn":%d,`, sp.from)
				}
				b = fmt.Appendf(b, `"Content":"`)
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
			return fmt.Appendf(nil, `],"Cut":true}%s`, end)
		}
		b := fmt.Appendf(nil, `","EndLine":%d}]`, numbers[n-1])
		if n < len(numbers) {
			b = fmt.Appendf(b, `,"Cut":true`)
		}
		return append(b, "}"+end...)
	}
	return s
}

func appendOutline(b []byte, sigs []stream.Chunk) []byte {
	b = fmt.Appendf(b, `,"Outline":[`)
	for i, c := range sigs {
		sig, _ := marshal(string(signature(c)))
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"StartLine":%d,"EndLine":%d,"Signature":%s}`, c.StartLine, c.EndLine, sig)
	}
	return append(b, ']')
}
