package replay

import (
	"context"
	"slices"

	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/stream"
)

const (
	// maxCommits is how many commits of a repository are searched for those that
	// follow a case's.
	maxCommits = 60000
	// maxCaseCommits is how many commits are searched for cases.
	maxCaseCommits = 5000
)

// Cases makes n cases of the last commits of the repository at root.
func Cases(ctx context.Context, root string, n int) ([]eval.Case, error) {
	h, err := scan.History(ctx, root, "", maxCaseCommits)
	if err != nil {
		return nil, withKind(err)
	}
	var out []eval.Case
	for _, c := range eval.FromChanges("", AsChanges(h), 2*n, IsSourcePath) {
		if _, err := scan.History(ctx, root, c.BaseCommit, 1); err != nil {
			continue // the first commit has no parent
		}
		if out = append(out, c); len(out) == n {
			break
		}
	}
	if len(out) == 0 {
		return nil, fault.Usagef("eval: no commit of the history changed source code and says why, which a case is made of; is this a git repository with commits? (root: %s)", root)
	}
	return out, nil
}

// AsChanges converts commits for package eval.
func AsChanges(commits []scan.Commit) []eval.Change {
	out := make([]eval.Change, len(commits))
	for i, k := range commits {
		out[i] = eval.Change{ID: k.ID, Subject: k.Subject, Body: k.Body, Files: k.Files}
	}
	return out
}

// Following lists up to n commits after that of the case, oldest first; none when
// it is not in the history of the repository's head.
func (t *Tree) Following(ctx context.Context, n int) ([]scan.Commit, error) {
	if t.repo.commits == nil {
		h, err := scan.History(ctx, t.Root, "", maxCommits)
		if err != nil {
			return nil, err
		}
		t.repo.commits = h
	}
	base, err := scan.History(ctx, t.Root, t.Case.BaseCommit, 1)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(t.repo.commits, func(k scan.Commit) bool { return k.ID == base[0].ID })
	if at < 0 {
		return nil, nil
	}
	out := slices.Clone(t.repo.commits[max(0, at-n):at])
	slices.Reverse(out)
	return out, nil
}

// isStyle reports whether files of the language are code by their role but hold
// no logic.
func isStyle(language string) bool {
	switch language {
	case "css", "less", "scss", "sass", "stylus", "html", "svg", "xml":
		return true
	}
	return false
}

// IsSource reports whether an evaluation ranks the file: source code that is
// neither a test nor documentation nor someone else's.
func IsSource(f *stream.File) bool {
	switch f.Role {
	case stream.RoleTest, stream.RoleDocs, stream.RoleOther:
		return false
	}
	l := lang.ByName(f.Language)
	return l != nil && l.Role == stream.RoleImpl && !isStyle(l.Name) && (f.Skipped == "" || f.Skipped == stream.SkipLarge)
}

// IsSourcePath reports whether a file of that path would be [IsSource].
func IsSourcePath(path string) bool {
	f := stream.File{Path: path, Language: lang.Detect(path, nil)}
	f.Role = lang.RoleOf(path, f.Language, nil)
	return IsSource(&f)
}
