package settings

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/internal/regular"
)

// ProjectName is the project's configuration, relative to the root.
const ProjectName = ".topo/config.yaml"

// UserEnv is the variable that names the user's configuration.
const UserEnv = "TOPO_CONFIG"

// userName is the user's configuration in the folder of topo.
const userName = "config.yaml"

// maxFile bounds a configuration in bytes and maxDepth its nesting: that of a
// project may be hostile. The YAML parser takes time quadratic in a crafted text:
// 1.6 s for 60 kB, a tenth of a second for this.
const (
	maxFile  = 16 << 10
	maxDepth = 32
)

// File is a configuration file.
type File struct {
	Name    string // as shown: [ProjectName], or the path
	Scope   Scope  // [Project] or [User]
	entries map[string]entry
}

// entry is what a file holds for one key.
type entry struct {
	values []string
	line   int // of the key, 1-based
}

// ReadProject reads the configuration of the tree at root, empty for the current
// directory; nil without one. It does not follow a symbolic link that leaves the
// root. An error has a kind; one in the text names line and column.
func ReadProject(root string) (*File, error) {
	if root == "" {
		root = "."
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fault.Environmentf("root %s: %w", root, err)
	}
	defer dir.Close()
	name := filepath.Join(root, ProjectName)
	file, err := regular.Open(dir, ProjectName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fault.Usagef("%s: cannot be read: %w; repair or remove it", name, err)
	}
	defer file.Close()
	return read(file, name, &File{Name: ProjectName, Scope: Project})
}

// UserFile is the path of the user's configuration: that of TOPO_CONFIG, else
// config.yaml in the user's folder; empty without one. named says that the
// environment names the file.
func UserFile(lookup func(string) (string, bool)) (path string, named bool) {
	if v, _ := lookup(UserEnv); v != "" {
		return v, true
	}
	for _, at := range userFolders(runtime.GOOS) {
		if v, _ := lookup(at.variable); filepath.IsAbs(v) {
			return filepath.Join(v, at.below, "topo", userName), false
		}
	}
	return "", false
}

type userFolder struct{ variable, below string }

// userFolders are where a user's configuration lies, the first that is set.
func userFolders(system string) []userFolder {
	if system == "windows" {
		return []userFolder{{"XDG_CONFIG_HOME", ""}, {"APPDATA", ""}}
	}
	return []userFolder{{"XDG_CONFIG_HOME", ""}, {"HOME", ".config"}}
}

// ReadUser reads the user's configuration; nil without one. That of TOPO_CONFIG
// must be there.
func ReadUser(lookup func(string) (string, bool)) (*File, error) {
	path, named := UserFile(lookup)
	if path == "" || path == os.DevNull {
		return nil, nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.Usagef("%s %s: no such file; write one or unset the variable", UserEnv, path)
	case err == nil && !info.Mode().IsRegular():
		return nil, fault.Usagef("%s: cannot be read: %w; repair or remove it", path, regular.ErrNotRegular)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fault.Environmentf("%s: cannot be read: %w", path, cause(err))
	}
	defer file.Close()
	return read(file, path, &File{Name: path, Scope: User})
}

// read fills f with what r holds.
func read(r io.Reader, path string, f *File) (*File, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fault.Environmentf("%s: %w", path, cause(err))
	}
	if len(text) > maxFile {
		return nil, fault.Usagef("%s: larger than %d bytes; shorten it", path, maxFile)
	}
	if f.entries, err = parse(text, f.Scope); err != nil {
		return nil, fault.Usagef("%s:%w", path, err)
	}
	return f, nil
}

// cause is the reason without the path that the message names already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
