package score

import (
	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/chunk"
)

// Outline lists the definitions of a file, doc comments included, with their
// signatures; imports are left out.
func Outline(chunks []chunk.Chunk, content []byte) []topo.Chunk {
	out := make([]topo.Chunk, 0, len(chunks))
	for _, c := range chunks {
		if c.Kind == chunk.Import {
			continue
		}
		start := c.StartLine
		if c.DocLine > 0 {
			start = min(start, c.DocLine)
		}
		out = append(out, topo.Chunk{Kind: c.Kind.String(), Name: c.Qualified(), StartLine: start, EndLine: c.EndLine,
			Signature: Signature(c, content)})
	}
	return out
}
