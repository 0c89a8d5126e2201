package scan

import (
	"context"
	"strconv"
	"strings"
)

// Refs lists branches, remote branches and tags of the repository at root whose
// short names begin with prefix, those with the newest commits first, at most most of
// them.
func Refs(ctx context.Context, root, prefix string, most int) ([]string, error) {
	out, err := gitOutput(ctx, root, "for-each-ref", "--sort=-creatordate", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSuffix(name, "\n")
		if strings.HasPrefix(name, prefix) && len(names) < most && strconv.CanBackquote(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// Tracked reports whether git tracks something at a path below root, slash-separated.
// Without git nothing is.
func Tracked(ctx context.Context, root, path string) (bool, error) {
	r, err := Identify(root)
	if err != nil || r.GitDir == "" {
		return false, err
	}
	out, err := gitOutput(ctx, root, "ls-files", "-z", "--", path)
	return len(out) > 0, err
}
