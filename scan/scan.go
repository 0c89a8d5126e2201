package scan

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/topo-dev/topo/stream"
)

// DefaultMaxFileSize is the size in bytes above which a file's content is not
// used.
const DefaultMaxFileSize = 1 << 20

// Options says what to scan. The zero value of each field is its default.
type Options struct {
	Root        string   // directory; empty is the current one
	Paths       []string // only these files and directories, relative to Root or absolute; empty is all
	Include     []string // patterns as in .gitignore; a file must match, itself or by a directory above it
	Exclude     []string // patterns as in .gitignore, with the last word
	MaxFileSize int64    // bytes; 0 is DefaultMaxFileSize
	Rev         string   // any name of a commit; empty is the working tree
	StatCache   string   // file that remembers stat → hash, language, role; empty is none
	Workers     int      // 0 is GOMAXPROCS
	Progress    func(done int)

	// NamesOnly lists files without opening them: a file in the working tree has
	// only Path and Size set, and Skipped when it is too large.
	NamesOnly bool

	// Getenv looks up HOME, XDG_CONFIG_HOME and git's own variables that tell
	// where the user's git settings are; nil is os.Getenv.
	Getenv func(string) string
}

// Problem is a listed file whose content is not used, or a directory or an
// ignore file that could not be read.
type Problem struct {
	Path string // relative to the root
	Why  string // topo.SkipBinary, topo.SkipLarge, …
	Err  error  // the cause when there is one
}

// Result is what a scan saw.
type Result struct {
	Files    []stream.File // sorted by the bytes of Path; Score 0
	Problems []Problem     // sorted by Path; links and submodules are not problems
	Rev      string        // full commit id when scanned from git objects
}

func (o *Options) fill() {
	if o.Root == "" {
		o.Root = "."
	}
	if o.MaxFileSize <= 0 {
		o.MaxFileSize = DefaultMaxFileSize
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
}

// Run scans the tree. The error is an [*Error], or the context's.
func Run(ctx context.Context, o Options) (*Result, error) {
	o.fill()
	root, err := resolveRoot(o.Root)
	if err != nil {
		return nil, err
	}
	sc, err := newScope(root, o.Root, o.Paths)
	if err != nil {
		return nil, err
	}
	if o.Rev != "" {
		return runRev(ctx, root, sc, o)
	}
	if isGitDir(root) {
		return nil, &Error{Reason: ErrBareRoot, Where: o.Root, Advice: "give a revision to scan, such as --rev HEAD"}
	}
	return runTree(ctx, root, sc, o)
}

// resolveRoot makes root absolute with symbolic links resolved, so no
// later step meets a link above the root.
func resolveRoot(root string) (string, error) {
	if root == "" {
		root = "."
	}
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		if os.IsNotExist(err) {
			return "", &Error{Reason: ErrNoRoot, Where: root, Advice: "give an existing directory"}
		}
		return "", &Error{Reason: ErrUnreadable, Where: root, Advice: "check its permissions", Err: err}
	}
	st, err := os.Stat(abs)
	if err != nil {
		return "", &Error{Reason: ErrUnreadable, Where: root, Advice: "check its permissions", Err: err}
	}
	if !st.IsDir() {
		return "", &Error{Reason: ErrRootIsFile, Where: root, Advice: "give the directory that holds it"}
	}
	return abs, nil
}

// scope is the part of the tree that the caller asked for: clean paths
// relative to the root, none of them meaning everything.
type scope []string

func newScope(root, given string, paths []string) (scope, error) {
	var sc scope
	for _, p := range paths {
		rel := filepath.ToSlash(p)
		if filepath.IsAbs(p) {
			r, ok := relativeTo(root, given, p)
			if !ok {
				return nil, &Error{Reason: ErrOutside, Where: p, Advice: "give paths inside " + given}
			}
			rel = r
		}
		rel = path.Clean(rel)
		if rel == ".." || strings.HasPrefix(rel, "../") {
			return nil, &Error{Reason: ErrOutside, Where: p, Advice: "give paths inside " + given}
		}
		if rel == "." {
			return nil, nil
		}
		sc = append(sc, rel)
	}
	return sc, nil
}

// relativeTo takes p as lying below the root by either of its names, the given
// one and the resolved one.
func relativeTo(root, given, p string) (string, bool) {
	abs, err := filepath.Abs(given)
	if err != nil {
		abs = root
	}
	for _, base := range []string{root, abs} {
		rel, err := filepath.Rel(base, filepath.Clean(p))
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// covers reports whether the file is asked for.
func (sc scope) covers(file string) bool {
	if len(sc) == 0 {
		return true
	}
	for _, s := range sc {
		if below(file, s) {
			return true
		}
	}
	return false
}

// enters reports whether a directory can hold anything that is asked for.
func (sc scope) enters(dir string) bool {
	if len(sc) == 0 || dir == "" {
		return true
	}
	for _, s := range sc {
		if below(dir, s) || below(s, dir) {
			return true
		}
	}
	return false
}

// below reports whether p is dir or lies in it.
func below(p, dir string) bool {
	return strings.HasPrefix(p, dir) && (len(p) == len(dir) || p[len(dir)] == '/')
}
