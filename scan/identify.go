package scan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Repo says which repository a directory belongs to. The git fields are empty
// outside git.
type Repo struct {
	Root      string // absolute, symbolic links resolved
	GitDir    string // of this worktree
	CommonDir string // of the repository; GitDir unless this is a linked worktree
	Prefix    string // of the root inside the working tree, slash-separated, no slash at its ends
	Head      string // full commit ID; empty before the first commit

	// Worktree tells this worktree from all others on the machine, 16 hex digits.
	// It stays the same when the worktree is moved or renamed.
	Worktree string
	// Fingerprint is 32 hex digits, the same for every clone of a repository.
	// [Identify] leaves it and RootID empty: see [Repo.FingerprintFor].
	Fingerprint string
	RootID      string // of the commit that the history begins with; empty without one
}

// Identify looks at the files of git around root; it runs no program. A repository
// that stores its references in the reftable format has an empty Head.
func Identify(root string) (Repo, error) {
	abs, err := resolveRoot(root)
	if err != nil {
		return Repo{}, err
	}
	r := Repo{Root: abs}
	identity, top := abs, ""
	if g, ok := discover(abs); ok {
		r.GitDir, r.CommonDir, r.Prefix, r.Head = g.gitDir, g.commonDir, g.prefix, g.head()
		// A file .git may name the repository of another worktree.
		identity = g.gitDir
		if g.top != "" {
			top = fileIdentity(g.top)
		}
	}
	r.Worktree = hash(fileIdentity(identity) + "\x00" + top)[:16]
	return r, nil
}

// FingerprintFor is the fingerprint of a repository whose history begins with a
// commit: a hash of that commit and of the root's place in the working tree. An
// address or a path has no part in it, so that it holds for forks, mirrors and
// moved clones.
func (r Repo) FingerprintFor(rootCommit string) string {
	return hash("topo repository\x00" + rootCommit + "\x00" + r.Prefix)[:32]
}

// RootCommit is the ID of the commit that the history begins with, along the first
// parents; empty without a history.
func (r Repo) RootCommit(ctx context.Context) (string, error) {
	if r.GitDir == "" || r.Head == "" {
		return "", nil
	}
	out, err := gitOutput(ctx, r.Root, "rev-list", "--first-parent", "--max-parents=0", r.Head)
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(string(out), "\n")
	return id, nil
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
