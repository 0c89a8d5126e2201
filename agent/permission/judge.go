package permission

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/workspace"
)

// command judges what a shell would run. The strictest verdict counts of those
// on each command, each file that is opened, and what is not known.
func (j judge) command(text string) agent.Decision {
	if d, ok := j.readOnly(agent.OpExec); ok {
		return d
	}
	a := analyze(text)
	j.addPathRisks(a)
	d, exact := j.byText(text)
	free := d.Verdict == agent.Allow
	if d.Verdict == "" {
		d = j.byCommands(a)
	}
	worst := j.forbidden(a)
	if worst.Verdict == agent.Ask && (exact || j.grantedAll(a)) {
		worst = d // a person has seen it and said yes
	}
	for _, r := range a.redirects {
		if one := j.redirect(r, a.moved, free); stricter(one, worst) {
			worst = one
		}
	}
	if stricter(worst, d) {
		return worst
	}
	return d
}

// byText decides about the command as a text, without parsing it: by a
// rule on this very text, or on every command. No verdict leaves it to the rules
// on its parts.
func (j judge) byText(text string) (d agent.Decision, exact bool) {
	this := func(r Rule) bool { return r.isText(text) }
	if d, ok := j.first(j.granted, agent.Allow, agent.OpExec, this); ok {
		return d, true
	}
	all := func(r Rule) bool { return r.Pattern == "" || r.isText(text) }
	if d, ok := j.first(j.granted, agent.Allow, agent.OpExec, all); ok {
		return d, false
	}
	for _, v := range []agent.Verdict{agent.Ask, agent.Allow} {
		if d, ok := j.rules(v, agent.OpExec, all); ok {
			return d, false
		}
	}
	if j.o.Preset == Yes {
		return j.preset(agent.OpExec), false
	}
	return agent.Decision{}, false
}

// forbidden looks for what rules deny or ask about. When a command only may be
// what is denied, a person is asked.
func (j judge) forbidden(a *analysis) agent.Decision {
	d := agent.Decision{Verdict: agent.Allow}
	patterns := false
	for _, list := range [][]Rule{j.o.User, j.o.Repo, j.granted} {
		for _, r := range list {
			if r.Verdict == agent.Allow || !r.appliesTo(j.spec.Name, agent.OpExec) {
				continue
			}
			patterns = patterns || r.Pattern != ""
			switch how := r.matchesAny(a); {
			case how == yes && r.Verdict == agent.Deny:
				return denied(agent.Decision{Verdict: agent.Deny, Rule: r.String()})
			case how != no && d.Verdict == agent.Allow && (r.Verdict == agent.Deny || r.Pattern != ""):
				d = agent.Decision{Verdict: agent.Ask, Rule: r.String()}
			}
		}
	}
	if d.Verdict == agent.Allow && patterns && len(a.unknown) > 0 {
		d = agent.Decision{Verdict: agent.Ask, Rule: "unknown", Reason: a.unknown[0]}
	}
	for _, s := range a.simple {
		for _, p := range s.risks {
			if d.Verdict == agent.Allow && p.rule != "" {
				d = agent.Decision{Verdict: agent.Ask, Rule: p.rule, Reason: p.why}
			}
		}
	}
	return d
}

// grantedAll reports whether what was granted in this session covers it all.
func (j judge) grantedAll(a *analysis) bool {
	for _, s := range a.simple {
		if _, ok := j.first(j.granted, agent.Allow, agent.OpExec, func(r Rule) bool { return r.allows(s) }); !ok && (!s.needsNoRule || len(s.risks) > 0) {
			return false
		}
	}
	return len(a.unknown) == 0 && len(j.granted) > 0
}

// byCommands decides by the rules on the single commands. All of them must be
// allowed, and nothing may be unknown.
func (j judge) byCommands(a *analysis) agent.Decision {
	ask := agent.Decision{Verdict: agent.Ask, Rule: string(j.o.Preset)}
	var by agent.Decision
	for _, s := range a.simple {
		if s.needsNoRule && len(s.risks) == 0 {
			continue
		}
		d, ok := j.allowed(s)
		if !ok {
			if len(s.risks) > 0 {
				ask.Reason = s.risks[0].why
			}
			return ask
		}
		by = d
	}
	if len(a.unknown) > 0 {
		ask.Reason = a.unknown[0]
		return ask
	}
	if by.Verdict == "" {
		return ask // nothing but redirections and commands that need no rule
	}
	return by
}

func (j judge) allowed(s simple) (agent.Decision, bool) {
	match := func(r Rule) bool { return r.allows(s) }
	if d, ok := j.first(j.granted, agent.Allow, agent.OpExec, match); ok {
		return d, true
	}
	return j.rules(agent.Allow, agent.OpExec, match)
}

// redirect judges a file that a command opens. Where the whole command is
// allowed, which could open it by other means too, only rules that deny or ask
// about the file count.
func (j judge) redirect(r redirect, moved, allowed bool) agent.Decision {
	op := agent.OpRead
	if r.write {
		op = agent.OpWrite
	}
	if moved && !path.IsAbs(r.path) {
		if allowed {
			return agent.Decision{Verdict: agent.Allow}
		}
		return agent.Decision{Verdict: agent.Ask, Rule: string(j.o.Preset), Reason: "the directory of " + r.path + " is not known"}
	}
	list, err := j.accesses(op, r.path)
	if err != nil {
		return agent.Decision{Verdict: agent.Deny, Rule: "root", Reason: err.Error()}
	}
	d := agent.Decision{Verdict: agent.Allow}
	for _, a := range list {
		one := j.access(a)
		if allowed && one.Verdict == agent.Ask && one.Rule == string(Default) {
			one.Verdict = agent.Allow
		}
		if stricter(one, d) {
			d = one
		}
	}
	return d
}

// addPathRisks adds a risk to each command with an argument that names something
// outside the root, or a file that a rule denies or asks about.
func (j judge) addPathRisks(a *analysis) {
	for i := range a.simple {
		s := &a.simple[i]
		for _, w := range s.args[1:] {
			for _, p := range pathsIn(w.text) {
				if d := j.pathRisk(p, a.moved); d.why != "" {
					d.word = w.text
					s.risks = append(s.risks, d)
				}
			}
		}
	}
}

// pathRisk returns why a path in an argument needs a decision, or no risk.
func (j judge) pathRisk(p string, moved bool) risk {
	if moved && !path.IsAbs(p) && hasDots(p) {
		return risk{why: p + " may lead out of the root"}
	}
	list, err := j.accesses(agent.OpRead, p)
	if errors.Is(err, workspace.ErrOutside) {
		return risk{why: err.Error()}
	}
	for _, a := range list {
		for _, op := range []agent.Op{agent.OpRead, agent.OpWrite} {
			for _, v := range []agent.Verdict{agent.Deny, agent.Ask} {
				if d, ok := j.rules(v, op, func(r Rule) bool { return r.Pattern != "" && r.matchPath(a.Path) }); ok {
					return risk{why: "the rule " + d.Rule + " is about " + p, rule: d.Rule}
				}
			}
		}
	}
	return risk{}
}

func (j judge) accesses(op agent.Op, p string) ([]agent.Access, error) {
	if j.o.Access != nil {
		return j.o.Access(op, p)
	}
	name := path.Clean(p)
	switch {
	case path.IsAbs(name), name == "..", strings.HasPrefix(name, "../"), strings.HasPrefix(p, "~"):
		return nil, fmt.Errorf("%s: %w", p, workspace.ErrOutside)
	case op == agent.OpWrite && workspace.Protected(name) != "":
		return nil, fmt.Errorf("%s: %w: %s", p, workspace.ErrProtected, workspace.Protected(name))
	}
	return []agent.Access{{Op: op, Path: name}}, nil
}

// pathsIn are the parts of an argument that may name a file: all of it, what
// follows an equals sign or colon, and what follows the letter of an option.
func pathsIn(arg string) (list []string) {
	if arg == "" || arg == "-" || strings.HasPrefix(arg, "/dev/null") || len(arg) > 4096 {
		return nil
	}
	if strings.Contains(arg, "://") && !strings.Contains(arg, "file:") {
		return nil // an address; hosts are another matter
	}
	if !strings.HasPrefix(arg, "-") {
		list = append(list, arg)
	}
	for i, c := range arg {
		if (c == '=' || c == ':' || c == ',') && i+1 < len(arg) {
			list = append(list, arg[i+1:])
		}
	}
	if strings.HasPrefix(arg, "-") {
		if i := strings.IndexAny(arg, "/~"); i > 0 {
			list = append(list, arg[i:])
		} else if i := strings.Index(arg, ".."); i > 0 {
			list = append(list, arg[i:])
		}
	}
	return list
}

func hasDots(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}
