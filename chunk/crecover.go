package chunk

import (
	"bytes"
	"strings"
)

// cScan finds definitions of the C family by their braces alone, for files
// whose syntax tree has errors. It keeps to declaration level: it enters
// namespaces, classes and linkage blocks and skips other bodies.
type cScan struct {
	b     *builder
	text  []byte // the source without macros
	have  map[defKey]bool
	begin int      // start of the current declaration
	stack []holder // what is open; next is unused
	opens []int    // index into the chunks of each, -1 for none
}

type defKey struct {
	name string
	line int
}

// recoverC adds the definitions that the tree did not give.
func recoverC(b *builder, text []byte) {
	s := &cScan{b: b, text: text, have: map[defKey]bool{}}
	for _, c := range b.out.Chunks {
		for l, last := c.StartLine, b.lines.at(max(c.StartByte, c.SigEnd-1)); l <= last; l++ {
			s.have[defKey{c.Name, l}] = true
		}
	}
	s.run()
}

func (s *cScan) run() {
	for i := 0; i < len(s.text); {
		switch c := s.text[i]; c {
		case '#':
			if onlyBlankBefore(s.text, i) {
				i = directiveEnd(s.text, i)
				s.begin = i
				continue
			}
		case '"', '\'', '/':
			if next := skipLiteral(s.text, i); next > i {
				if c == '/' && skipBlank(s.text, s.begin) >= i {
					s.begin = next
				}
				i = next
				continue
			}
		case ';':
			s.begin = i + 1
		case ':':
			if h := bytes.TrimSpace(s.text[s.begin:i]); string(h) == "public" || string(h) == "private" || string(h) == "protected" {
				s.begin = i + 1
			}
		case '}':
			s.leave(i + 1)
			s.begin = i + 1
		case '{':
			i = s.enter(i)
			continue
		case '(':
			if next := matching(s.text, i, 4<<10); next > 0 {
				i = next
				continue
			}
		}
		i++
	}
	for len(s.stack) > 0 {
		s.leave(len(s.text))
	}
}

// enter decides what the brace at i opens and gives where to go on.
func (s *cScan) enter(i int) int {
	start := skipBlank(s.text, s.begin)
	head := ""
	if i-start < 8<<10 {
		head = withoutComments(s.text[min(start, i):i])
	}
	h := holder{kind: none}
	if k := len(s.stack); k > 0 {
		h.scope = s.stack[k-1].scope
	}
	name, kind := parseCHead(head)
	s.begin = i + 1
	switch {
	case kind == Function && name != "":
		end := s.bodyEnd(i)
		scope, bare := splitQualified(name)
		if k := len(s.stack); scope != "" || (k > 0 && s.stack[k-1].kind == Type) {
			kind = Method
		}
		s.define(Chunk{Kind: kind, Name: bare, Scope: join2(h.scope, scope), StartByte: start, EndByte: end, SigEnd: i})
		s.begin = end
		return end
	case kind == Type || kind == Other:
		at := -1
		if kind == Type && name != "" {
			at = s.define(Chunk{Kind: Type, Name: name, Scope: h.scope, StartByte: start, EndByte: s.bodyEnd(i), SigEnd: i})
		}
		h.kind = kind
		if name != "" {
			h.scope = clip(join(h.scope, name))
		}
		if len(s.stack) < maxScopeDepth {
			s.stack, s.opens = append(s.stack, h), append(s.opens, at)
		}
		return i + 1
	}
	end := s.bodyEnd(i)
	return end
}

// withoutComments is the text with each comment as a space.
func withoutComments(text []byte) string {
	if bytes.IndexByte(text, '/') < 0 {
		return string(text)
	}
	var out []byte
	for i := 0; i < len(text); {
		if next := skipComment(text, i); next > i {
			out = append(out, ' ')
			i = next
			continue
		}
		out = append(out, text[i])
		i++
	}
	return string(out)
}

func join2(a, b string) string {
	if b == "" {
		return a
	}
	return join(a, b)
}

// define adds a chunk unless the tree gave it; it is -1 then.
func (s *cScan) define(c Chunk) int {
	first, last := s.b.lines.at(c.StartByte), s.b.lines.at(max(c.StartByte, c.SigEnd-1))
	for l := first; l <= last; l++ {
		if s.have[defKey{c.Name, l}] {
			return -1
		}
	}
	c.DocStart, c.DocEnd = s.b.comments.docBefore(s.b.src, c.StartByte)
	if !s.b.add(c) {
		return -1
	}
	return len(s.b.out.Chunks) - 1
}

func (s *cScan) leave(end int) {
	if k := len(s.stack) - 1; k >= 0 {
		s.stack, s.opens = s.stack[:k], s.opens[:k]
	}
}

// bodyEnd is the end of the body that opens at i; when its braces do not
// match, the next closing brace at the start of a line ends it.
func (s *cScan) bodyEnd(i int) int {
	if end := matching(s.text, i, maxSource); end > 0 && s.text[end-1] == '}' {
		return end
	}
	if n := bytes.Index(s.text[i:], []byte("\n}")); n >= 0 {
		return i + n + 2
	}
	return len(s.text)
}

// parseCHead reads what is before an opening brace: the name and whether it is
// a function, a type, or a namespace or linkage block (Other).
func parseCHead(head string) (name string, kind Kind) {
	head = strings.TrimSpace(head)
	if strings.HasPrefix(head, "template") {
		if i := templateEnd(head); i > 0 {
			head = strings.TrimSpace(head[i:])
		}
	}
	words := strings.FieldsFunc(head, func(r rune) bool { return r < 0x80 && !identByte(byte(r)) && r != ':' && r != '~' })
	open := strings.IndexByte(head, '(')
	if len(words) == 0 || strings.HasPrefix(head, "=") {
		return "", none
	}
	for i, w := range words {
		switch w {
		case "namespace":
			if i+1 < len(words) {
				scope, n := splitQualified(words[i+1])
				return join(scope, n), Other
			}
			return "", Other
		case "extern":
			if strings.HasSuffix(head, `"`) {
				return "", Other
			}
		case "class", "struct", "union", "enum":
			if open >= 0 && !strings.Contains(head[:open], ":") {
				continue // a function that returns or takes one
			}
			return typeName(words[i+1:]), Type
		}
	}
	if open <= 0 {
		return "", none
	}
	before := strings.TrimRight(head[:open], " \t\n\r")
	if i := strings.Index(before, "operator"); i >= 0 {
		return before[max(strings.LastIndexAny(before[:i], " \t\n*&")+1, 0):], Function
	}
	if strings.ContainsAny(before, "=?") {
		return "", none
	}
	from := len(before)
	for from > 0 && (identByte(before[from-1]) || before[from-1] == ':' || before[from-1] == '~') {
		from--
	}
	name = before[from:]
	if _, bare := splitQualified(name); name == "" || cKeyword(bare) || (name[0] >= '0' && name[0] <= '9') {
		return "", none
	}
	return name, Function
}

// typeName is the first of the words after "class" that is no keyword.
func typeName(words []string) string {
	for _, w := range words {
		switch w {
		case "class", "struct", "final", "alignas":
			continue
		}
		if w = strings.Trim(w, ":"); w != "" {
			_, bare := splitQualified(w)
			return bare
		}
		return ""
	}
	return ""
}

// templateEnd is the offset after the parameters of a template head.
func templateEnd(head string) int {
	level := 0
	for i := range len(head) {
		switch head[i] {
		case '<':
			level++
		case '>':
			if level--; level == 0 {
				return i + 1
			}
		}
	}
	return 0
}
