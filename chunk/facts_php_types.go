package chunk

import "strings"

// phpType is the text of a native type or of one in a comment as [Facts] has it,
// "" for several types and for what is no name.
func phpType(w *factWalk, text string) string {
	if len(text) > maxName {
		return ""
	}
	return w.phpTypeAt(text, 0)
}

func (w *factWalk) phpTypeAt(text string, depth int) string {
	text = strings.Trim(text, " \t\r\n?")
	if text == "" || depth > 8 {
		return ""
	}
	if parts := splitTop(text, '|'); len(parts) > 1 {
		found := ""
		for _, p := range parts {
			switch p = strings.TrimSpace(p); strings.ToLower(p) {
			case "null", "false":
				continue
			}
			if found != "" {
				return ""
			}
			found = p
		}
		return w.phpTypeAt(found, depth+1)
	}
	if of, ok := strings.CutSuffix(text, "[]"); ok {
		return element("[]", w.phpTypeAt(of, depth+1))
	}
	head, args := text, ""
	if i := strings.IndexByte(text, '<'); i > 0 && text[len(text)-1] == '>' {
		head, args = text[:i], text[i+1:len(text)-1]
	}
	switch lower := strings.ToLower(head); lower {
	case "array", "list", "iterable", "non-empty-list", "non-empty-array", "\\generator", "generator", "\\traversable", "traversable", "\\iterator", "iterator":
		if parts := splitTop(args, ','); len(parts) > 0 {
			return element("[]", w.phpTypeAt(parts[min(1, len(parts)-1)], depth+1))
		}
		if args == "" && (lower == "array" || lower == "list" || lower == "iterable") {
			return lower
		}
	case "self", "static":
		return lower
	case "$this":
		return "static"
	case "parent":
		return ""
	}
	return w.phpClass(head)
}

// phpClass is the name of a class as chains have it, "" for what is no name.
func (w *factWalk) phpClass(name string) string {
	for part := range strings.SplitSeq(strings.TrimPrefix(name, `\`), `\`) {
		if !isIdent(part) || part[0] == '$' {
			return ""
		}
	}
	if strings.IndexByte(name, '\\') >= 0 {
		return w.phpQualified(name)
	}
	return name
}

// phpBasic are the types that say nothing of an object; "array" and the like may
// be told more of by a comment.
var phpBasic = words("array iterable object mixed callable list")

// phpDocType is the type of the declaration at node i by the comment before it:
// by the tag "param", of the variable name, "return" or "var". A native type that
// names a class is the better one.
func phpDocType(w *factWalk, i int, tag, name, native string) string {
	if native != "" && !phpBasic[native] && native != "self" {
		return native
	}
	found := ""
	phpDocTags(w.commentBefore(i), tag, func(typ, variable string) bool {
		if variable != name && (variable != "" || tag == "param") {
			return true
		}
		found = phpType(w, typ)
		return found == ""
	})
	if found == "" || native == "self" && found != "static" {
		return native
	}
	return found
}

// commentBefore is the documentation before a declaration, or before the
// statement that it begins.
func (w *factWalk) commentBefore(i int) string {
	switch w.t.typeOf(i) {
	case "property_element":
		i = int(w.t.nodes[i].parent)
	case "assignment_expression":
		if i--; i < 0 || w.t.typeOf(i) != "expression_statement" {
			return ""
		}
	}
	if i--; i < 0 || w.t.typeOf(i) != "comment" {
		return ""
	}
	if n := &w.t.nodes[i]; n.end-n.start > maxDoc {
		return ""
	}
	if text := w.t.text(i); strings.HasPrefix(text, "/**") {
		return text
	}
	return ""
}

// maxDoc bounds a comment that types are read from, bytes.
const maxDoc = 16 << 10

// phpDocTags calls fn with the type and the variable, with its dollar sign, of each
// tag of a comment, until fn returns false. Tags of the analysers PHPStan and Psalm
// count.
func phpDocTags(text, tag string, fn func(typ, variable string) bool) {
	for {
		i := strings.IndexByte(text, '@')
		if i < 0 {
			return
		}
		text = text[i+1:]
		at := strings.TrimPrefix(strings.TrimPrefix(text, "phpstan-"), "psalm-")
		rest, ok := strings.CutPrefix(at, tag)
		if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
			continue
		}
		rest, _, _ = strings.Cut(rest, "\n")
		typ, rest := phpDocWord(strings.TrimLeft(rest, " \t"))
		rest = strings.TrimLeft(rest, " \t&.")
		variable := ""
		if strings.HasPrefix(rest, "$") {
			n := 1
			for n < len(rest) && identByte(rest[n]) && rest[n] != '$' {
				n++
			}
			variable = rest[:n]
		}
		if !fn(strings.TrimSuffix(typ, "*/"), variable) {
			return
		}
	}
}

// phpDocWord cuts text after its first word; a space inside of brackets ends none.
func phpDocWord(text string) (word, rest string) {
	level := 0
	for i := range len(text) {
		switch text[i] {
		case '<', '(', '{':
			level++
		case '>', ')', '}':
			level--
		case ' ', '\t', '\r':
			if level <= 0 {
				return text[:i], text[i:]
			}
		}
	}
	return text, ""
}
