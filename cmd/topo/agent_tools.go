package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/mcp"
	"github.com/topo-dev/topo/agent/spill"
	"github.com/topo-dev/topo/agent/tool/files"
	"github.com/topo-dev/topo/agent/tool/shell"
	"github.com/topo-dev/topo/agent/workspace"
	"github.com/topo-dev/topo/index/fresh"
)

// work is what the tools of a run stand on.
type work struct {
	tree   *workspace.Workspace
	keeper *fresh.Server
	mcp    *mcp.Client // servers that the user configured
	temp   string      // folder of the sandbox for temporary files

	readers map[string]bool // names of the tools that change nothing
	reading map[string]bool // IDs of their calls under way
}

// Emit tells the index that a tool may have changed files, so that the next
// answer is true of the tree as it is then.
func (w *work) Emit(e agent.Event) error {
	switch {
	case e.Event == agent.EventCallStart && e.Call != nil && w.readers[e.Call.Name]:
		w.reading[e.Call.ID] = true
	case e.Event == agent.EventCallEnd && e.Result != nil && w.reading[e.Result.ID]:
		delete(w.reading, e.Result.ID)
	case e.Event == agent.EventCallEnd:
		w.keeper.Edited()
	}
	return nil
}

// Close frees it.
func (w *work) Close() {
	if w.keeper != nil {
		w.keeper.Close()
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

// work opens what the tools stand on and puts tools, permissions and snapshots
// into the configuration of the run.
func (o *agentOptions) work(ctx context.Context, p *agentPlace, id string, cfg *agent.Config, turn *agent.Turn) (*work, error) {
	w := &work{}
	fail := func(err error) (*work, error) { w.Close(); return nil, err }
	var err error
	if w.tree, err = workspace.Open(p.root); err != nil {
		return fail(envError{err})
	}
	scope := newScanOptions(o.f)
	if w.keeper, err = o.f.keeper(p.root, &scope, false); err != nil {
		return fail(err)
	}
	outputs := spill.Open(p.sessions.Outputs(id))
	rg, _ := exec.LookPath("rg")
	policy, notes, err := o.gate(p, id, w.tree)
	if err != nil {
		return fail(err)
	}
	turn.Notes = append(turn.Notes, notes...)
	cfg.Gate, turn.Session.Rules = policy, policy.Rules()
	cfg.Tools = files.Tools(w.tree, files.Options{Outputs: outputs, Ripgrep: rg, Getenv: o.f.env, Readable: policy.Readable})
	cfg.Tools = append(cfg.Tools, codeTools(w.keeper, policy.Readable)...)
	bash, notes, err := o.bash(p, w)
	if err != nil {
		return fail(err)
	}
	if bash != nil {
		cfg.Tools = append(cfg.Tools, bash)
	}
	turn.Notes = append(turn.Notes, notes...)
	if w.mcp, notes, err = o.f.dialMCP(ctx, p.root); err != nil {
		return fail(err)
	}
	cfg.Tools = append(cfg.Tools, w.mcp.Tools()...)
	turn.Notes = append(turn.Notes, notes...)
	w.readers, w.reading = map[string]bool{}, map[string]bool{}
	for _, t := range cfg.Tools {
		if spec := t.Spec(); spec.ReadOnly {
			w.readers[spec.Name] = true
		}
	}
	cfg.Keep = keepOutputs(outputs)
	if _, err := exec.LookPath("git"); err == nil {
		cfg.Tracker = &lazySnapshots{p: p}
	} else {
		turn.Notes = append(turn.Notes, "git is not installed, so nothing that changes can be undone; install git")
	}
	return w, nil
}

// bash is the tool that runs commands; nil where there is no shell for it.
func (o *agentOptions) bash(p *agentPlace, w *work) (agent.Tool, []string, error) {
	sh, err := exec.LookPath("bash")
	if err != nil {
		if sh, err = exec.LookPath("sh"); err != nil {
			return nil, []string{"there is neither bash nor sh, so no commands can be run"}, nil
		}
	}
	if err := shell.Harden(); err != nil {
		return nil, nil, envf("keep the environment from commands: %w", err)
	}
	so := shell.Options{Dir: p.root, Shell: sh, Env: shell.Env(os.Environ(), nil)}
	if o.Sandbox == "off" {
		return shell.Tool(so), nil, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil, envf("sandbox: %w", err)
	}
	if w.temp, err = os.MkdirTemp("", "topo-sandbox-"); err != nil {
		return nil, nil, envf("sandbox: %w", err)
	}
	cache, err := sandboxCache()
	if err != nil {
		return nil, nil, envf("sandbox: %w", err)
	}
	so.Confine = &shell.Confinement{Helper: []string{self, confinedCommand}, Read: toolchains(os.Getenv), Write: []string{w.temp, cache}, Network: o.Sandbox == "net"}
	so.Env = append(so.Env, "TMPDIR="+w.temp, "XDG_CACHE_HOME="+cache, "GOCACHE="+filepath.Join(cache, "go-build"))
	var notes []string
	for _, m := range so.Confine.Missing() {
		notes = append(notes, "sandbox: "+m)
	}
	return shell.Tool(so), notes, nil
}

// sandboxCache is the folder in which the builds of confined commands keep what
// they can use again. It is not the user's own, which a confined command could
// otherwise fill with what an unconfined one trusts.
func sandboxCache() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base, "topo", "sandbox")
	return dir, os.MkdirAll(dir, 0o700)
}

// toolchains are the folders of the user that builds and tests read.
func toolchains(getenv func(string) string) (dirs []string) {
	for _, name := range []string{"GOROOT", "GOMODCACHE", "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME", "NVM_DIR", "PYENV_ROOT", "VIRTUAL_ENV"} {
		if v := getenv(name); filepath.IsAbs(v) {
			dirs = append(dirs, v)
		}
	}
	home := getenv("HOME")
	if !filepath.IsAbs(home) {
		return dirs
	}
	for _, name := range strings.Fields("go .cargo .rustup .nvm .pyenv .rbenv .sdkman .local/lib .local/bin .m2 .gradle") {
		dirs = append(dirs, filepath.Join(home, name))
	}
	return dirs
}
