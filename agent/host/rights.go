package host

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/permission"
	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/internal/regular"
)

// Files of rules: the user's own, in their folder, and the repository's, which
// can only narrow.
const (
	userRules = "permissions"
	repoRules = ".topo/permissions"
)

// maxRulesFile bounds a file of rules, in bytes.
const maxRulesFile = 256 << 10

// Preset is what counts when no rule speaks.
type Preset = permission.Preset

// Presets.
const (
	Default  = permission.Default  // reading is allowed, everything else asked about
	Yes      = permission.Yes      // everything is allowed
	ReadOnly = permission.ReadOnly // reading is allowed, everything else denied
)

// Rights say what a run may do and about what it asks. They are built once, by
// [NewRights] from what the caller asks for and by [Host.Rights] with what is
// stored, and do not change while the run uses them.
type Rights struct {
	Preset  Preset
	Caller  []permission.Rule // what the caller of this run said
	Session []permission.Rule // what the callers of its earlier runs said
	User    []permission.Rule // of the user's own file
	Repo    []permission.Rule // of the repository's file; those that allow do not count
	Granted []permission.Rule // by a person in the session
}

// NewRights makes the rights that a caller asks for. The rules are as in a file,
// without the verdict: "write(docs/**)".
func NewRights(preset Preset, allow, deny []string) (Rights, error) {
	r := Rights{Preset: preset}
	for _, list := range []struct {
		option  string
		verdict agent.Verdict
		texts   []string
	}{{"deny", agent.Deny, deny}, {"allow", agent.Allow, allow}} {
		for _, text := range list.texts {
			rule, err := permission.ParseAs(list.verdict, text)
			if err != nil {
				return Rights{}, optionf(list.option, "%w", err)
			}
			r.Caller = append(r.Caller, rule)
		}
	}
	return r, nil
}

// policy makes the gate of a run. access may be nil, see [permission.Options].
func (r Rights) policy(access func(agent.Op, string) ([]agent.Access, error)) *permission.Policy {
	return permission.New(permission.Options{Preset: r.Preset, User: slices.Concat(r.Caller, r.Session, r.User),
		Repo: r.Repo, Session: r.Granted, Access: access})
}

// Lines are the rules that count, in the order in which they do, after the preset
// as a comment.
func (r Rights) Lines() []string { return r.policy(nil).Rules() }

// ErrReadOnlySession says that a session was begun to read only.
var ErrReadOnlySession = errors.New("the session only reads")

// Rights are the rights of a run that asks for these: with the rules of the
// user's and the repository's files, and of what is stored with the session. An
// empty session is a new one. Nothing is written.
func (h *Host) Rights(id string, asked Rights) (Rights, error) {
	r := asked
	r.User, r.Repo, r.Session, r.Granted = nil, nil, nil, nil
	var err error
	if name := h.o.Folders.config(userRules); name != "" {
		file, missing := os.Open(name)
		if r.User, err = parseRules(name, file, missing); err != nil {
			return Rights{}, err
		}
	}
	for _, dir := range []string{h.o.Folders.State, h.o.Folders.Config} {
		// Who may write there could grant themselves anything.
		if rel, ok := h.inTree(dir); ok {
			r.User = append(r.User, permission.DenyWrites(rel))
		}
	}
	if r.Repo, err = h.repoRules(); err != nil {
		return Rights{}, err
	}
	if id == "" {
		return r, nil
	}
	k, err := h.kept(id)
	if err != nil {
		return Rights{}, err
	}
	r.Session, r.Granted = k.caller, k.granted
	switch {
	case k.readOnly && asked.Preset == Yes:
		return Rights{}, fault.Usagef("session %s: %w, as it was begun; fork it to go on otherwise", id, ErrReadOnlySession)
	case k.readOnly:
		r.Preset = ReadOnly
	}
	return r, nil
}

// How the rules of a session's callers are kept with those that a person granted
// in it: they hold when the session is resumed.
const (
	keptCaller   = "flag "
	keptReadOnly = "# read-only"
)

// kept is what is stored with a session.
type kept struct {
	readOnly        bool
	caller, granted []permission.Rule
}

func (h *Host) kept(id string) (k kept, err error) {
	lines, err := h.grants.Rules(id, h.root)
	if err != nil {
		return k, err
	}
	for _, line := range lines {
		if line == keptReadOnly {
			k.readOnly = true
			continue
		}
		text, caller := strings.CutPrefix(line, keptCaller)
		r, err := permission.ParseRule(text)
		switch {
		case err != nil:
			return k, fmt.Errorf("granted rules of session %s: %w; begin a new session", id, err)
		case caller:
			k.caller = append(k.caller, r)
		default:
			k.granted = append(k.granted, r)
		}
	}
	return k, nil
}

// keep stores what the caller said with the session.
func (h *Host) keep(id string, r Rights) error {
	var lines []string
	for _, rule := range r.Caller {
		lines = append(lines, keptCaller+rule.String())
	}
	if r.Preset == ReadOnly {
		lines = append(lines, keptReadOnly)
	}
	if len(lines) == 0 {
		return nil
	}
	return h.grants.Add(id, h.root, lines)
}

// unheeded says that the repository wanted to allow something; empty when not.
func (h *Host) unheeded(r Rights) string {
	n := len(permission.Unheeded(r.Repo))
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %s that allow are not heeded, since they are the repository's; copy them to %s to grant them",
		repoRules, english.Count(n, "rule"), h.o.Folders.config(userRules))
}

func (h *Host) repoRules() ([]permission.Rule, error) {
	dir, err := os.OpenRoot(h.root)
	if err != nil {
		return nil, fmt.Errorf("root %s: %w", h.root, rootCause(err))
	}
	defer dir.Close()
	file, err := regular.Open(dir, repoRules)
	return parseRules(repoRules, file, err)
}

// parseRules reads a file of rules that may not be there. One that cannot be
// understood ends the run: what it denies would not be denied otherwise.
func parseRules(name string, file *os.File, err error) ([]permission.Rule, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fault.Usagef("%s: cannot be read: %w; repair or remove it", name, rootCause(err))
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
		return nil, fault.Usagef("%s: %w; repair or remove it", name, err)
	}
	return rules, nil
}
