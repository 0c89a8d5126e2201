package render

import (
	"bytes"
	"sort"
	"strings"

	"github.com/topo-dev/topo/stream"
)

// defaultOutline is how many signatures are printed for one file at the most,
// by default: enough to show the neighbourhood.
const defaultOutline = 24

// Signatures may take this share of the code next to them, and a few next to
// little code, up to half of it: they must not crowd out code under a budget.
const (
	outlineShare = 4   // one byte for four of code
	outlineMin   = 240 // bytes
)

// maxSignature cuts a signature on a line of its own, in bytes.
const maxSignature = 200

// ellipsis marks where lines are left out.
const ellipsis = "…"

// bodyLine is one line to print. text aliases the content, but of a part of a line.
type bodyLine struct {
	no   int    // 1-based line number; of a signature, its own line; 0 for a plain gap
	gap  bool   // replaces lines left out; text is a signature or empty
	text []byte // without the line break
}

// splitLines cuts content after each LF, as the parsers that number its lines
// do; the line break stays.
func splitLines(content []byte) [][]byte {
	lines := make([][]byte, 0, bytes.Count(content, []byte{'\n'})+1)
	for len(content) > 0 {
		i := bytes.IndexByte(content, '\n') + 1
		if i == 0 {
			i = len(content)
		}
		lines = append(lines, content[:i])
		content = content[i:]
	}
	return lines
}

// withoutBreak is a line without its break, LF or CRLF, and without a byte order mark.
func withoutBreak(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	return bytes.TrimPrefix(line, []byte("\uFEFF"))
}

// body lists the lines of d to print and the spans they come from.
func body(d *Doc, o *Options) (lines []bodyLine, spans []stretch, total int) {
	all := splitLines(d.Content)
	total = len(all)
	spans = spansOf(d, all)
	sigs := outline(d, spans, size(all, spans), o)
	next := 1
	for _, s := range spans {
		lines, sigs = appendGap(lines, sigs, next, s.Start-1)
		for no := s.Start; no <= s.End; no++ {
			lines = append(lines, bodyLine{no: no, text: s.lineText(all[no-1])})
		}
		next = s.End + 1
	}
	lines, _ = appendGap(lines, sigs, next, total)
	return lines, spans, total
}

// size is how many bytes the spans hold.
func size(all [][]byte, spans []stretch) (n int) {
	for _, s := range spans {
		if s.part() {
			n += s.to - s.from + 1
			continue
		}
		for _, line := range all[s.Start-1 : s.End] {
			n += len(line)
		}
	}
	return n
}

// appendGap appends what replaces the lines from first to last: the signatures within
// them, or a bare ellipsis.
func appendGap(lines []bodyLine, sigs []stream.Chunk, first, last int) ([]bodyLine, []stream.Chunk) {
	if first > last {
		return lines, sigs
	}
	n := len(lines)
	for len(sigs) > 0 && sigs[0].StartLine <= last {
		lines = append(lines, bodyLine{no: sigs[0].StartLine, gap: true, text: signature(sigs[0])})
		sigs = sigs[1:]
	}
	if len(lines) == n {
		lines = append(lines, bodyLine{gap: true})
	}
	return lines, sigs
}

func signature(c stream.Chunk) []byte {
	s := strings.Join(strings.Fields(c.Signature), " ")
	if len(s) > maxSignature {
		s = strings.ToValidUTF8(s[:maxSignature], "") + ellipsis
	}
	return []byte(s)
}

// outline chooses the definitions outside the spans to print by signature, in
// the order of lines; shown is the bytes of code in the spans. Types come
// first, because the code shown refers to them, then what is nearest to the
// code shown. Constants and variables are no landmarks.
func outline(d *Doc, spans []stretch, shown int, o *Options) []stream.Chunk {
	limit := o.Outline
	if limit == 0 {
		limit = defaultOutline
	}
	if limit < 0 || len(spans) == 0 {
		return nil
	}
	type candidate struct {
		chunk stream.Chunk
		far   int
	}
	var cs []candidate
	for _, c := range d.Outline {
		far := distance(spans, c.StartLine, c.EndLine)
		if far == 0 || c.Signature == "" || c.Kind == "import" || c.Kind == "const" || c.Kind == "var" {
			continue
		}
		if c.Kind == "type" || c.Kind == "impl" {
			far -= 1 << 30
		}
		cs = append(cs, candidate{c, far})
	}
	sort.SliceStable(cs, func(i, j int) bool { return cs[i].far < cs[j].far })
	cs = cs[:min(limit, len(cs))]
	if o.Outline == 0 {
		left := max(shown/outlineShare, min(outlineMin, shown/2))
		for i := range cs {
			if left -= len(cs[i].chunk.Signature); left < 0 {
				cs = cs[:i]
				break
			}
		}
	}
	sort.SliceStable(cs, func(i, j int) bool { return cs[i].chunk.StartLine < cs[j].chunk.StartLine })
	out := make([]stream.Chunk, len(cs))
	for i := range cs {
		out[i] = cs[i].chunk
	}
	return out
}

// distance is how many lines lie between first..last and the nearest span; 0
// when the first line, where the signature is, is printed anyway.
func distance(spans []stretch, first, last int) int {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End >= first })
	best := 1 << 29
	if i < len(spans) {
		if spans[i].Start <= first {
			return 0
		}
		best = min(best, max(spans[i].Start-last, 1))
	}
	if i > 0 {
		best = min(best, first-spans[i-1].End)
	}
	return best
}

// missing is why d has no content to print, or empty.
func missing(d *Doc) string {
	switch {
	case d.Missing != "":
		return d.Missing
	case d.File.Skipped == stream.SkipSymlink && d.File.Target != "":
		return "symlink to " + d.File.Target
	}
	return d.File.Skipped
}
