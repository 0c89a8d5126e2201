package query

import (
	"strings"
)

// The limits of a query's text. They bound the parser's and the executor's
// stack.
const (
	maxText  = 64 << 10 // bytes
	maxDepth = 200      // expressions within expressions
	maxHops  = 32       // upper bound of a path of variable length
	maxParts = 64       // relationships of all patterns together
)

type parser struct {
	src    string
	tokens []token
	at     int
	depth  int
	rels   int
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != tokEnd {
		p.at++
	}
	return t
}

// ahead looks n tokens beyond the next one.
func (p *parser) ahead(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

// accept takes the next token if it is that keyword or sign.
func (p *parser) accept(s string) bool {
	if !p.peek().is(s) {
		return false
	}
	p.at++
	return true
}

func (p *parser) expect(s, where string) error {
	if p.accept(s) {
		return nil
	}
	return p.unexpected("expected " + s + " " + where)
}

// unexpected names what is at the next token, and says so when it is a
// known construct outside of the subset.
func (p *parser) unexpected(wanted string) error {
	t := p.peek()
	if c, hint := construct(t, p.ahead(1)); c != "" {
		return outside(p.src, t.pos, c, hint)
	}
	return syntax(p.src, t.pos, "%s, found %s", wanted, t.show())
}

const readOnly = "the graph is only read; a query is MATCH … WHERE … RETURN …"

// outsiders are the clauses of openCypher left out, with what to do instead.
var outsiders = map[string]string{
	"CREATE": readOnly, "MERGE": readOnly, "DELETE": readOnly, "DETACH": readOnly,
	"SET": readOnly, "REMOVE": readOnly, "FOREACH": readOnly, "DROP": readOnly, "LOAD": readOnly,
	"CALL":     "there are no procedures; see the other graph commands",
	"WITH":     "write one MATCH … RETURN … and go on with the records it prints",
	"UNWIND":   "use IN with a list",
	"OPTIONAL": "leave the part out, or ask for it in a second query",
	"UNION":    "use OR, several labels or types with |, or two queries",
	"USE":      "the graph is that of the opened index",
	"EXPLAIN":  "", "PROFILE": "", "USING": "", "START": "", "FINISH": "", "FOR": "",
	"CASE": "compare in WHERE instead",
}

func construct(t, after token) (name, hint string) {
	if t.kind == tokName && !t.quoted {
		name = strings.ToUpper(t.text)
		if hint, ok := outsiders[name]; ok {
			switch {
			case name == "OPTIONAL" && after.is("MATCH"), name == "DETACH" && after.is("DELETE"):
				name += " " + strings.ToUpper(after.text)
			}
			return name, hint
		}
	}
	return "", ""
}

// parse reads a whole query.
func parse(src string) (*statement, error) {
	if len(src) > maxText {
		return nil, syntax(src, maxText, "the query is longer than %d KiB", maxText>>10)
	}
	tokens, err := lex(src)
	if err != nil {
		return nil, err
	}
	p := &parser{src: src, tokens: tokens}
	s := &statement{}
	for {
		if !p.accept("MATCH") {
			return nil, p.unexpected("a query starts with MATCH")
		}
		m, err := p.match()
		if err != nil {
			return nil, err
		}
		s.matches = append(s.matches, m)
		if !p.peek().is("MATCH") {
			break
		}
	}
	if err := p.expect("RETURN", "after the patterns"); err != nil {
		return nil, err
	}
	if err := p.returns(s); err != nil {
		return nil, err
	}
	p.accept(";")
	if p.peek().kind != tokEnd {
		return nil, p.unexpected("expected the end of the query")
	}
	return s, nil
}

func (p *parser) match() (*matchClause, error) {
	m := &matchClause{}
	for {
		part, err := p.namedPattern()
		if err != nil {
			return nil, err
		}
		m.patterns = append(m.patterns, part)
		if !p.accept(",") {
			break
		}
	}
	if p.accept("WHERE") {
		var err error
		m.where, err = p.expression()
		return m, err
	}
	return m, nil
}

func (p *parser) returns(s *statement) error {
	s.distinct = p.accept("DISTINCT")
	if p.peek().is("*") {
		p.next()
		s.star = true
	}
	for !s.star || p.accept(",") {
		start := p.peek().pos
		x, err := p.expression()
		if err != nil {
			return err
		}
		c := column{x: x, alias: p.src[start:p.tokens[p.at-1].end]}
		if p.accept("AS") {
			t := p.next()
			if t.kind != tokName || t.text == "" {
				p.at--
				return p.unexpected("expected a name after AS")
			}
			c.alias = t.text
		}
		s.columns = append(s.columns, c)
		if !s.star && !p.accept(",") {
			break
		}
	}
	return p.tail(s)
}

// tail reads ORDER BY, SKIP and LIMIT.
func (p *parser) tail(s *statement) (err error) {
	if p.accept("ORDER") {
		if err := p.expect("BY", "after ORDER"); err != nil {
			return err
		}
		for {
			k := sortKey{}
			if k.x, err = p.expression(); err != nil {
				return err
			}
			switch {
			case p.accept("DESC") || p.accept("DESCENDING"):
				k.desc = true
			case p.accept("ASC") || p.accept("ASCENDING"):
			}
			s.order = append(s.order, k)
			if !p.accept(",") {
				break
			}
		}
	}
	if p.accept("SKIP") {
		if s.skip, err = p.expression(); err != nil {
			return err
		}
	}
	if p.accept("LIMIT") {
		s.limit, err = p.expression()
	}
	return err
}
