package permission

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/topo-dev/topo/agent"
)

// wideGrants are commands for which a grant covers all arguments: they look,
// build or test, and an argument that does more needs another grant. For all
// others a grant covers the same arguments only.
var wideGrants = []string{
	"cargo build", "cargo check", "cargo clippy", "cargo fmt", "cargo test", "cat", "du", "file", "git blame", "git diff",
	"git log", "git ls-files", "git show", "git status", "go build", "go doc", "go list", "go test", "go vet",
	"grep", "head", "ls", "npm test", "pytest", "rg", "stat", "tail", "wc",
}

// Remember implements [agent.Gate]: it allows what the call does for the rest of
// the session, and little more.
func (p *Policy) Remember(spec agent.ToolSpec, access []agent.Access) []string {
	var rules []Rule
	if len(access) == 0 {
		rules = append(rules, Rule{Verdict: agent.Allow, Tool: spec.Name})
	}
	for _, a := range access {
		switch a.Op {
		case agent.OpExec:
			rules = append(rules, p.commandRules(spec, a.Command)...)
		case agent.OpNet:
			rules = append(rules, Rule{agent.Allow, "net", a.Host})
		case agent.OpRead, agent.OpWrite:
			rules = append(rules, pathRule(a))
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	written := make([]string, 0, len(rules))
	for _, r := range rules {
		parsed, err := ParseRule(r.String())
		if err != nil {
			continue // such as an invalid host: the next use asks again
		}
		if !slices.Contains(p.granted, parsed) {
			p.granted = append(p.granted, parsed)
		}
		written = append(written, parsed.String())
	}
	return written
}

func pathRule(a agent.Access) Rule {
	r := Rule{Verdict: agent.Allow, Tool: string(a.Op), Pattern: quotePath(a.Path)}
	if a.Path == "." {
		r.Pattern = ""
	}
	return r
}

// commandRules grants each command of a plain line by its words, and any other
// line as the text it is.
func (p *Policy) commandRules(spec agent.ToolSpec, text string) (rules []Rule) {
	a := analyze(text)
	j := p.judge(spec)
	j.addPathRisks(a)
	plain := len(a.unknown) == 0 && len(a.redirects) == 0 && len(a.simple) > 0
	for _, s := range a.simple {
		if s.needsNoRule && len(s.risks) == 0 {
			continue
		}
		pattern, ok := wordsPattern(s)
		plain = plain && ok
		rules = append(rules, Rule{agent.Allow, "bash", pattern})
	}
	if !plain || len(rules) == 0 {
		return []Rule{{agent.Allow, "bash", quoteText(text)}}
	}
	return rules
}

func wordsPattern(s simple) (string, bool) {
	if s.dynamic() {
		return "", false
	}
	var quoted []string
	for _, w := range s.args {
		if w.glob {
			return "", false
		}
		q, err := syntax.Quote(w.text, syntax.LangPOSIX)
		if err != nil {
			return "", false
		}
		quoted = append(quoted, q)
	}
	line := strings.Join(quoted, " ")
	if len(s.risks) == 0 {
		for _, w := range wideGrants {
			if line == w || strings.HasPrefix(line, w+" ") {
				return w + ":*", true
			}
		}
	}
	if strings.HasSuffix(line, "*") || strings.HasPrefix(line, `"`) || strings.Contains(line, "\n") {
		return "", false
	}
	return line, true
}
