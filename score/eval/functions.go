package eval

import (
	"bytes"
	"slices"

	"github.com/topo-dev/topo/chunk"
)

// FunctionFiles is how many of the first files of a ranking are searched for
// functions.
const FunctionFiles = 20

// Changed lists the definitions that a change rewrote or removed, by their
// positions in before: those whose own text the new text does not have under the
// same name. Added ones are not listed. The own text of a definition leaves out the
// definitions inside it and white space: a function added to a class changes
// neither the class nor its other functions.
func Changed(before, after []chunk.Chunk, old, now []byte) []int {
	kept := map[string]int{} // kind, name and text → how often
	for i := range after {
		if key, ok := identity(after, i, now); ok {
			kept[key]++
		}
	}
	var out []int
	for i := range before {
		key, ok := identity(before, i, old)
		if !ok {
			continue
		}
		if kept[key] > 0 {
			kept[key]--
		} else {
			out = append(out, i)
		}
	}
	return out
}

// identity is the name and own text of a definition; imports have none.
func identity(chunks []chunk.Chunk, i int, src []byte) (string, bool) {
	c := chunks[i]
	if c.Kind == chunk.Import || c.StartByte < 0 || c.StartByte >= c.EndByte || c.EndByte > len(src) {
		return "", false
	}
	out := []byte(c.Kind.String() + " " + c.Qualified() + "\x00")
	from := c.StartByte
	for _, in := range chunks[i+1:] {
		if in.StartByte >= c.EndByte {
			break
		}
		if in.StartByte >= from && in.EndByte <= c.EndByte && in.Kind != chunk.Import {
			out = appendWords(out, src[from:in.StartByte])
			from = in.EndByte
		}
	}
	return string(appendWords(out, src[from:c.EndByte])), true
}

func appendWords(out, text []byte) []byte {
	for _, w := range bytes.Fields(text) {
		out = append(append(out, w...), ' ')
	}
	return out
}

// SamePlace finds definition i of one state of a file in another: the one of the
// same kind and name, and the nth of several when it is the nth here; -1 when there
// is none.
func SamePlace(from, to []chunk.Chunk, i int) int {
	same := func(c chunk.Chunk) bool { return c.Kind == from[i].Kind && c.Qualified() == from[i].Qualified() }
	nth := 0
	for _, c := range from[:i] {
		if same(c) {
			nth++
		}
	}
	for at := 0; at < len(to); nth-- {
		k := slices.IndexFunc(to[at:], same)
		if k < 0 {
			break
		}
		if at += k; nth == 0 {
			return at
		}
		at++
	}
	return -1
}

// IsFunction reports whether the definition is a function or method.
func IsFunction(k chunk.Kind) bool { return k == chunk.Function || k == chunk.Method }
