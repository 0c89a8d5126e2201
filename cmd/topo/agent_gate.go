package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/permission"
	"github.com/topo-dev/topo/agent/workspace"
)

// Files of rules: the user's own, in their folder, and the repository's, which
// can only narrow.
const (
	userRules = "permissions"
	repoRules = ".topo/permissions"
)

// maxRulesFile bounds a file of rules, in bytes.
const maxRulesFile = 256 << 10

// How a session's own rules are kept beside those that a person granted in it:
// what its flags said when it began holds when it is resumed.
const (
	keptFlag     = "flag "
	keptReadOnly = "# read-only"
)

// gate makes the permissions of a run: of the flags, the user's and the
// repository's files, and of what was granted before in the session.
func (o *agentOptions) gate(p *agentPlace, id string, tree *workspace.Workspace) (*permission.Policy, []string, error) {
	opts := permission.Options{Access: tree.Access}
	flags, err := o.flagRules()
	if err != nil {
		return nil, nil, err
	}
	if opts.User, err = p.userRules(); err != nil {
		return nil, nil, err
	}
	if opts.Repo, err = p.repoRules(); err != nil {
		return nil, nil, err
	}
	before, granted, err := o.kept(p, id)
	if err != nil {
		return nil, nil, err
	}
	opts.User = slices.Concat(flags, before, opts.User)
	opts.Session = granted
	switch {
	case o.ReadOnly:
		opts.Preset = permission.ReadOnly
	case o.Yes:
		opts.Preset = permission.Yes
	}
	var notes []string
	if n := len(permission.Unheeded(opts.Repo)); n > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s that allow are not heeded, since they are the repository's; copy them to %s to grant them", repoRules, plural(n, "rule"), p.userRulesFile()))
	}
	return permission.New(opts), notes, o.keep(p, id, flags)
}

// flagRules are those of --allow and --deny.
func (o *agentOptions) flagRules() (rules []permission.Rule, err error) {
	for _, list := range []struct {
		flag    string
		verdict agent.Verdict
		texts   []string
	}{{"--deny", agent.Deny, o.Deny}, {"--allow", agent.Allow, o.Allow}} {
		for _, text := range list.texts {
			r, err := permission.ParseAs(list.verdict, text)
			if err != nil {
				return nil, usagef("%s: %w", list.flag, err)
			}
			rules = append(rules, r)
		}
	}
	return rules, nil
}

// keep stores what the flags said with the session.
func (o *agentOptions) keep(p *agentPlace, id string, flags []permission.Rule) error {
	var lines []string
	for _, r := range flags {
		lines = append(lines, keptFlag+r.String())
	}
	if o.ReadOnly {
		lines = append(lines, keptReadOnly)
	}
	if len(lines) == 0 || p.grants == nil {
		return nil
	}
	if err := p.grants.Add(id, p.root, lines); err != nil {
		return envError{err}
	}
	return nil
}

// kept reads what was stored with the session: the rules of its flags and those
// that a person granted. A session that only read goes on so.
func (o *agentOptions) kept(p *agentPlace, id string) (flags, granted []permission.Rule, err error) {
	if p.grants == nil {
		return nil, nil, nil
	}
	lines, err := p.grants.Rules(id, p.root)
	if err != nil {
		return nil, nil, envError{err}
	}
	for _, line := range lines {
		if line == keptReadOnly {
			if o.Yes {
				return nil, nil, usagef("--yes: session %s only reads, as it was begun with --read-only; fork it to go on otherwise", id)
			}
			o.ReadOnly = true
			continue
		}
		text, flag := strings.CutPrefix(line, keptFlag)
		r, err := permission.ParseRule(text)
		switch {
		case err != nil:
			return nil, nil, envf("granted rules of session %s: %w; begin a new session", id, err)
		case flag:
			flags = append(flags, r)
		default:
			granted = append(granted, r)
		}
	}
	return flags, granted, nil
}

// userRulesFile is where the user's own rules stand; empty without a folder.
func (p *agentPlace) userRulesFile() string {
	if p.grants == nil {
		return ""
	}
	return filepath.Join(filepath.Dir(p.grants.Dir), userRules)
}

func (p *agentPlace) userRules() ([]permission.Rule, error) {
	name := p.userRulesFile()
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(name)
	return parseRules(name, file, err)
}

func (p *agentPlace) repoRules() ([]permission.Rule, error) {
	dir, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, envf("root %s: %w", p.root, rootCause(err))
	}
	defer dir.Close()
	file, err := openRegular(dir, repoRules)
	return parseRules(repoRules, file, err)
}

// parseRules reads a file of rules that may not be there. One that cannot be
// understood ends the run: what it denies would not be denied otherwise.
func parseRules(name string, file *os.File, err error) ([]permission.Rule, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, usagef("%s: cannot be read: %w; repair or remove it", name, rootCause(err))
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxRulesFile+1))
	if err == nil && len(text) > maxRulesFile {
		err = fmt.Errorf("larger than %d bytes", maxRulesFile)
	}
	var rules []permission.Rule
	if err == nil {
		rules, err = permission.Parse(string(text))
	}
	if err != nil {
		return nil, usagef("%s: %w; repair or remove it", name, err)
	}
	return rules, nil
}
