package secret

import "strings"

// nearPattern is a compiled entry of nearFormats.
type nearPattern struct {
	rule, word string
	pattern    pattern
}

// compile makes the engine. It panics on a wrong pattern, which is an error of
// the program that any test shows.
func compile(formats []format, near []struct{ rule, word, pattern string }) *engine {
	e := &engine{filter: new(prefilter), classes: makeClasses()}
	e.formats = len(formats)
	for i, f := range formats {
		addFormat(e, i, f)
	}
	for _, n := range near {
		e.nearby = append(e.nearby, nearPattern{n.rule, n.word, mustParse(e.classes, n.pattern)})
	}
	for _, word := range tellingWords {
		e.filter.add(anchor{text: word, fold: true, check: checkName})
	}
	for _, a := range structures {
		e.filter.add(a)
	}
	return e
}

func mustParse(t *classes, text string) pattern {
	p, err := parse(t, text)
	if err != nil {
		panic(err)
	}
	return p
}

// addFormat registers the anchor of a format. An anchor of two bytes is extended
// by each byte that the element after it, or else before it, can give.
func addFormat(e *engine, i int, f format) {
	p := mustParse(e.classes, f.pattern)
	check := func(s *scanner, start, end int) { checkFormat(s, i, f.rule, &p, start, end) }
	text := p.elements[p.anchor].literal
	if len(text) >= 3 {
		e.filter.add(anchor{text: text, check: check})
		return
	}
	for c, bits := range e.classes {
		if after := p.anchor + 1; after < len(p.elements) && bits&p.elements[after].class != 0 && p.anchor == 0 {
			e.filter.add(anchor{text: text + string(rune(c)), check: func(s *scanner, start, end int) { check(s, start, end-1) }})
		} else if p.anchor > 0 && bits&p.elements[p.anchor-1].class != 0 {
			e.filter.add(anchor{text: string(rune(c)) + text, check: func(s *scanner, start, end int) { check(s, start+1, end) }})
		}
	}
}

// checkFormat looks for the rest of format i whose anchor is s.b[start:end].
func checkFormat(s *scanner, i int, rule string, p *pattern, start, end int) {
	if start < s.masked || p.anchor == 0 && !opens(s.b, start) {
		return
	}
	if s.tried == nil {
		s.tried = make([]int, s.formats)
	}
	if start < s.tried[i] {
		return
	}
	from, secret, to, ok := p.around(s.b, start, end)
	if !ok {
		return
	}
	s.tried[i] = to
	if !opens(s.b, from) || to < len(s.b) && isWord(s.b[to]) && isWord(s.b[to-1]) {
		return
	}
	open := s.b[secret:to]
	if p.anchor == 0 && secret == from {
		open = s.b[end:to]
	}
	if !isFiller(open) {
		s.masked = to
		s.add(secret, to, rule, rankFormat)
	}
}

// opens reports whether a token may begin at b[i]: it does not continue a word,
// unless the word is the end of an escape such as \n or %3D.
func opens(b []byte, i int) bool {
	if i == 0 || !isWord(b[i]) || !isWord(b[i-1]) {
		return true
	}
	return i >= 2 && b[i-2] == '\\' && strings.IndexByte("nrt", b[i-1]) >= 0 ||
		i >= 3 && b[i-3] == '%' && isHex(b[i-2]) && isHex(b[i-1])
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
