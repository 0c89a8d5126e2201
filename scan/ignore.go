package scan

import (
	"bytes"
	"strings"
)

// maxIgnoreFile bounds an ignore file, in bytes. A larger one is a problem of
// the scan and is not applied.
const maxIgnoreFile = 16 << 20

// verdict is the result of matching a list of patterns against a path.
type verdict int8

const (
	noMatch  verdict = 0
	ignored  verdict = 1
	included verdict = -1
)

// pattern is one line of an ignore file (gitignore(5)).
type pattern struct {
	kind    patternKind
	negated bool
	dirOnly bool
	text    string // literal, suffix, or the literal start of a path pattern
	glob    glob   // what follows it
}

type patternKind uint8

const (
	baseLiteral patternKind = iota // the name is text
	baseSuffix                     // the name ends in text
	baseGlob                       // the name matches glob
	pathLiteral                    // the path is text
	pathGlob                       // the path starts with text and the rest matches glob
)

// ruleList is the patterns of one file. Later patterns win.
type ruleList struct {
	patterns []pattern
	fold     bool
}

// parseIgnore reads an ignore file; nil when it has no pattern.
func parseIgnore(data []byte, fold bool) *ruleList {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	l := &ruleList{fold: fold}
	for len(data) > 0 {
		var line []byte
		line, data = cutLine(data)
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if nul := bytes.IndexByte(line, 0); nul >= 0 {
			line = line[:nul]
		}
		l.add(string(trimTrailingSpaces(line)))
	}
	if len(l.patterns) == 0 {
		return nil
	}
	return l
}

// newRules makes a list of patterns given one by one.
func newRules(lines []string, fold bool) *ruleList {
	l := &ruleList{fold: fold}
	for _, line := range lines {
		l.add(line)
	}
	if len(l.patterns) == 0 {
		return nil
	}
	return l
}

// trimTrailingSpaces drops spaces at the end that no backslash protects.
func trimTrailingSpaces(line []byte) []byte {
	keep := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
			if i == len(line) {
				return line
			}
		}
		keep = i + 1
	}
	return line[:keep]
}

const globSpecial = `*?[\`

func (l *ruleList) add(line string) {
	var p pattern
	line, p.negated = strings.CutPrefix(line, "!")
	text, dirOnly := strings.CutSuffix(line, "/")
	p.dirOnly = dirOnly
	if text == "" {
		return // matches nothing
	}
	wild := strings.IndexAny(text, globSpecial)
	if !strings.Contains(text, "/") {
		switch {
		case wild < 0:
			p.kind, p.text = baseLiteral, text
		case text[0] == '*' && !strings.ContainsAny(line[1:], globSpecial):
			p.kind, p.text = baseSuffix, text[1:]
		default:
			p.kind, p.glob = baseGlob, compileGlob(text, l.fold)
		}
		l.patterns = append(l.patterns, p)
		return
	}
	if text[0] == '/' {
		text, wild = text[1:], wild-1
	}
	if wild < 0 {
		p.kind, p.text = pathLiteral, text
	} else {
		// The literal start is cut off before the rest is compiled, as git
		// does: "a**/b" has its asterisks at the start of the rest, where they
		// span directories.
		p.kind, p.text, p.glob = pathGlob, text[:wild], compileGlob(text[wild:], l.fold)
	}
	l.patterns = append(l.patterns, p)
}

// match decides on path, relative to the folder of the list, whose last
// element starts at name.
func (l *ruleList) match(path string, name int, dir bool) verdict {
	for i := len(l.patterns) - 1; i >= 0; i-- {
		p := &l.patterns[i]
		if p.dirOnly && !dir || !l.matches(p, path, path[name:]) {
			continue
		}
		if p.negated {
			return included
		}
		return ignored
	}
	return noMatch
}

func (l *ruleList) matches(p *pattern, path, base string) bool {
	switch p.kind {
	case baseLiteral:
		return l.equal(p.text, base)
	case baseSuffix:
		return len(base) >= len(p.text) && l.equal(p.text, base[len(base)-len(p.text):])
	case baseGlob:
		return p.glob.match(base, l.fold)
	case pathLiteral:
		return l.equal(p.text, path)
	}
	return len(path) >= len(p.text) && l.equal(p.text, path[:len(p.text)]) && p.glob.match(path[len(p.text):], l.fold)
}

// equal compares bytes, with ASCII letters in either case under fold.
func (l *ruleList) equal(a, b string) bool {
	if !l.fold {
		return a == b
	}
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if foldByte(a[i], true) != foldByte(b[i], true) {
			return false
		}
	}
	return true
}

// rules is a stack of lists, the deepest folder first. The first list that is
// not silent decides.
type rules struct {
	list *ruleList
	base int // where paths relative to the list's folder start in a full path
	up   *rules
}

func (r *rules) push(list *ruleList, base int) *rules {
	if list == nil {
		return r
	}
	return &rules{list, base, r}
}

// verdict decides on a full path whose last element starts at name.
func (r *rules) verdict(path string, name int, dir bool) verdict {
	for ; r != nil; r = r.up {
		if v := r.list.match(path[r.base:], name-r.base, dir); v != noMatch {
			return v
		}
	}
	return noMatch
}
