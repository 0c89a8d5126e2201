package snapshot

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Span is one step: the snapshots before and after it.
type Span struct{ Before, After string }

// Plan is what an undo would do. It is made by [Store.Plan] and applied by
// [Store.Apply]; between the two it can be shown.
type Plan struct {
	// Now is the snapshot of the tree that the plan was made for: undoing the
	// undo is restoring it.
	Now       string
	Then      string     // the snapshot of the tree as it will be; [Store.Diff] of the two is the preview
	Restore   []Change   // from the tree as it is to the tree as it will be, by path
	Conflicts []Conflict // paths that would lose a change that no step made
	Skipped   []string   // files that no snapshot holds, with the reason
}

// Conflict is a path that somebody changed after the step that is to be undone.
type Conflict struct{ Path, Reason string }

// Plan says what undoing the steps would do. Spans are in the order in which
// they happened and may leave out steps between. Paths restrict the plan to
// these files and folders; none means all.
//
// A path is restored to what it was before the first step that changed it. It
// conflicts when its content now is not what the last such step left, or when
// somebody changed it between two of them; force turns conflicts into restores.
func (s *Store) Plan(ctx context.Context, spans []Span, force bool, paths ...string) (Plan, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return Plan{}, err
	}
	defer unlock()
	var p Plan
	if p.Now, p.Skipped, err = s.take(ctx); err != nil {
		return Plan{}, err
	}
	now, err := s.entries(ctx, p.Now)
	if err != nil {
		return Plan{}, err
	}
	target, conflicts, err := s.rewind(ctx, now, spans, paths)
	if err != nil {
		return Plan{}, err
	}
	var edits []Change
	for _, path := range slices.Sorted(maps.Keys(target)) {
		c := Change{Path: path, old: now[path], new: target[path]}
		reason := conflicts[path]
		if c.old == (state{}) && c.new != (state{}) && reason == "" && s.wouldLose(path, now) {
			reason = "there is something now that the snapshots leave out"
		}
		if reason != "" && !force {
			p.Conflicts = append(p.Conflicts, Conflict{path, reason})
		} else if c.old != c.new {
			edits = append(edits, c)
		}
	}
	if p.Then, err = s.edit(ctx, p.Now, edits); err != nil {
		return Plan{}, err
	}
	p.Restore, err = s.Changes(ctx, p.Now, p.Then)
	return p, err
}

// edit makes the snapshot that differs from another by the given changes.
func (s *Store) edit(ctx context.Context, id string, changes []Change) (string, error) {
	if len(changes) == 0 {
		return id, nil
	}
	// Removals come first: a file can then take the place of a folder.
	var gone, come strings.Builder
	for _, c := range changes {
		if c.new == (state{}) {
			gone.WriteString("0 " + strings.Repeat("0", len(c.old.id)) + "\t" + c.Path + "\x00")
		} else {
			come.WriteString(c.new.mode + " " + c.new.id + "\t" + c.Path + "\x00")
		}
	}
	index := filepath.Join(s.dir, "plan.index")
	defer os.Remove(index)
	env := append(s.storeEnv(), "GIT_INDEX_FILE="+index)
	_, err := runGit(ctx, s.root, env, nil, "read-tree", id)
	if err == nil {
		_, err = runGit(ctx, s.root, env, strings.NewReader(gone.String()+come.String()), "update-index", "-z", "--replace", "--index-info")
	}
	if err != nil {
		return "", err
	}
	out, err := runGit(ctx, s.root, env, nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// rewind walks the steps from the last to the first and returns what each path
// they changed was before, and what prevents restoring it.
func (s *Store) rewind(ctx context.Context, now map[string]state, spans []Span, paths []string) (target map[string]state, conflicts map[string]string, err error) {
	target, conflicts = map[string]state{}, map[string]string{}
	for _, span := range slices.Backward(spans) {
		changes, err := s.raw(ctx, span.Before, span.After)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range changes {
			if !inPaths(c.Path, paths) {
				continue
			}
			later, seen := target[c.Path]
			switch {
			case conflicts[c.Path] != "":
			case !seen && now[c.Path] != c.new:
				conflicts[c.Path] = "changed since"
			case seen && later != c.new:
				conflicts[c.Path] = "changed between the steps"
			}
			target[c.Path] = c.old
		}
	}
	// A path that is as it was has nothing to lose.
	for path := range conflicts {
		if now[path] == target[path] {
			delete(conflicts, path)
		}
	}
	return target, conflicts, nil
}

// inPaths reports whether path is one of the paths or inside one of them.
func inPaths(path string, paths []string) bool {
	if len(paths) == 0 {
		return true
	}
	for _, p := range paths {
		p = strings.TrimSuffix(p, "/")
		if p == "." || path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}

// wouldLose reports whether the working tree has something at path, or below it,
// that the snapshot does not hold and that putting a file there would lose.
func (s *Store) wouldLose(path string, now map[string]state) bool {
	if (linkCache{s.root, map[string]bool{}}).hasLinkAbove(path) {
		return false // it is a link that goes; what it points at stays
	}
	found := errors.New("found")
	err := filepath.WalkDir(filepath.Join(s.root, filepath.FromSlash(path)), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(s.root, name)
		if _, held := now[filepath.ToSlash(rel)]; err != nil || !held {
			return found
		}
		return nil
	})
	return err != nil
}
