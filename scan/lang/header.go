package lang

import "bytes"

// header tells the three languages of a .h file apart. Comments do not count:
// prose in them is full of "class" and "template".
func header(head []byte) string {
	if anyLine(head, []string{"@interface", "@protocol", "@class ", "@import ", "@property", "#import ", "NS_ASSUME_NONNULL_BEGIN"}) {
		return "objc"
	}
	inComment := false
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, newline)
		line = bytes.TrimSpace(line)
		if inComment {
			_, after, closed := bytes.Cut(line, []byte("*/"))
			if !closed {
				continue
			}
			inComment, line = false, bytes.TrimSpace(after)
		}
		if i := bytes.Index(line, []byte("/*")); i >= 0 {
			inComment = !bytes.Contains(line[i:], []byte("*/"))
			line = line[:i]
		}
		if i := bytes.Index(line, []byte("//")); i >= 0 {
			line = line[:i]
		}
		if len(line) > 0 && isCPP(line) {
			return "cpp"
		}
	}
	return keep
}

// cppStarts are starts of lines that C has no use for.
var cppStarts = []string{"namespace ", "template ", "template<", "public:", "private:", "protected:", "using ",
	"virtual ", "constexpr ", "explicit ", "inline constexpr ", "enum class ", "static constexpr ", "friend ", "typename "}

func isCPP(line []byte) bool {
	for _, s := range cppStarts {
		if len(line) >= len(s) && string(line[:len(s)]) == s {
			return true
		}
	}
	switch line[0] {
	case '#':
		// The headers of the C++ library have no extension.
		rest, ok := bytes.CutPrefix(bytes.TrimLeft(line[1:], " \t"), []byte("include <"))
		name, _, closed := bytes.Cut(rest, []byte(">"))
		return ok && closed && len(name) > 0 && bytes.IndexByte(name, '.') < 0 && bytes.IndexByte(name, '/') < 0
	case 'c':
		return bytes.HasPrefix(line, []byte("class ")) && bytes.IndexByte(line, '.') < 0
	}
	return bytes.Contains(line, []byte("std::")) || bytes.Contains(line, []byte("static_cast<"))
}
