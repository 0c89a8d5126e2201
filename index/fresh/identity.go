package fresh

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/topo-dev/topo/internal/atomicfile"
	"github.com/topo-dev/topo/scan"
)

// rootsFile is the file of the cache folder that remembers the commits that
// histories begin with, since git takes up to a second to find one. A line is a
// worktree and its commit: "WORKTREE COMMIT".
const rootsFile = "topo.roots"

// maxRoots bounds what is remembered: a cache folder may serve many repositories.
const maxRoots = 10000

// Identify finds the repository of a root, with the fingerprint that names its
// index in a cache folder.
//
// The fingerprint depends on the history alone. An index is found again after the
// clone was moved or renamed, or its remote changed.
func Identify(ctx context.Context, root, cache string) (scan.Repo, error) {
	r, err := scan.Identify(root)
	if err != nil {
		return r, err
	}
	begin := readRoots(cache)[r.Worktree]
	if begin == "" {
		begin, err = r.RootCommit(ctx)
		if errors.Is(err, scan.ErrNoGit) {
			err = nil // the index is of this history, whatever its name
		} else if err != nil {
			return r, err
		}
	}
	r.Fingerprint = r.FingerprintFor(begin)
	if begin != "" {
		r.RootID = begin
	}
	return r, nil
}

// rememberRoot keeps the commit that a repository's history begins with.
func rememberRoot(cache string, r scan.Repo) error {
	if r.RootID == "" {
		return nil
	}
	known := readRoots(cache)
	if known[r.Worktree] == r.RootID {
		return nil
	}
	line := r.Worktree + " " + r.RootID + "\n"
	return atomicfile.Write(filepath.Join(cache, rootsFile), func(w io.Writer) error {
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
		n := 1
		for worktree, id := range known {
			if worktree == r.Worktree || n == maxRoots {
				continue
			}
			if _, err := fmt.Fprintf(w, "%s %s\n", worktree, id); err != nil {
				return err
			}
			n++
		}
		return nil
	})
}

// readRoots is what a cache folder remembers, by worktree.
func readRoots(cache string) map[string]string {
	name := filepath.Join(cache, rootsFile)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil // a pipe would block
	}
	file, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	out := map[string]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() && len(out) < maxRoots {
		if worktree, id, ok := strings.Cut(lines.Text(), " "); ok && isCommitID(id) {
			out[worktree] = id
		}
	}
	return out
}

func isCommitID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// Worktree names the worktree at root among all of the machine, with the root's place
// in it. It stays the same when the worktree is moved, and another one that is made at
// the same path has another.
func Worktree(root string) (string, error) {
	r, err := scan.Identify(root)
	return r.Worktree + "/" + r.Prefix, err
}
