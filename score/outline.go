package score

import (
	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/stream"
)

// Outline lists the definitions of a file, doc comments included, with their
// signatures; imports are left out.
func Outline(chunks []chunk.Chunk, content []byte) []stream.Chunk {
	out := make([]stream.Chunk, 0, len(chunks))
	for _, c := range chunks {
		if c.Kind == chunk.Import {
			continue
		}
		start := c.StartLine
		if c.DocLine > 0 {
			start = min(start, c.DocLine)
		}
		out = append(out, stream.Chunk{Kind: c.Kind.String(), Name: c.Qualified(), StartLine: start, EndLine: c.EndLine,
			Signature: Signature(c, content)})
	}
	return out
}
