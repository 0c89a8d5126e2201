package chunk

import "strings"

// csharpInactive are the branches of conditions with several branches that a
// compiler without defined symbols leaves out, in order. Their definitions are read
// like all others. What they say inside of a function is not: of two ways to do
// something, a build takes one.
func csharpInactive(text []byte) (out []span) {
	var open []csharpCondition
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && text[end] != '\n' {
			end++
		}
		line := strings.TrimSpace(string(text[at:min(end, at+maxName)]))
		if strings.HasPrefix(line, "#") {
			line = strings.TrimLeft(line[1:], " \t")
			word := wordAt([]byte(line))
			n := len(open) - 1
			switch {
			case word == "if" && n < maxScopeDepth:
				open = append(open, csharpCondition{})
				open[n+1].branch(end, line[len(word):])
			case (word == "else" || word == "elif") && n >= 0:
				condition := "true"
				if word == "elif" {
					condition = line[len(word):]
				}
				open[n].end(at)
				open[n].branch(end, condition)
			case word == "endif" && n >= 0:
				open[n].end(at)
				out = append(out, open[n].left()...)
				open = open[:n]
			}
		}
		at = end + 1
	}
	return out
}

// csharpCondition is one #if … #endif.
type csharpCondition struct {
	branches []span
	taken    int // the number of the branch that holds, from 1; 0 for none yet
}

func (c *csharpCondition) branch(at int, condition string) {
	c.branches = append(c.branches, span{at, at})
	if e := (csharpExpr{text: condition}); c.taken == 0 && e.or(0) {
		c.taken = len(c.branches)
	}
}

func (c *csharpCondition) end(at int) { c.branches[len(c.branches)-1].end = at }

// left are the branches that do not hold, where there are several.
func (c *csharpCondition) left() (out []span) {
	for i, b := range c.branches {
		if len(c.branches) > 1 && i+1 != c.taken {
			out = append(out, b)
		}
	}
	return out
}

// csharpExpr is the rest of a condition. No symbol in it is defined.
type csharpExpr struct{ text string }

func (e *csharpExpr) next(token string) bool {
	e.text = strings.TrimLeft(e.text, " \t")
	rest, ok := strings.CutPrefix(e.text, token)
	if ok {
		e.text = rest
	}
	return ok
}

func (e *csharpExpr) or(depth int) bool {
	v := e.and(depth)
	for e.next("||") {
		v = e.and(depth) || v
	}
	return v
}

func (e *csharpExpr) and(depth int) bool {
	v := e.equal(depth)
	for e.next("&&") {
		v = e.equal(depth) && v
	}
	return v
}

func (e *csharpExpr) equal(depth int) bool {
	v := e.unary(depth)
	for {
		switch {
		case e.next("=="):
			v = v == e.unary(depth)
		case e.next("!="):
			v = v != e.unary(depth)
		default:
			return v
		}
	}
}

func (e *csharpExpr) unary(depth int) bool {
	switch {
	case depth > maxDepth:
		e.text = ""
		return false
	case e.next("!"):
		return !e.unary(depth + 1)
	case e.next("("):
		v := e.or(depth + 1)
		e.next(")")
		return v
	}
	word := wordAt([]byte(e.text))
	e.text = e.text[len(word):]
	return word == "true"
}
