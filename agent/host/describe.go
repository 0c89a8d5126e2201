package host

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/mcp"
	"github.com/topo-dev/topo/agent/provider"
	"github.com/topo-dev/topo/agent/tool/files"
	"github.com/topo-dev/topo/agent/tool/shell"
)

// providerEnv names the provider when a task does not.
const providerEnv = "TOPO_PROVIDER"

// Description says what runs in a tree start from.
type Description struct {
	Root     string
	State    string // folder of sessions, snapshots and granted rules; empty when none is known
	Sessions int
	Rights   []string // of a new session, in the order in which they count
}

// Describe says what a run with these rights would start from. Nothing is started
// or written.
func Describe(o Options, asked Rights) (Description, error) {
	h, err := newHost(o)
	if err != nil {
		return Description{}, err
	}
	rights, err := h.Rights("", asked)
	if err != nil {
		return Description{}, err
	}
	d := Description{Root: h.root, State: h.state, Rights: rights.Lines()}
	if h.state != "" {
		ids, err := h.sessions.IDs()
		if err != nil {
			return d, err
		}
		d.Sessions = len(ids)
	}
	return d, nil
}

// ToolInfo describes a tool.
type ToolInfo struct {
	Name        string
	Doc         string
	Schema      json.RawMessage // of what it takes
	Output      json.RawMessage `json:",omitempty"` // schema of its structured answers
	ReadOnly    bool
	Destructive bool `json:",omitempty"`
	Idempotent  bool `json:",omitempty"`
	OpenWorld   bool `json:",omitempty"`
}

// Tools describes the tools of the agent, sorted by name. They are made for that
// alone, without a tree.
func Tools() (out []ToolInfo) {
	tools := slices.Concat(files.Tools(nil, files.Options{}), codeTools(nil, nil, nil), []agent.Tool{shell.Tool(shell.Options{})})
	for _, t := range tools {
		s := t.Spec()
		out = append(out, ToolInfo{s.Name, s.Description, s.Schema, s.Output, s.ReadOnly, s.Destructive, s.Idempotent, s.OpenWorld})
	}
	slices.SortFunc(out, func(a, b ToolInfo) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// ServerInfo describes a configured MCP server. Neither arguments nor values are
// in it: they may hold secrets.
type ServerInfo struct {
	Name    string
	Command string `json:",omitempty"`
	Host    string `json:",omitempty"`
	Tools   string // how its tools are named
}

// Servers describes the MCP servers that the user configured, without starting
// them.
func Servers(f Folders) ([]ServerInfo, error) {
	list, err := servers(f, func(string) (string, bool) { return "", true }) // no value is shown
	if err != nil {
		return nil, err
	}
	out := []ServerInfo{}
	for _, s := range list {
		out = append(out, ServerInfo{s.Name, s.Command, s.Host(), mcp.ToolName(s.Name, "") + "*"})
	}
	return out, nil
}

// Provider describes a provider of models.
type Provider = provider.Info

// Providers are all that are known, sorted by name.
func Providers() []Provider { return provider.All() }

// ProviderNames are their names.
func ProviderNames() []string { return provider.Names() }

// Transfer is what leaves the machine, and to where.
type Transfer struct{ Provider, What string }

// Leaves says what leaves the machine when a run uses one of the providers that
// are set up.
func Leaves(getenv func(string) string) (out []Transfer) {
	for _, i := range provider.All() {
		key, _ := i.Key(getenv, nil)
		base := i.Base(getenv)
		if key.Empty() && base == i.BaseURL && getenv(providerEnv) != i.Name {
			continue
		}
		if leaves, _, _ := strings.Cut(i.Leaves, ", to "); leaves != "nothing" {
			to := i.Leaves
			if base != i.BaseURL {
				to = leaves + ", to " + provider.Where(base)
			}
			out = append(out, Transfer{i.Name, to})
		}
	}
	return out
}

// Variable is a variable of the environment that a host reads.
type Variable struct {
	Name, Doc string
	Secret    bool
}

// Variables lists them.
func Variables() (out []Variable) {
	for _, i := range provider.All() {
		for _, name := range i.KeyEnv {
			out = append(out, Variable{name, "key of " + i.Title + " for topo agent", true})
		}
		if i.BaseEnv != "" {
			out = append(out, Variable{i.BaseEnv, "address of " + i.Title + " for topo agent", false})
		}
	}
	return append(out, Variable{providerEnv, "provider of topo agent, as --provider", false},
		Variable{StateEnv, "folder of sessions, snapshots and granted rules (default: topo in XDG_STATE_HOME)", false})
}
