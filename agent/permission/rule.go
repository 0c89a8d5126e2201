package permission

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/topo-dev/topo/agent"
)

// Bounds of rules, which a repository can bring along.
const (
	maxRule  = 64 << 10 // bytes of one rule; a granted command can be long
	maxRules = 1000
)

// Rule is one line. The zero value of a pattern matches everything.
type Rule struct {
	Verdict agent.Verdict
	Tool    string // name of a tool or an operation; may hold *
	Pattern string // as it is written between the parentheses; empty for all
}

// String is the written form.
func (r Rule) String() string {
	s := string(r.Verdict) + " " + r.Tool
	if r.Pattern != "" {
		s += "(" + r.Pattern + ")"
	}
	return s
}

// Parse reads rules, one a line; blank lines and those that begin with # count
// for nothing.
func Parse(text string) (rules []Rule, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		r, err := ParseRule(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if rules = append(rules, r); len(rules) > maxRules {
			return nil, fmt.Errorf("line %d: there are more than %d rules", n, maxRules)
		}
	}
	return rules, nil
}

// ParseRule reads one rule.
func ParseRule(line string) (Rule, error) {
	verdict, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch v := agent.Verdict(verdict); v {
	case agent.Allow, agent.Ask, agent.Deny:
		return ParseAs(v, rest)
	}
	return Rule{}, fmt.Errorf("%.60q is not a rule: it begins with allow, ask or deny, such as allow bash(git status:*)", line)
}

// ParseAs reads a rule without its verdict, as flags take it.
func ParseAs(v agent.Verdict, text string) (Rule, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxRule || strings.ContainsAny(text, "\x00\r\n") {
		return Rule{}, fmt.Errorf("%.60q… is too long for a rule, or holds a NUL byte or a line break", text)
	}
	name, pattern, ok := strings.Cut(text, "(")
	if name = strings.TrimSpace(name); ok {
		if !strings.HasSuffix(pattern, ")") {
			return Rule{}, fmt.Errorf("%.60q has no closing parenthesis", text)
		}
		if pattern = strings.TrimSpace(strings.TrimSuffix(pattern, ")")); pattern == "" {
			return Rule{}, fmt.Errorf("%.60q has nothing between its parentheses; leave them out to mean everything", text)
		}
	}
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.*") != "" {
		return Rule{}, fmt.Errorf("%.60q does not begin with the name of a tool", text)
	}
	r := Rule{Verdict: v, Tool: name, Pattern: pattern}
	if r.Pattern == "*" || r.Pattern == "**" || r.Pattern == ":*" {
		r.Pattern = ""
	}
	return r, r.check()
}

// check refuses a pattern that would never match what its writer meant.
func (r Rule) check() error {
	if r.Pattern == "" {
		return nil
	}
	if r.op() == agent.OpExec {
		_, err := parseCommandPattern(r.Pattern)
		return err
	}
	p := r.Pattern
	if _, err := path.Match(strings.ReplaceAll(p, "**", "*"), ""); err != nil {
		return fmt.Errorf("the pattern %.60q is not valid: %w", p, err)
	}
	switch {
	case r.op() == agent.OpNet:
	case strings.HasPrefix(p, "/"), strings.HasPrefix(p, "~"):
		return fmt.Errorf("the pattern %.60q must be relative to the root: nothing outside it can be reached anyway", p)
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." {
			return errors.New("a pattern cannot hold ..: nothing outside the root can be reached anyway")
		}
	}
	return nil
}

// op is the operation that the rule is about, "" when it names a tool.
func (r Rule) op() agent.Op {
	switch r.Tool {
	case "read":
		return agent.OpRead
	case "write":
		return agent.OpWrite
	case "bash", "exec":
		return agent.OpExec
	case "net":
		return agent.OpNet
	}
	return ""
}

// appliesTo reports whether the rule names the tool, or what it does.
func (r Rule) appliesTo(tool string, op agent.Op) bool {
	if op != "" && r.op() == op {
		return true
	}
	if r.op() != "" && op != "" {
		return false // write(…) is about writing, and a tool of that name may also read
	}
	name, glob := tool, r.Tool
	if r.Verdict != agent.Allow {
		name, glob = strings.ToLower(name), strings.ToLower(glob)
	}
	ok, err := path.Match(glob, name)
	return ok && err == nil
}

// matchPath reports whether the pattern matches the path or a directory above
// it. Paths and patterns are relative to the root.
func (r Rule) matchPath(name string) bool {
	if r.Pattern == "" {
		return true
	}
	pattern := strings.TrimSuffix(strings.TrimPrefix(r.Pattern, "./"), "/")
	if r.Verdict != agent.Allow {
		pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	}
	return matchGlob(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func (r Rule) matchHost(host string) bool {
	if r.Pattern == "" {
		return true
	}
	ok, err := path.Match(strings.ToLower(r.Pattern), strings.ToLower(host))
	return ok && err == nil
}

// matchGlob matches the parts of a path, or of a directory above it. ** matches
// for any number of parts.
func matchGlob(pattern, name []string) bool {
	// reach[j] says that the pattern so far matches the first j parts.
	reach := make([]bool, len(name)+1)
	reach[0] = true
	for i, p := range pattern {
		next := make([]bool, len(name)+1)
		for j := range reach {
			if p == "**" {
				// At the end it matches at least one part: a/** is what lies below a.
				last := i == len(pattern)-1
				next[j] = reach[j] && !last || j > 0 && (next[j-1] || reach[j-1])
			} else if j > 0 && reach[j-1] {
				ok, err := path.Match(p, name[j-1])
				next[j] = ok && err == nil
			}
		}
		reach = next
	}
	for j, ok := range reach {
		if ok && (j > 0 || len(name) == 0) {
			return true
		}
	}
	return false
}

// quotePath writes a path as a pattern that matches it alone.
func quotePath(p string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(p)
}

// commandPattern is the pattern of a rule on commands.
type commandPattern struct {
	text   string   // the whole command, when it is quoted
	words  []string // otherwise the words it begins with, or consists of
	prefix bool
}

func parseCommandPattern(p string) (c commandPattern, err error) {
	if strings.HasPrefix(p, `"`) {
		if c.text, err = strconv.Unquote(p); err == nil {
			return c, nil
		}
		err = nil // a first word in quotes
	}
	if rest, ok := strings.CutSuffix(p, ":*"); ok {
		p, c.prefix = rest, true
	} else if rest, ok := strings.CutSuffix(p, " *"); ok {
		p, c.prefix = rest, true
	}
	a := analyze(p)
	if len(a.unknown) > 0 || len(a.simple) != 1 || len(a.redirects) > 0 || a.simple[0].dynamic() {
		return c, fmt.Errorf("the pattern %.60q is not one plain command: write words, such as git status:*, or the whole text in double quotes", p)
	}
	for _, w := range a.simple[0].args {
		c.words = append(c.words, w.text)
	}
	return c, nil
}
