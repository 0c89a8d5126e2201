package chunk

import (
	"bytes"
	"regexp"
	"sort"
	"strings"
	"sync"
)

// patterns cut a language that no grammar reads: each pattern is tried on
// every line that is not a comment, and says how to find the end of its
// match. A chunk found this way always has an end.
type patterns struct {
	defs    []pattern
	imports []string // expressions whose first group is the path
	// endWords close a block of the byKeyword style, on a line of their own
	// at the block's indentation or less.
	endWords string
	// folded languages do not tell upper from lower case.
	folded bool
	ready  func() *lineMatcher
}

// pattern is one kind of definition.
type pattern struct {
	kind Kind
	expr string // matched against the line; the first group that matched is the name
	end  ending
}

// ending is how the end of a definition is found.
type ending uint8

const (
	byLine      ending = iota // the line, and the lines that continue it by indentation
	byBrace                   // the brace that matches the first one; the line when there is none
	byParen                   // the parenthesis that matches the first of the line
	byIndent                  // the lines indented more
	byKeyword                 // the end word at the same indentation
	byNext                    // the next line that this pattern or a higher one matches
	byDot                     // the line that ends with a full stop
	byBlank                   // the next empty line
	byStatement               // the next line that ends with a semicolon, or is "GO" or "/"
)

// lineMatcher is the compiled form of patterns.
type lineMatcher struct {
	defs    []*regexp.Regexp
	imports []*regexp.Regexp
	ends    *regexp.Regexp
}

// withMatcher prepares a table: the expressions are compiled on first use.
func withMatcher(p patterns) *patterns {
	p.ready = sync.OnceValue(func() *lineMatcher {
		flags := ""
		if p.folded {
			flags = "(?i)"
		}
		m := &lineMatcher{}
		for _, d := range p.defs {
			m.defs = append(m.defs, regexp.MustCompile(flags+d.expr))
		}
		for _, e := range p.imports {
			m.imports = append(m.imports, regexp.MustCompile(flags+e))
		}
		if p.endWords != "" {
			m.ends = regexp.MustCompile(flags + `^\s*(?:` + p.endWords + `)`)
		}
		return m
	})
	return &p
}

// maxWork bounds the search for the ends of definitions, in lengths of the
// file: past it a definition ends with its line.
const maxWork = 16

const maxPatternLine = 1000 // bytes; longer lines are not looked at

// chunks finds the definitions and imports of src, a file in the language.
func (p *patterns) chunks(language string, src []byte) Result {
	b := newBuilder(src, language)
	b.out.Parser = howPattern
	p.scan(b, true)
	return b.result()
}

// fill adds the definitions that a syntax tree with errors did not give.
func (p *patterns) fill(b *builder) {
	have := map[defKey]bool{}
	for _, c := range b.out.Chunks {
		for l, last := c.StartLine, b.lines.at(max(c.StartByte, c.SigEnd-1)); l <= last; l++ {
			have[defKey{c.Name, l}] = true
		}
	}
	before := len(b.out.Chunks)
	p.scan(b, false)
	kept := b.out.Chunks[:before]
	for _, c := range b.out.Chunks[before:] {
		if !have[defKey{c.Name, c.StartLine}] {
			kept = append(kept, c)
		}
	}
	b.out.Chunks = kept
}

// scan goes over the lines.
func (p *patterns) scan(b *builder, imports bool) {
	m := p.ready()
	first := len(b.out.Chunks)
	inBlock := 0 // end of the block comment or literal that covers the line
	for at := 0; at < len(b.src); {
		end := at + lineLength(b.src[at:])
		line := bytes.TrimRight(b.src[at:end], "\r")
		trimmed := bytes.TrimLeft(line, " \t")
		switch {
		case at < inBlock || len(trimmed) == 0 || len(line) > maxPatternLine:
		case b.comments.length(trimmed) > 0:
			inBlock = at + (len(line) - len(trimmed)) + b.comments.length(b.src[at+len(line)-len(trimmed):])
		default:
			p.line(b, m, at, line, imports)
		}
		at = end + 1
	}
	scopeBySpan(b.out.Chunks[first:])
}

func lineLength(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// line tries the patterns on one line.
func (p *patterns) line(b *builder, m *lineMatcher, at int, line []byte, imports bool) {
	if imports {
		for _, e := range m.imports {
			if g := firstGroup(e, line); g != nil {
				b.importAt(string(line[g[0]:g[1]]), at)
				b.importChunk(at+indentOf(line), at+len(line))
				return
			}
		}
	}
	for i, e := range m.defs {
		g := firstGroup(e, line)
		if g == nil {
			continue
		}
		c := Chunk{Kind: p.defs[i].kind, Name: string(bytes.TrimSpace(line[g[0]:g[1]]))}
		if c.Name == "" {
			continue
		}
		c.StartByte = at + indentOf(line)
		c.EndByte, c.SigEnd = at+len(line), at+len(line)
		if b.work < maxWork*len(b.src)+1<<20 {
			c.EndByte, c.SigEnd = p.endOf(b.src, m, at, len(line), i)
			if b.work += c.EndByte - at; c.EndByte <= at+len(line) || c.EndByte == len(b.src) { // looked for in vain
				b.work += len(b.src) - at
			}
		}
		c.DocStart, c.DocEnd = b.comments.docBefore(b.src, c.StartByte)
		b.add(c)
		return
	}
}

func firstGroup(e *regexp.Regexp, line []byte) []int {
	g := e.FindSubmatchIndex(line)
	for k := 2; k+1 < len(g); k += 2 {
		if g[k] >= 0 {
			return g[k : k+2]
		}
	}
	return nil
}

func indentOf(line []byte) int {
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return n
}

// endOf finds the end of the definition on the line at; sig is where its
// signature ends.
func (p *patterns) endOf(src []byte, m *lineMatcher, at, length, which int) (end, sig int) {
	sig = at + length
	switch p.defs[which].end {
	case byBrace:
		return braceEnd(src, at, sig)
	case byParen:
		if open := bytes.IndexByte(src[at:sig], '('); open >= 0 {
			if end := matching(src, at+open, maxSource); end > 0 {
				return end, sig
			}
		}
		return indentEnd(src, at, sig), sig
	case byIndent, byLine:
		return indentEnd(src, at, sig), sig
	case byKeyword:
		end := p.keywordEnd(src, m, at, sig)
		return end, sig
	case byNext:
		return p.nextEnd(src, m, sig, which), sig
	case byDot:
		return dotEnd(src, at), sig
	case byStatement:
		return statementEnd(src, at), sig
	case byBlank:
		if n := bytes.Index(src[sig:], []byte("\n\n")); n >= 0 {
			return sig + n, sig
		}
		return len(src), sig
	}
	return sig, sig
}

// braceEnd looks for the body's brace on the line or the next few, before a
// semicolon.
func braceEnd(src []byte, at, sig int) (end, sigEnd int) {
	const head = 2 << 10 // bytes of a signature
	for i := at; i < min(len(src), at+head); {
		switch src[i] {
		case '{':
			if end := matching(src, i, maxSource); end > 0 {
				return end, i
			}
			return sig, sig
		case ';':
			return i + 1, i + 1
		case '(', '[':
			if next := matching(src, i, head); next > 0 {
				i = next
				continue
			}
		case '"', '\'', '/':
			if next := skipLiteral(src, i); next > i {
				i = next
				continue
			}
		case '\n':
			next := skipBlank(src, i)
			if next < len(src) && i >= sig && src[next] != '{' && indentOf(src[lineStart(src, next):]) <= indentOf(src[at:]) {
				return sig, sig
			}
		}
		i++
	}
	return sig, sig
}

// indentEnd is the end of the lines indented more than the one at at.
func indentEnd(src []byte, at, sig int) int {
	own, end := indentOf(src[at:sig]), sig
	for next := sig + 1; next < len(src); {
		n := lineLength(src[next:])
		line := src[next : next+n]
		if len(bytes.TrimSpace(line)) > 0 {
			if indentOf(line) <= own {
				break
			}
			end = next + n
		}
		next += n + 1
	}
	return end
}

func (p *patterns) keywordEnd(src []byte, m *lineMatcher, at, sig int) int {
	own := indentOf(src[at:sig])
	for next := sig + 1; next < len(src); {
		n := lineLength(src[next:])
		line := src[next : next+n]
		if m.ends != nil && indentOf(line) <= own && m.ends.Match(line) {
			return next + n
		}
		next += n + 1
	}
	if end := indentEnd(src, at, sig); end < len(src) {
		return end
	}
	return sig
}

// nextEnd is the start of the next line that one of the patterns up to which
// matches.
func (p *patterns) nextEnd(src []byte, m *lineMatcher, sig, which int) int {
	for next := sig + 1; next < len(src); {
		n := lineLength(src[next:])
		if line := src[next : next+n]; n > 0 && n <= maxPatternLine {
			for _, e := range m.defs[:which+1] {
				if e.Match(line) {
					return next
				}
			}
		}
		next += n + 1
	}
	return len(src)
}

// dotEnd is the end of the first line that ends with a full stop.
func dotEnd(src []byte, at int) int {
	for at < len(src) {
		n := lineLength(src[at:])
		line := src[at : at+n]
		if i := bytes.IndexByte(line, '%'); i >= 0 {
			line = line[:i]
		}
		at += n
		if bytes.HasSuffix(bytes.TrimSpace(line), []byte(".")) {
			return at
		}
		at++
	}
	return len(src)
}

// statementEnd is the end of a statement of SQL: of its body when that is
// quoted by dollars.
func statementEnd(src []byte, at int) int {
	quoted := false
	for at < len(src) {
		n := lineLength(src[at:])
		line := bytes.TrimSpace(src[at : at+n])
		if bytes.Count(line, []byte("$$"))%2 == 1 {
			quoted = !quoted
		}
		if word := string(line); !quoted && (bytes.HasSuffix(line, []byte(";")) || strings.EqualFold(word, "go") || word == "/") {
			return at + n
		}
		at += n + 1
	}
	return len(src)
}

// scopeBySpan gives each chunk the names of the types and modules around it.
func scopeBySpan(cs []Chunk) {
	sort.SliceStable(cs, func(i, j int) bool {
		if cs[i].StartByte != cs[j].StartByte {
			return cs[i].StartByte < cs[j].StartByte
		}
		return cs[i].EndByte > cs[j].EndByte
	})
	var open []Chunk
	for i := range cs {
		for len(open) > 0 && open[len(open)-1].EndByte < cs[i].EndByte {
			open = open[:len(open)-1]
		}
		if k := len(open); k > 0 && k < maxScopeDepth {
			cs[i].Scope = clip(open[k-1].Qualified())
			if cs[i].Kind == Function && (open[k-1].Kind == Type || open[k-1].Kind == Impl) {
				cs[i].Kind = Method
			}
		}
		if cs[i].Kind == Type || cs[i].Kind == Impl || cs[i].Kind == Other || cs[i].Kind == Section || cs[i].Kind == Function {
			open = append(open, cs[i])
		}
	}
}

// alternatives joins words to an expression.
func alternatives(words string) string {
	return `(?:` + strings.Join(strings.Fields(words), "|") + `)`
}
