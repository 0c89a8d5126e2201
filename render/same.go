package render

import (
	"slices"
	"strings"

	"github.com/topo-dev/topo/stream"
)

// distinct marks the documents whose content is that of an earlier one. Where these
// are named with the earlier one they are left out.
func distinct(docs []*Doc, named bool) []*Doc {
	first := map[string]*Doc{}
	out := docs[:0]
	for _, d := range docs {
		k := d.File.ContentKey()
		f := first[k]
		switch {
		case k == "" || f != nil && !repeats(d, f):
		case f == nil:
			first[k] = d
		case named:
			f.same = append(f.same, d)
			continue
		default:
			d.sameAs = f.File.Path
		}
		out = append(out, d)
	}
	return out
}

// repeats reports whether d shows nothing that f, with the same content, does not
// show. A selection gives lines to the first of equal files only.
func repeats(d, f *Doc) bool {
	lines := func(a, b stream.Chunk) bool { return a.StartLine == b.StartLine && a.EndLine == b.EndLine }
	return d.Spans == nil && (len(d.File.Chunks) == 0 || slices.EqualFunc(d.File.Chunks, f.File.Chunks, lines))
}

// sameNote names the files with the content of d; empty when there are none.
func sameNote(d *Doc) string {
	if len(d.same) == 0 {
		return ""
	}
	names := make([]string, len(d.same))
	for i, s := range d.same {
		names[i] = safePath(s.File.Path)
	}
	when := ""
	if d.Stale {
		when = " when it was indexed"
	}
	return "Same content" + when + ": " + strings.Join(names, ", ")
}
