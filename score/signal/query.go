package signal

import (
	"math"
	"strings"
	"unicode"

	"github.com/topo-dev/topo/index/token"
)

// Bounds of a query.
const (
	maxQuery    = 256 << 10 // bytes read; a report with its stack traces has a tenth of it
	maxTerms    = 150       // looked up: those with the largest product of weight and IDF
	maxIdents   = 400
	maxMentions = 600
	maxPairs    = 600 // adjacent words looked for in the candidates
)

// Weights of a term by where it occurs: the first line of a text of several
// lines is its title; code names what prose describes.
const (
	titleWeight = 2
	codeWeight  = 1.5
)

// term is one distinct term of the query.
type term struct {
	text   string
	weight float64
	title  bool
	code   bool
	count  int
	df     int
	idf    float64
}

// ident is a word as written, with the terms it is made of.
type ident struct {
	name  string
	parts []int // in query.terms
	title bool
	code  bool // occurs in code or looks like code
}

// query is a question taken apart.
type query struct {
	text     string
	title    string // first line
	terms    []term
	at       map[string]int
	seq      []int // the terms in order; -1 where a part ends
	idents   []ident
	mentions [][]string // segments of what looks like a path or a dotted name
}

func parseQuery(text string) *query {
	text = text[:min(len(text), maxQuery)]
	q := &query{text: text, at: map[string]int{}}
	trimmed := strings.TrimSpace(text)
	var several bool
	q.title, _, several = strings.Cut(trimmed, "\n")
	p := queryParser{query: q, seen: map[string]int{}}
	first := true
	EachPart(trimmed, func(part string, weight float64) {
		p.part(part, weight, first || !several)
		first = false
	})
	for i := range q.terms {
		q.terms[i].weight *= (1 + math.Log(float64(q.terms[i].count))) * taskWeight(q.terms[i].text)
	}
	q.addMentions(text)
	return q
}

type queryParser struct {
	*query
	split token.Splitter
	seen  map[string]int // identifiers
}

func (p *queryParser) part(part string, weight float64, title bool) {
	code := weight == codeWeight
	p.split.Each([]byte(part), func(t []byte) {
		i, ok := p.at[string(t)]
		if !ok {
			i = len(p.terms)
			p.at[string(t)] = i
			p.terms = append(p.terms, term{text: string(t)})
		}
		x := &p.terms[i]
		x.count++
		x.weight = max(x.weight, weight)
		x.title, x.code = x.title || title, x.code || code
		p.seq = append(p.seq, i)
	})
	p.seq = append(p.seq, -1)
	for _, w := range strings.FieldsFunc(part, notInWord) {
		if len(w) < 3 || len(w) > 80 {
			continue
		}
		i, ok := p.seen[w]
		if !ok {
			if i = p.newIdent(w); i < 0 {
				continue
			}
		}
		p.idents[i].title = p.idents[i].title || title
		p.idents[i].code = p.idents[i].code || code || looksLikeCode(w)
	}
}

// newIdent adds a word, -1 when it holds no term or there are too many.
func (p *queryParser) newIdent(w string) int {
	if len(p.idents) >= maxIdents {
		return -1
	}
	id := ident{name: w}
	p.split.Each([]byte(w), func(t []byte) {
		if k, ok := p.at[string(t)]; ok {
			id.parts = append(id.parts, k)
		}
	})
	if len(id.parts) == 0 {
		return -1
	}
	p.seen[w] = len(p.idents)
	p.idents = append(p.idents, id)
	return len(p.idents) - 1
}

func notInWord(r rune) bool { return !(unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') }

// looksLikeCode reports whether a word is snake_case or camelCase.
func looksLikeCode(w string) bool {
	lower := false
	for _, r := range w {
		switch {
		case r == '_' && len(strings.Trim(w, "_")) > 1, lower && unicode.IsUpper(r):
			return true
		case unicode.IsLower(r):
			lower = true
		}
	}
	return false
}

// EachPart cuts a text into parts of equal weight. A text of one line has
// weight 1, except for what is in backticks.
func EachPart(text string, fn func(part string, weight float64)) {
	lines := strings.Split(text, "\n")
	fenced := false
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fenced = !fenced
		case i == 0 && len(lines) > 1:
			fn(line, titleWeight)
		case fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"):
			fn(line, codeWeight)
		default:
			inline := strings.Split(line, "`")
			for k, part := range inline {
				if k%2 == 1 && k < len(inline)-1 {
					fn(part, codeWeight)
				} else {
					fn(part, 1)
				}
			}
		}
	}
}

// addMentions collects what may name a file: paths, file:line, dotted modules.
func (q *query) addMentions(text string) {
	seen := map[string]bool{}
	for _, word := range strings.FieldsFunc(text, NotInPath) {
		word = strings.Trim(word, "./\\:-")
		if len(word) < 4 || len(word) > 400 || seen[word] {
			continue
		}
		seen[word] = true
		segs := strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return strings.ContainsRune(`/\.:`, r) })
		if len(segs) < 2 {
			continue
		}
		for len(segs) > 1 && strings.Trim(segs[len(segs)-1], "0123456789") == "" {
			segs = segs[:len(segs)-1] // the line
		}
		if q.mentions = append(q.mentions, segs); len(q.mentions) > maxMentions {
			return
		}
	}
}

// NotInPath reports whether a character ends a path or a dotted name in a text.
func NotInPath(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r >= 0x80:
		return false
	}
	return !strings.ContainsRune(`_-./\:`, r)
}
