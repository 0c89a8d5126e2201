package snapshot

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/topo-dev/topo/internal/lazy"
)

// state is what a snapshot holds at a path; the zero value is nothing.
type state struct {
	mode string // as git writes it: 100644, 100755, 120000 (link), 160000 (repository)
	id   string // of the blob
}

// Change is how one path differs between two snapshots.
type Change struct {
	Path           string // slash-separated, relative to the root
	Kind           Kind
	Added, Deleted int // lines; both -1 for a binary file

	old, new state
}

// Kind says what happened to a path.
type Kind string

// Kinds of changes.
const (
	Added    Kind = "added"
	Modified Kind = "modified" // content, mode, or a link instead of a file
	Deleted  Kind = "deleted"
)

// isID matches the identity of a snapshot: what comes from a log is checked
// before it reaches a command line.
var isID = lazy.Matcher(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

func checkIDs(ids ...string) error {
	for _, id := range ids {
		if !isID(id) {
			return fmt.Errorf("snapshot: %.80q is not the identity of a snapshot", id)
		}
	}
	return nil
}

// Changes lists what differs between two snapshots, by path.
func (s *Store) Changes(ctx context.Context, from, to string) ([]Change, error) {
	changes, err := s.raw(ctx, from, to)
	if err != nil {
		return nil, err
	}
	out, err := s.git(ctx, "", "diff-tree", "-r", "-z", "--no-renames", "--numstat", from, to)
	if err != nil {
		return nil, err
	}
	lines := map[string][2]int{}
	for _, line := range splitNUL(out) {
		if part := strings.SplitN(line, "\t", 3); len(part) == 3 {
			lines[part[2]] = [2]int{number(part[0]), number(part[1])}
		}
	}
	for i := range changes {
		n := lines[changes[i].Path]
		changes[i].Added, changes[i].Deleted = n[0], n[1]
	}
	return changes, nil
}

// number is the value of a count of lines, -1 for the dash of a binary file.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// raw lists the changes without counting lines.
func (s *Store) raw(ctx context.Context, from, to string) ([]Change, error) {
	if err := checkIDs(from, to); err != nil {
		return nil, err
	}
	out, err := s.git(ctx, "", "diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", from, to)
	if err != nil {
		return nil, err
	}
	part := splitNUL(out)
	var changes []Change
	for i := 0; i+1 < len(part); i += 2 {
		// ":100644 100644 <id> <id> M"
		f := strings.Fields(strings.TrimPrefix(part[i], ":"))
		if len(f) != 5 {
			return nil, fmt.Errorf("snapshot: git diff-tree wrote %.80q", part[i])
		}
		c := Change{Path: part[i+1], Kind: Modified}
		if f[0] != "000000" {
			c.old = state{f[0], f[2]}
		}
		if f[1] != "000000" {
			c.new = state{f[1], f[3]}
		}
		switch {
		case c.old == state{}:
			c.Kind = Added
		case c.new == state{}:
			c.Kind = Deleted
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// Diff returns the differences of two snapshots as a unified diff with renames
// told. Paths restrict it to these files and folders; none means all.
func (s *Store) Diff(ctx context.Context, from, to string, paths ...string) (string, error) {
	if err := checkIDs(from, to); err != nil {
		return "", err
	}
	args := []string{"-c", "diff.renames=true", "diff-tree", "-r", "-p", "-M", "--no-ext-diff", "--no-textconv", "--no-color",
		"--src-prefix=a/", "--dst-prefix=b/", from, to, "--"}
	out, err := s.git(ctx, "", append(args, paths...)...)
	return string(out), err
}

// entries reads what a snapshot holds, by path.
func (s *Store) entries(ctx context.Context, id string) (map[string]state, error) {
	if err := checkIDs(id); err != nil {
		return nil, err
	}
	out, err := s.git(ctx, "", "ls-tree", "-r", "-z", "--full-tree", id)
	if err != nil {
		return nil, err
	}
	all := map[string]state{}
	for _, line := range splitNUL(out) {
		meta, path, _ := strings.Cut(line, "\t")
		if f := strings.Fields(meta); len(f) == 3 {
			all[path] = state{f[0], f[2]}
		}
	}
	return all, nil
}
