package host

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/tool/shell"
)

// Sandbox says how commands are confined.
type Sandbox string

// Sandboxes. The zero value is SandboxOff.
const (
	SandboxOff Sandbox = "off" // commands have the rights of the user
	SandboxOn  Sandbox = "on"  // the kernel keeps them to the tree, without the network
	SandboxNet Sandbox = "net" // the same, with the network
)

// RunConfined confines this process as spec says and becomes the command in it. It
// returns only an error. A program that offers the sandbox calls it when it is
// started with the command line of [Options].Confine.
func RunConfined(spec string) error { return shell.ExecConfined(spec) }

// shell is the tool that runs commands; nil where there is no shell for it.
func (h *Host) shell(box Sandbox, w *work) (agent.Tool, []string, error) {
	sh, err := exec.LookPath("bash")
	if err != nil {
		if sh, err = exec.LookPath("sh"); err != nil {
			return nil, []string{"there is neither bash nor sh, so no commands can be run"}, nil
		}
	}
	if err := shell.Harden(); err != nil {
		return nil, nil, fmt.Errorf("keep the environment from commands: %w", err)
	}
	so := shell.Options{Dir: h.root, Shell: sh, Env: shell.Env(h.o.Environ, nil)}
	switch box {
	case "", SandboxOff:
		return shell.Tool(so), nil, nil
	case SandboxOn, SandboxNet:
	default:
		return nil, nil, optionf("sandbox", "%q is none; known are off, on, net", string(box))
	}
	if len(h.o.Confine) == 0 {
		return nil, nil, errors.New("sandbox: this program has no command that confines itself")
	}
	if w.temp, err = os.MkdirTemp("", "topo-sandbox-"); err != nil {
		return nil, nil, fmt.Errorf("sandbox: %w", err)
	}
	cache, err := h.sandboxCache()
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox: %w", err)
	}
	so.Confine = &shell.Confinement{Helper: h.o.Confine, Read: h.toolchains(), Write: []string{w.temp, cache}, Network: box == SandboxNet}
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
func (h *Host) sandboxCache() (string, error) {
	if h.o.Folders.Cache == "" {
		return "", errors.New("no folder for caches is known; set XDG_CACHE_HOME or HOME")
	}
	dir := filepath.Join(h.o.Folders.Cache, "sandbox")
	return dir, os.MkdirAll(dir, 0o700)
}

// toolchains are the folders of the user that builds and tests read.
func (h *Host) toolchains() (dirs []string) {
	for _, name := range []string{"GOROOT", "GOMODCACHE", "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME", "NVM_DIR", "PYENV_ROOT", "VIRTUAL_ENV"} {
		if v := h.getenv(name); filepath.IsAbs(v) {
			dirs = append(dirs, v)
		}
	}
	home := h.getenv("HOME")
	if !filepath.IsAbs(home) {
		return dirs
	}
	for _, name := range strings.Fields("go .cargo .rustup .nvm .pyenv .rbenv .sdkman .local/lib .local/bin .m2 .gradle") {
		dirs = append(dirs, filepath.Join(home, name))
	}
	return dirs
}
