package host

import (
	"context"
	"math"
	"os"
	"os/exec"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/mcp"
	"github.com/topo-dev/topo/agent/permission"
	"github.com/topo-dev/topo/agent/snapshot"
	"github.com/topo-dev/topo/agent/spill"
	"github.com/topo-dev/topo/agent/tool"
	"github.com/topo-dev/topo/agent/tool/codebase"
	"github.com/topo-dev/topo/agent/tool/files"
	"github.com/topo-dev/topo/agent/workspace"
	"github.com/topo-dev/topo/detect/rules"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/secret"
)

// How the index is kept for tools: a small tree's first one is waited for, and a
// look at the tree counts for a moment: fifty questions at once do not make fifty
// scans.
const (
	indexPatience = 500 * time.Millisecond
	indexMaxAge   = 100 * time.Millisecond
)

// openIndex keeps the index of a tree. It is to be closed. With wait a question
// waits for the first index, however long that takes.
func openIndex(p fresh.Place, o Options, wait bool) *fresh.Server {
	patience := time.Duration(indexPatience)
	if wait {
		patience = math.MaxInt64
	}
	return fresh.NewServer(fresh.Options{Place: p, Include: o.Scope.Include, Exclude: o.Scope.Exclude, MaxFileSize: o.Scope.MaxFileSize,
		MaxAge: indexMaxAge, Patience: patience, Note: o.Note})
}

// codeTools are the tools over an index. readable says whose source may be shown,
// nil all.
func codeTools(x *fresh.Server, readable func(path string) bool, mask func([]byte) []byte) []agent.Tool {
	return codebase.Tools(codebase.Options{Source: x, Detectors: rules.All(), Readable: readable, Mask: mask})
}

// work is what the tools of a run need.
type work struct {
	tree  *workspace.Workspace
	index *fresh.Server
	mcp   *mcp.Client // servers that the user configured
	temp  string      // folder of the sandbox for temporary files

	readers map[string]bool // names of the tools that change nothing
	reading map[string]bool // IDs of their calls under way
}

// Emit tells the index that a tool may have changed files: the next answer is true
// of the tree as it is then.
func (w *work) Emit(e agent.Event) error {
	switch {
	case e.Event == agent.EventCallStart && e.Call != nil && w.readers[e.Call.Name]:
		w.reading[e.Call.ID] = true
	case e.Event == agent.EventCallEnd && e.Result != nil && w.reading[e.Result.ID]:
		delete(w.reading, e.Result.ID)
	case e.Event == agent.EventCallEnd:
		w.index.Edited()
	}
	return nil
}

// Close frees it.
func (w *work) Close() {
	if w.index != nil {
		w.index.Close()
	}
	if w.mcp != nil {
		w.mcp.Close()
	}
	if w.tree != nil {
		w.tree.Close()
	}
	if w.temp != "" {
		os.RemoveAll(w.temp)
	}
}

// work opens what the tools need and puts tools, permissions and snapshots into
// the configuration of the run.
func (h *Host) work(ctx context.Context, id string, t Task, cfg *agent.Config, turn *agent.Turn) (_ *work, err error) {
	w := &work{readers: map[string]bool{}, reading: map[string]bool{}}
	defer func() {
		if err != nil {
			w.Close()
		}
	}()
	if w.tree, err = workspace.Open(h.root); err != nil {
		return nil, err
	}
	w.index = openIndex(h.place, h.o, false)
	rights, err := h.Rights(id, t.Rights)
	if err == nil {
		err = h.keep(id, t.Rights)
	}
	if err != nil {
		return nil, err
	}
	if text := h.unheeded(rights); text != "" {
		turn.Notes = append(turn.Notes, text)
	}
	policy := rights.policy(w.tree.Access)
	cfg.Gate, turn.Session.Rules = policy, policy.Rules()
	outputs := spill.Open(h.sessions.Outputs(id))
	cfg.Keep = keepOutputs(outputs)
	tools, notes, err := h.tools(ctx, t.Sandbox, w, policy, outputs)
	if err != nil {
		return nil, err
	}
	cfg.Tools, turn.Notes = tools, append(turn.Notes, notes...)
	for _, t := range cfg.Tools {
		w.readers[t.Spec().Name] = t.Spec().ReadOnly
	}
	if _, err := exec.LookPath("git"); err == nil {
		cfg.Tracker = &lazySnapshots{h: h}
	} else {
		turn.Notes = append(turn.Notes, "git is not installed, so nothing that changes can be undone; install git")
	}
	return w, nil
}

// tools are the tools of a run: on files and code, the shell, and those of the
// user's MCP servers. The notes say what is missing.
func (h *Host) tools(ctx context.Context, box Sandbox, w *work, policy *permission.Policy, outputs *spill.Store) (tools []agent.Tool, notes []string, err error) {
	rg, _ := exec.LookPath("rg")
	tools = files.Tools(w.tree, files.Options{Outputs: outputs, Ripgrep: rg, Getenv: h.getenv, Readable: policy.Readable, Mask: h.o.mask()})
	tools = append(tools, codeTools(w.index, policy.Readable, h.o.mask())...)
	bash, notes, err := h.shell(box, w)
	if err != nil {
		return nil, nil, err
	}
	if bash != nil {
		tools = append(tools, bash)
	}
	client, problems, err := h.dial(ctx)
	if err != nil {
		return nil, nil, err
	}
	w.mcp = client
	return h.o.masked(append(tools, client.Tools()...)), append(notes, problems...), nil
}

// masked are the tools without the credentials in what they say.
func (o *Options) masked(tools []agent.Tool) []agent.Tool {
	if o.ShowSecrets {
		return tools
	}
	return tool.Masked(tools)
}

// mask replaces the credentials in the content of a file; nil shows them.
func (o *Options) mask() func([]byte) []byte {
	if o.ShowSecrets {
		return nil
	}
	return func(content []byte) []byte {
		out, _ := secret.Mask(content)
		return out
	}
}

// lazySnapshots opens the store of the snapshots when the first is taken, since
// most questions change nothing.
type lazySnapshots struct {
	h     *Host
	store *snapshot.Store
}

// Snapshot records the tree.
func (l *lazySnapshots) Snapshot(ctx context.Context, label string) (id string, skipped []string, err error) {
	if l.store == nil {
		if l.store, err = l.h.snapshots(ctx); err != nil {
			return "", nil, err
		}
	}
	return l.store.Snapshot(ctx, label)
}

// maxShownOutput is how much of a call's output the model reads, in bytes: about
// 8,000 tokens.
const maxShownOutput = 24 << 10

// keepOutputs stores outputs that are too long to be shown whole.
func keepOutputs(store *spill.Store) func(agent.Call, string) (string, string) {
	return func(_ agent.Call, text string) (shown, handle string) {
		shown, handle, err := store.Cap(text, maxShownOutput)
		if err != nil {
			shown = spill.Cap(text, "", maxShownOutput)
		}
		return shown, handle
	}
}
