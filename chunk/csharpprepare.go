package chunk

import "bytes"

// csharpPrepare gives the parser C# source without its preprocessor directives,
// which may be where the grammar has no place for them: in a list of bases, between
// attributes, inside of an expression. All branches of a condition stay where each
// holds whole statements or declarations. Of others the first stays. What goes
// becomes tabs, so offsets and lines are the same.
func csharpPrepare(src []byte) []byte {
	if bytes.IndexByte(src, '#') < 0 {
		return src
	}
	out := cFlatten(src)
	var open []csharpBranch
	for at := 0; at < len(out); {
		end := at + bytes.IndexByte(out[at:], '\n') + 1
		if end == at {
			end = len(out)
		}
		line := bytes.TrimSpace(out[at:end])
		if len(line) == 0 || line[0] != '#' {
			at = end
			continue
		}
		switch word := wordAt(bytes.TrimLeft(line[1:], " \t")); {
		case word == "if" && len(open) < maxScopeDepth:
			open = append(open, csharpBranch{start: end})
		case (word == "else" || word == "elif") && len(open) > 0:
			b := &open[len(open)-1]
			b.end(out, at)
			b.start, b.drop = end, b.drop || b.fragment
		case word == "endif" && len(open) > 0:
			open[len(open)-1].end(out, at)
			open = open[:len(open)-1]
		}
		fill(out, at, end)
		at = end
	}
	return out
}

// csharpBranch is a branch of a condition that is open.
type csharpBranch struct {
	start    int
	fragment bool // an earlier one holds a part of a statement or declaration
	drop     bool // an earlier one stays in its place
}

// end ends the branch before offset at.
func (b *csharpBranch) end(out []byte, at int) {
	text := bytes.TrimSpace(out[b.start:at])
	if n := len(text); n > 0 && bytes.IndexByte([]byte(";{}]/"), text[n-1]) < 0 {
		b.fragment = true
	}
	if b.drop {
		fill(out, b.start, at)
	}
}
