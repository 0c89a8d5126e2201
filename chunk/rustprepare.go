package chunk

import "bytes"

// rustPrepare opens the macros that wrap whole items ("cfg_net! { pub fn … }"):
// their heads and closing braces are blanked, so the items inside are
// parsed. Other macros stay.
func rustPrepare(src []byte) []byte {
	out := src
	for at := 0; ; {
		i := bytes.Index(src[at:], []byte("! {"))
		if i < 0 {
			return out
		}
		i += at
		at = i + 3
		name := i
		for name > 0 && identByte(src[name-1]) {
			name--
		}
		if name == i || !onlyBlankBefore(src, name) || !rustItem(src, at) {
			continue
		}
		end := rustMatching(src, at-1)
		if end < 0 {
			continue
		}
		if len(out) > 0 && &out[0] == &src[0] {
			out = bytes.Clone(src)
		}
		for k := name; k < at; k++ {
			out[k] = '\t'
		}
		out[end] = '\t'
	}
}

// rustItem reports whether an item starts on a later line than offset i.
func rustItem(src []byte, i int) bool {
	next := skipBlank(src, i)
	if next >= len(src) || bytes.IndexByte(src[i:next], '\n') < 0 {
		return false
	}
	if bytes.HasPrefix(src[next:], []byte("#[")) || bytes.HasPrefix(src[next:], []byte("#![")) {
		return true
	}
	switch wordAt(src[next:]) {
	case "pub", "fn", "impl", "mod", "struct", "enum", "trait", "use", "unsafe", "async", "extern", "const", "static", "type":
		return true
	}
	return false
}

// rustMatching is the offset of the brace that closes the one at open, -1 for
// none. A quote starts a character only when one ends two bytes later or after
// an escape; else it is a lifetime.
func rustMatching(src []byte, open int) int {
	depth := 0
	for i := open; i < len(src); {
		switch src[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '\'':
			if i+2 < len(src) && src[i+1] == '\\' {
				if n := bytes.IndexByte(src[i+3:min(len(src), i+16)], '\''); n >= 0 {
					i += n + 3
				}
			} else if i+2 < len(src) && src[i+2] == '\'' {
				i += 2
			}
		case '"', '/':
			if next := skipLiteral(src, i); next > i && (src[i] == '/' || src[next-1] == '"') {
				i = next
				continue
			} else if src[i] == '"' { // a string of several lines
				if n := bytes.IndexByte(src[i+1:], '"'); n >= 0 {
					i += n + 1
				}
			}
		}
		i++
	}
	return -1
}
