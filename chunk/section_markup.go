package chunk

import (
	"bytes"
	"strings"
)

// markupTag is one tag of a page.
type markupTag struct {
	start, end int // of the whole tag
	name       string
	closing    bool // </name>
	empty      bool // <name/>
}

// eachTag calls fn for the tags of a page until it returns false. Comments, CDATA
// and declarations are passed over.
func eachTag(src []byte, fn func(t markupTag) bool) {
	for at := 0; at < len(src); {
		n := bytes.IndexByte(src[at:], '<')
		if n < 0 {
			return
		}
		at += n
		if end := skipMarkup(src, at); end > at {
			at = end
			continue
		}
		t := markupTag{start: at}
		i := at + 1
		if i < len(src) && src[i] == '/' {
			t.closing = true
			i++
		}
		from := i
		for i < len(src) && (identByte(src[i]) || src[i] == ':' || src[i] == '-' || src[i] == '.') {
			i++
		}
		if i == from || i-from > maxName { // a bare "<"
			at++
			continue
		}
		t.name = string(src[from:i])
		t.end = tagEnd(src, i)
		t.empty = src[t.end-1] == '>' && src[t.end-2] == '/'
		if !fn(t) {
			return
		}
		at = t.end
	}
}

// skipMarkup is the end of the comment, CDATA section, declaration or processing
// instruction at at, and at when none is there.
func skipMarkup(src []byte, at int) int {
	for _, s := range [...][2]string{{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}} {
		if bytes.HasPrefix(src[at:], []byte(s[0])) {
			if n := bytes.Index(src[at:], []byte(s[1])); n >= 0 {
				return at + n + len(s[1])
			}
			return len(src)
		}
	}
	return at
}

// tagEnd is the end of the tag whose name ends at i. Quoted values may hold ">".
func tagEnd(src []byte, i int) int {
	for i < len(src) {
		switch c := src[i]; c {
		case '>':
			return i + 1
		case '"', '\'':
			n := bytes.IndexByte(src[i+1:], c)
			if n < 0 {
				return len(src)
			}
			i += n + 2
		default:
			i++
		}
	}
	return len(src)
}

// attribute is the value of an attribute of a tag.
func attribute(tag []byte, name string) string {
	tag = tag[:min(len(tag), 2<<10)]
	for _, quote := range []string{`"`, `'`} {
		i := bytes.Index(tag, []byte(" "+name+"="+quote))
		if i < 0 {
			continue
		}
		value := tag[i+len(name)+3:]
		if end := bytes.IndexByte(value, quote[0]); end >= 0 {
			return string(value[:end])
		}
	}
	return ""
}

// xmlSections cuts XML into the elements below the root, named by tag and name or
// id, and large elements into theirs.
func xmlSections(b *builder, _ string) {
	t := &partTree{b: b, large: largeSection}
	depth := 0
	var open []string // names of the open elements up to a depth
	eachTag(b.src, func(g markupTag) bool {
		switch {
		case g.closing:
			if depth == 0 || depth <= maxJSONDepth && open[depth-1] != g.name {
				return true // it closes nothing that is open
			}
			depth--
			if depth < maxJSONDepth {
				open = open[:depth]
				if depth > 0 {
					t.finish(g.end)
				}
			}
		case g.empty:
			if depth > 0 && depth < maxJSONDepth {
				t.begin(elementTitle(b.src, g), g.start)
				t.finish(g.end)
			}
		default:
			if depth > 0 && depth < maxJSONDepth {
				t.begin(elementTitle(b.src, g), g.start)
			}
			if depth < maxJSONDepth {
				open = append(open, g.name)
			}
			depth++
		}
		return true
	})
	t.add()
}

// elementTitle is the tag's name with the name or id that the element has.
func elementTitle(src []byte, g markupTag) string {
	for _, a := range []string{"name", "id", "key", "Include"} {
		if v := attribute(src[g.start:g.end], a); v != "" {
			return g.name + " " + v
		}
	}
	if text := src[g.end:min(len(src), g.end+maxSectionName)]; !g.empty {
		if i := bytes.IndexByte(text, '<'); i > 0 && len(bytes.TrimSpace(text[:i])) > 0 {
			return g.name + " " + string(text[:i])
		}
	}
	return g.name
}

// htmlSections cuts a page at its headings. A page without any has no sections
// but its definitions.
func htmlSections(b *builder, name string) {
	var heads []heading
	skip := "" // the element whose text is no markup
	eachTag(b.src, func(g markupTag) bool {
		tagName := strings.ToLower(g.name)
		switch {
		case skip != "":
			if g.closing && tagName == skip {
				skip = ""
			}
		case g.closing || g.empty:
		case tagName == "script" || tagName == "style":
			skip = tagName
		case len(tagName) == 2 && tagName[0] == 'h' && tagName[1] >= '1' && tagName[1] <= '6':
			heads = append(heads, heading{int(tagName[1] - '0'), g.start, g.end + lineLength(b.src[g.end:]), headingText(b.src[g.end:])})
		}
		return len(heads) < maxSections
	})
	b.document(name, heads)
}

// headingText is the text up to the end of a heading, without its tags.
func headingText(src []byte) string {
	src = src[:min(len(src), 2<<10)]
	if i := bytes.Index(bytes.ToLower(src), []byte("</h")); i >= 0 {
		src = src[:i]
	}
	var out []byte
	for len(src) > 0 && len(out) < maxSectionName {
		open := bytes.IndexByte(src, '<')
		if open < 0 {
			out = append(out, src...)
			break
		}
		out = append(out, src[:open]...)
		end := bytes.IndexByte(src[open:], '>')
		if end < 0 {
			break
		}
		src = src[open+end+1:]
	}
	return sectionName(string(out))
}
