package eval

import "github.com/topo-dev/topo/chunk"

// Changed lists the functions and methods of the old text, by their places in
// before, whose text the new one does not hold under the same name: those that a
// change rewrote or took away. What it added is not among them.
func Changed(before, after []chunk.Chunk, old, now []byte) []int {
	kept := map[string]int{} // name and text → how often
	for _, c := range after {
		if text, ok := body(c, now); ok {
			kept[c.Qualified()+"\x00"+text]++
		}
	}
	var out []int
	for i, c := range before {
		text, ok := body(c, old)
		if !ok {
			continue
		}
		if key := c.Qualified() + "\x00" + text; kept[key] > 0 {
			kept[key]--
		} else {
			out = append(out, i)
		}
	}
	return out
}

// body is the text of a function or method.
func body(c chunk.Chunk, src []byte) (string, bool) {
	if c.Kind != chunk.Function && c.Kind != chunk.Method || c.StartByte < 0 || c.StartByte >= c.EndByte || c.EndByte > len(src) {
		return "", false
	}
	return string(src[c.StartByte:c.EndByte]), true
}
