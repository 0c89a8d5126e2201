package chunk

import "bytes"

// condition is one #if … #endif that is open.
type condition struct {
	lines    []span // its directives
	starts   []int  // where each branch starts
	balances []balance
	depth    balance // at the #if
	dangling bool    // a branch ends with "else" or an operator
	cplus    bool
	zero     bool
}

type balance struct{ brace, paren int }

// cFlatten blanks the branches of conditional compilation that cannot be read
// side by side: see [cPrepare]. The result is a copy.
func cFlatten(src []byte) []byte {
	out := bytes.Clone(src)
	var open []condition
	var now balance
	var lastWord string
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c == '#' && onlyBlankBefore(src, i):
			end := directiveEnd(src, i)
			open, now = directive(src, out, open, now, span{i, end}, lastWord)
			i = end
			continue
		case c == '"' || c == '\'' || c == '/':
			if next := skipLiteral(src, i); next > i {
				i = next
				continue
			}
		case c == '{':
			now.brace++
		case c == '}':
			now.brace--
		case c == '(':
			now.paren++
		case c == ')':
			now.paren--
		case identByte(c):
			start := i
			for i < len(src) && identByte(src[i]) {
				i++
			}
			lastWord = ""
			if i-start == 4 {
				lastWord = string(src[start:i])
			}
			continue
		}
		if !isSpace(src[i]) {
			lastWord = ""
		}
		i++
	}
	return out
}

// directive follows one preprocessor line.
func directive(src, out []byte, open []condition, now balance, line span, lastWord string) ([]condition, balance) {
	text := bytes.TrimLeft(src[line.start+1:line.end], " \t")
	word := wordAt(text)
	top := len(open) - 1
	switch word {
	case "if", "ifdef", "ifndef":
		cond := bytes.TrimSpace(text[len(word):])
		open = append(open, condition{lines: []span{line}, starts: []int{line.end}, depth: now,
			cplus: bytes.Contains(cond, []byte("__cplusplus")), zero: word == "if" && string(cond) == "0"})
	case "else", "elif", "elifdef", "elifndef":
		if top >= 0 {
			c := &open[top]
			c.branch(now, lastWord)
			c.lines, c.starts = append(c.lines, line), append(c.starts, line.end)
			now = c.depth
		}
	case "endif":
		if top >= 0 {
			c := &open[top]
			c.branch(now, lastWord)
			c.lines = append(c.lines, line)
			now = c.close(out)
			open = open[:top]
		}
	}
	return open, now
}

// branch ends the current branch.
func (c *condition) branch(now balance, lastWord string) {
	c.balances = append(c.balances, balance{now.brace - c.depth.brace, now.paren - c.depth.paren})
	c.dangling = c.dangling || lastWord == "else"
}

// close blanks what must go and gives the depth after the #endif.
func (c *condition) close(out []byte) balance {
	flat := c.depth.paren > 0 || c.dangling
	for _, b := range c.balances {
		flat = flat || b != balance{}
	}
	keep := 0
	if c.zero && len(c.starts) > 1 {
		keep = 1
	}
	after := balance{c.depth.brace + c.balances[keep].brace, c.depth.paren + c.balances[keep].paren}
	if !flat {
		return c.depth
	}
	if c.cplus && len(c.starts) == 1 && c.balances[0].paren == 0 { // extern "C" { … or its end
		keep, after = -1, c.depth
	}
	for i, l := range c.lines {
		fill(out, l.start, l.end)
		if i < len(c.starts) && i != keep {
			fill(out, c.starts[i], c.lines[i+1].start)
		}
	}
	return after
}

func fill(out []byte, from, to int) {
	for i := from; i < to; i++ {
		if !isSpace(out[i]) {
			out[i] = '\t'
		}
	}
}
