package chunk

import "bytes"

// maxAttribute bounds an attribute list, in bytes.
const maxAttribute = 4 << 10

// csharpWithoutAttributes blanks the attribute lists at the beginnings of lines. Where
// the grammar meets newer syntax in a member, it takes the attribute before it for the
// name of the member.
func csharpWithoutAttributes(src []byte) []byte {
	out := bytes.Clone(src)
	for at := 0; at < len(out); {
		end := lineEnd(out, at)
		start := at + len(out[at:end]) - len(bytes.TrimLeft(out[at:end], " \t"))
		for start < len(out) && out[start] == '[' {
			stop := attributeEnd(out, start)
			if stop < 0 {
				break
			}
			fill(out, start, stop)
			start = stop
			for start < len(out) && (out[start] == ' ' || out[start] == '\t') {
				start++
			}
		}
		at = max(end, lineEnd(out, max(start-1, at)))
	}
	return out
}

// lineEnd is the offset after the line at an offset.
func lineEnd(src []byte, at int) int {
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(src)
}

// attributeEnd is the offset after the brackets that open at an offset, when a
// declaration may follow them; -1 otherwise.
func attributeEnd(src []byte, at int) int {
	depth, quoted := 0, false
	for i := at; i < min(len(src), at+maxAttribute); i++ {
		switch c := src[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				rest := bytes.TrimLeft(src[i+1:lineEnd(src, i)], " \t\r")
				if len(rest) == 0 || rest[0] == '\n' || rest[0] == '[' || rest[0] == '_' || rest[0] == '/' ||
					rest[0] >= 'a' && rest[0] <= 'z' || rest[0] >= 'A' && rest[0] <= 'Z' {
					return i + 1
				}
				return -1
			}
		case c == ';' || c == '{' || c == '}':
			return -1
		}
	}
	return -1
}
