package permission

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/topo-dev/topo/agent"
)

// Preset decides when no rule applies.
type Preset string

// Presets.
const (
	Default  Preset = "default"   // reading is allowed, everything else needs an answer
	Yes      Preset = "yes"       // everything is allowed
	ReadOnly Preset = "read-only" // reading is allowed, everything else denied, whatever the rules say
)

// Options is what a policy is made of.
type Options struct {
	Preset  Preset
	User    []Rule // of the user's own settings and flags
	Repo    []Rule // of the repository's settings: those that allow do not count
	Session []Rule // granted by a person in this session

	// Access tells what a path in a command leads to, as the tools see it, or why
	// it cannot be reached; nil judges paths by their text.
	Access func(op agent.Op, path string) ([]agent.Access, error)
}

// Policy is an [agent.Gate]. It is safe for concurrent use.
type Policy struct {
	o       Options
	mu      sync.Mutex
	granted []Rule
}

// New makes a policy.
func New(o Options) *Policy {
	p := &Policy{o: o, granted: slices.Clone(o.Session)}
	if p.o.Preset == "" {
		p.o.Preset = Default
	}
	p.o.Repo = slices.DeleteFunc(slices.Clone(o.Repo), func(r Rule) bool { return r.Verdict == agent.Allow })
	return p
}

// Unheeded returns the rules of a repository that count for nothing because
// they allow, for a message that says so.
func Unheeded(repo []Rule) []Rule {
	return slices.DeleteFunc(slices.Clone(repo), func(r Rule) bool { return r.Verdict != agent.Allow })
}

// Rules are the written forms of all rules that count, in the order they do.
// The preset comes first as a comment.
func (p *Policy) Rules() []string {
	list := []string{"# " + string(p.o.Preset)}
	for _, r := range p.all() {
		list = append(list, r.String())
	}
	return list
}

// Granted are the rules that a person granted in this session.
func (p *Policy) Granted() []Rule {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.granted)
}

func (p *Policy) all() (list []Rule) {
	list = append(list, p.o.User...)
	list = append(list, p.o.Repo...)
	return append(list, p.Granted()...)
}

// Decide implements [agent.Gate].
func (p *Policy) Decide(spec agent.ToolSpec, _ agent.Call, access []agent.Access) agent.Decision {
	j := p.judge(spec)
	if len(access) == 0 {
		return j.tool()
	}
	d := agent.Decision{Verdict: agent.Allow}
	for i, a := range access {
		if one := j.access(a); i == 0 || stricter(one, d) {
			d = one
		}
	}
	return d
}

// Readable reports whether no rule denies to read the path, for tools that read
// many files in one call.
func (p *Policy) Readable(name string) bool {
	j := p.judge(agent.ToolSpec{ReadOnly: true})
	d, ok := j.rules(agent.Deny, agent.OpRead, func(r Rule) bool { return r.matchPath(name) })
	return !ok || d.Verdict != agent.Deny
}

func stricter(a, b agent.Decision) bool { return rank(a.Verdict) > rank(b.Verdict) }

func rank(v agent.Verdict) int {
	switch v {
	case agent.Allow:
		return 0
	case agent.Ask:
		return 1
	}
	return 2
}

// judge decides about one call.
type judge struct {
	*Policy
	spec    agent.ToolSpec
	granted []Rule
}

func (p *Policy) judge(spec agent.ToolSpec) judge { return judge{p, spec, p.Granted()} }

// rules returns the decision of the first rule with the verdict that applies to
// the operation and matches.
func (j judge) rules(v agent.Verdict, op agent.Op, match func(Rule) bool) (agent.Decision, bool) {
	for _, list := range [][]Rule{j.o.User, j.o.Repo} {
		if d, ok := j.first(list, v, op, match); ok {
			return d, true
		}
	}
	if v == agent.Deny {
		return j.first(j.granted, v, op, match)
	}
	return agent.Decision{}, false
}

func (j judge) first(list []Rule, v agent.Verdict, op agent.Op, match func(Rule) bool) (agent.Decision, bool) {
	for _, r := range list {
		if r.Verdict == v && r.appliesTo(j.spec.Name, op) && match(r) {
			return agent.Decision{Verdict: v, Rule: r.String()}, true
		}
	}
	return agent.Decision{}, false
}

// byRules decides by the rules in their order, and by the preset last.
func (j judge) byRules(op agent.Op, match func(Rule) bool) agent.Decision {
	if d, ok := j.readOnly(op); ok {
		return d
	}
	if d, ok := j.rules(agent.Deny, op, match); ok {
		return denied(d)
	}
	if d, ok := j.first(j.granted, agent.Allow, op, match); ok {
		return d
	}
	for _, v := range []agent.Verdict{agent.Ask, agent.Allow} {
		if d, ok := j.rules(v, op, match); ok {
			return d
		}
	}
	return j.preset(op)
}

func (j judge) readOnly(op agent.Op) (agent.Decision, bool) {
	if j.o.Preset != ReadOnly || op == agent.OpRead || op == "" && j.spec.ReadOnly {
		return agent.Decision{}, false
	}
	return agent.Decision{Verdict: agent.Deny, Rule: string(ReadOnly),
		Reason: "this session only reads: describe the change instead of making it"}, true
}

func (j judge) preset(op agent.Op) agent.Decision {
	d := agent.Decision{Verdict: agent.Ask, Rule: string(j.o.Preset)}
	if j.o.Preset == Yes || op == agent.OpRead || op == "" && j.spec.ReadOnly {
		d.Verdict = agent.Allow
	}
	return d
}

func denied(d agent.Decision) agent.Decision {
	if d.Reason == "" {
		d.Reason = "the rule " + d.Rule + " denies it: find another way, or say why it is needed"
	}
	return d
}

// tool judges a call that touches nothing it can name.
func (j judge) tool() agent.Decision {
	return j.byRules("", func(r Rule) bool { return r.Pattern == "" })
}

func (j judge) access(a agent.Access) agent.Decision {
	switch a.Op {
	case agent.OpRead, agent.OpWrite:
		if name := path.Clean(a.Path); name == ".." || strings.HasPrefix(name, "../") || path.IsAbs(name) {
			return agent.Decision{Verdict: agent.Deny, Rule: "root", Reason: a.Path + " leaves the root; only files below it can be reached"}
		}
		return j.byRules(a.Op, func(r Rule) bool { return r.matchPath(path.Clean(a.Path)) })
	case agent.OpNet:
		return j.byRules(a.Op, func(r Rule) bool { return r.matchHost(a.Host) })
	case agent.OpExec:
		return j.command(a.Command)
	}
	return agent.Decision{Verdict: agent.Deny, Rule: "unknown", Reason: "what the tool does is not understood"}
}
