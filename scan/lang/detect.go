package lang

import (
	"bytes"
	"slices"
	"strings"
)

// Detect names the language of a file; empty when it is not known. head is the
// start of the content and may be nil. In this order: the whole file name, the
// longest known extension (the content decides between languages that share
// it), the first line (#!), an editor's mode line, the XML declaration.
func Detect(path string, head []byte) string {
	head = cut(head)
	base := baseName(path)
	t := lookup()
	if l := t.filenames[base]; l != nil {
		return l.Name
	}
	if name := byPattern(base); name != "" {
		return name
	}
	if name, known := byExtension(t, base, head); known {
		return name
	}
	if name := shebang(head); name != "" {
		return name
	}
	if name := modeline(head); name != "" {
		return name
	}
	if bytes.HasPrefix(trimBOM(head), []byte("<?xml ")) {
		return "xml"
	}
	return ""
}

// wrappers are extensions that say how a file is used and not what is in it:
// config.yml.example is YAML.
var wrappers = []string{".bak", ".default", ".dist", ".example", ".in", ".orig", ".sample", ".template"}

// byExtension tries the extensions of base from the longest to the shortest.
// known is false when none of them says anything.
func byExtension(t *tables, base string, head []byte) (name string, known bool) {
	const most = 4 // extensions looked at: a name may hold thousands of dots
	dots := make([]int, 0, most)
	for i := len(base) - 1; i > 0 && len(dots) < most; i-- {
		if base[i] == '.' {
			dots = append(dots, i)
		}
	}
	if len(base) > 1 && base[0] == '.' && len(dots) < most {
		dots = append(dots, 0) // .editorconfig is a name and an extension
	}
	for i := len(dots) - 1; i >= 0; i-- {
		ext := base[dots[i]:]
		l := t.extensions[ext]
		if l == nil {
			var buf [24]byte
			l = t.extensions[string(lowerInto(&buf, ext))]
		}
		if l != nil {
			return decide(l, ext, head)
		}
	}
	if len(dots) > 1 && slices.Contains(wrappers, base[dots[0]:]) {
		return byExtension(t, base[:dots[0]], head)
	}
	return "", false
}

// decide resolves an extension that belongs to language l unless the content
// points to another.
func decide(l *Language, ext string, head []byte) (string, bool) {
	if head == nil {
		return l.Name, true
	}
	content := ambiguous(strings.ToLower(ext))
	if content == nil {
		return l.Name, true
	}
	if name := shebang(head); name != "" {
		return name, true
	}
	if name := modeline(head); name != "" {
		return name, true
	}
	name := content(trimBOM(head))
	if name == keep {
		name = l.Name
	}
	return name, name != ""
}

// byPattern knows the names that carry the variant after the name.
func byPattern(base string) string {
	if len(base) < 5 {
		return ""
	}
	switch base[0] {
	case 'D', 'C':
		if strings.HasPrefix(base, "Dockerfile.") || strings.HasPrefix(base, "Dockerfile-") || strings.HasPrefix(base, "Containerfile.") {
			return "dockerfile"
		}
	case 'M', 'm':
		if strings.HasPrefix(base[1:], "akefile.") || strings.HasPrefix(base[1:], "akefile-") {
			if strings.HasSuffix(base, ".PL") {
				return "perl"
			}
			return "makefile"
		}
	case 'J':
		if strings.HasPrefix(base, "Jenkinsfile.") || strings.HasPrefix(base, "Jenkinsfile-") {
			return "groovy"
		}
	case '.':
		if strings.HasPrefix(base, ".env.") {
			return "dotenv"
		}
	case 'r':
		if strings.HasPrefix(base, "requirements") && strings.HasSuffix(base, ".txt") {
			return "pip"
		}
	case 't':
		if strings.HasPrefix(base, "tsconfig.") && strings.HasSuffix(base, ".json") {
			return "jsonc"
		}
	case 'L':
		if strings.HasPrefix(base, "LICENSE-") || strings.HasPrefix(base, "LICENCE-") {
			return "text"
		}
	}
	return ""
}

func cut(head []byte) []byte {
	if len(head) > HeadSize {
		return head[:HeadSize]
	}
	return head
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// stemOf is base without its last extension.
func stemOf(base string) string {
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		return base[:i]
	}
	return base
}

func trimBOM(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }

func lower(s string) string { return strings.ToLower(s) }

// lowerInto writes s in ASCII lower case into buf, without allocating; nil when
// s is longer than any extension.
func lowerInto(buf *[24]byte, s string) []byte {
	if len(s) > len(buf) {
		return nil
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	return buf[:len(s)]
}

func sortByName(ls []*Language) {
	slices.SortFunc(ls, func(a, b *Language) int { return strings.Compare(a.Name, b.Name) })
}
