package permission

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// How a rule that denies or asks matches.
type match int

const (
	no match = iota
	maybe
	yes
)

// allows reports whether a rule that allows covers the command: its first
// words are those of the rule, all of it is known, and nothing in it does more
// than the rule's writer could mean.
func (r Rule) allows(s simple) bool {
	if r.Pattern == "" {
		return true
	}
	c, err := parseCommandPattern(r.Pattern)
	if err != nil || len(c.words) == 0 || len(s.args) < len(c.words) || !c.prefix && len(s.args) != len(c.words) {
		return false
	}
	if s.dynamic() {
		return false
	}
	for i, w := range c.words {
		if s.args[i].text != w || s.args[i].glob && i == 0 {
			return false
		}
	}
	for _, p := range s.risks {
		if p.word == "" || !slices.Contains(c.words, p.word) {
			return false
		}
	}
	return true
}

// isText reports whether the rule is about this very text.
func (r Rule) isText(text string) bool {
	if !strings.HasPrefix(r.Pattern, `"`) {
		return false
	}
	c, err := parseCommandPattern(r.Pattern)
	return err == nil && c.text == text && c.text != ""
}

func quoteText(text string) string { return strconv.Quote(text) }

// matchesAny reports whether a rule that denies or asks is about any of the
// commands: surely, or perhaps.
func (r Rule) matchesAny(a *analysis) match {
	if r.Pattern == "" {
		return yes
	}
	c, err := parseCommandPattern(r.Pattern)
	if err != nil {
		return maybe
	}
	if len(c.words) == 0 { // a text: its words, wherever they occur
		b := analyze(c.text)
		if len(b.simple) == 0 {
			return maybe
		}
		for _, w := range b.simple[0].args {
			c.words = append(c.words, w.text)
		}
	}
	best := no
	for _, s := range a.simple {
		best = max(best, c.matches(s))
	}
	return best
}

// matches compares a command with the words of a rule that denies or asks: by
// the last part of its name, regardless of case, and taking more arguments for
// the same. When the words are there in their order with others between, as in
// git -C dir push, or an argument is not known, it may be.
func (c commandPattern) matches(s simple) match {
	if !s.args[0].static || s.args[0].glob {
		return maybe
	}
	if !strings.EqualFold(path.Base(s.args[0].text), path.Base(c.words[0])) {
		return no
	}
	sure := true
	rest := s.args[1:]
	for _, w := range c.words[1:] {
		for len(rest) > 0 && rest[0].static && !rest[0].glob && !strings.EqualFold(rest[0].text, w) {
			rest, sure = rest[1:], false
		}
		if len(rest) == 0 {
			return no
		}
		if !rest[0].static || rest[0].glob {
			return maybe
		}
		rest = rest[1:]
	}
	if sure {
		return yes
	}
	return maybe
}
