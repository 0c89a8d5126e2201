package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/topo-dev/topo/index/fresh"
)

// Folders are the folders of the user for this program. One that is not known is
// empty.
type Folders struct {
	Config string // rules and MCP servers
	State  string // sessions, snapshots and granted rules
	Cache  string // what can be made again
}

// StateEnv is the variable that names the state folder.
const StateEnv = "TOPO_STATE_DIR"

// Names within the state folder. Each project has a folder of its own.
const (
	projectsFolder  = "projects"
	sessionsFolder  = "sessions"
	snapshotsFolder = "snapshots"
	grantsFolder    = "grants"
	rootFile        = "root" // holds the path of the tree, for people
)

const program = "topo"

// UserFolders returns the folders that the environment names: TOPO_STATE_DIR, the
// XDG base directories, and the system's defaults below the home folder.
func UserFolders(lookup func(string) (string, bool)) Folders {
	return userFolders(lookup, runtime.GOOS)
}

func userFolders(lookup func(string) (string, bool), system string) Folders {
	dir := func(name string, below ...string) string {
		if v, _ := lookup(name); filepath.IsAbs(v) {
			return filepath.Join(append([]string{v}, below...)...)
		}
		return ""
	}
	choose := func(dirs ...string) string {
		for _, d := range dirs {
			if d != "" {
				return d
			}
		}
		return ""
	}
	f := Folders{Config: dir("HOME", ".config", program), State: dir("HOME", ".local", "state", program), Cache: dir("HOME", ".cache", program)}
	switch system {
	case "windows":
		f = Folders{Config: dir("APPDATA", program), State: dir("LOCALAPPDATA", program), Cache: dir("LOCALAPPDATA", program)}
	case "darwin":
		f.State, f.Cache = dir("HOME", "Library", "Application Support", program), dir("HOME", "Library", "Caches", program)
	}
	named, _ := lookup(StateEnv)
	if abs, err := filepath.Abs(named); err == nil && named != "" {
		named = abs
	}
	return Folders{
		Config: choose(dir("XDG_CONFIG_HOME", program), f.Config),
		State:  choose(named, dir("XDG_STATE_HOME", program), f.State),
		Cache:  choose(dir("XDG_CACHE_HOME", program), f.Cache),
	}
}

// config is a file of the user's configuration; empty without a folder for it.
func (f Folders) config(name string) string {
	if f.Config == "" {
		return ""
	}
	return filepath.Join(f.Config, name)
}

// ProjectKey names the state of the tree at root: the first 16 bytes of the SHA-256 of
// its worktree in hex. A moved tree keeps its state; another tree at the same path does
// not get it.
func ProjectKey(root string) (string, error) {
	worktree, err := fresh.Worktree(root)
	sum := sha256.Sum256([]byte(worktree))
	return hex.EncodeToString(sum[:16]), err
}

// prepare makes the folder of the project, for the user alone.
func (h *Host) prepare() error {
	err := os.MkdirAll(h.state, 0o700)
	name := filepath.Join(h.state, rootFile)
	if err == nil {
		if _, err = os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			err = os.WriteFile(name, []byte(h.root+"\n"), 0o600)
		}
	}
	if err != nil {
		return fmt.Errorf("state folder %s: %w; choose another with %s", h.state, rootCause(err), StateEnv)
	}
	return nil
}

// inTree returns where a folder lies within the tree, slash-separated.
func (h *Host) inTree(dir string) (rel string, ok bool) {
	if dir == "" {
		return "", false
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	rel, err := filepath.Rel(h.root, dir)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel) && rel != "."
}
