package replay

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/stream"
)

// Changes lists by path the definitions that a fix changed, by their positions in
// the chunks of the case's tree.
type Changes map[string][]int

// Any reports whether a definition was changed.
func (c Changes) Any() bool {
	for _, list := range c {
		if len(list) > 0 {
			return true
		}
	}
	return false
}

// judgeFunctions judges the functions of the first files against those that the
// fix changed; nil when the fix is not known or changes none.
func (t *Tree) judgeFunctions(ctx context.Context, files []stream.File) (*eval.Outcome, error) {
	gold, err := t.ChangedFunctions(ctx)
	if err != nil || len(gold) == 0 {
		return nil, err
	}
	q, err := score.ParseQuery(t.Case.Query)
	if err != nil {
		return nil, err
	}
	found, err := score.Definitions(&score.Deep{Index: t.Index}, q, files, eval.FunctionFiles)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range found {
		if d.Kind == chunk.Function.String() || d.Kind == chunk.Method.String() {
			names = append(names, functionName(d.Path, d.Name, d.EndLine))
		}
	}
	c := t.Case
	c.Gold = gold
	out := eval.Judge(c, names, nil)
	return &out, nil
}

func functionName(path, name string, end int) string { return fmt.Sprintf("%s:%s:%d", path, name, end) }

// ChangedFunctions names the functions among [Tree.Changes].
func (t *Tree) ChangedFunctions(ctx context.Context) (names []string, err error) {
	changes, err := t.Changes(ctx)
	if err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(changes)) {
		id, ok := t.Lookup(path)
		if !ok {
			continue
		}
		chunks, err := t.Chunks(id)
		if err != nil {
			return nil, err
		}
		for _, i := range changes[path] {
			if eval.IsFunction(chunks[i].Kind) {
				names = append(names, functionName(path, chunks[i].Qualified(), chunks[i].EndLine))
			}
		}
	}
	return names, nil
}

// Changes finds the commit that answered the case and what it changed in the
// wanted files; nil when it is not known. A file that it removed or moved has no
// changes.
func (t *Tree) Changes(ctx context.Context) (Changes, error) {
	if t.fixed {
		return t.changes, nil
	}
	commits, err := t.Following(ctx, maxCommits)
	if err != nil {
		return nil, err
	}
	if fix := eval.Fix(t.Case, AsChanges(commits), IsSourcePath); fix != "" {
		if t.changes, err = t.changesOf(ctx, fix); err != nil {
			return nil, err
		}
	}
	t.fixed = true
	return t.changes, nil
}

// changesOf compares the wanted files before and after a commit.
func (t *Tree) changesOf(ctx context.Context, commit string) (Changes, error) {
	before, err := scan.OpenSource(ctx, t.Root, commit+"^", 0)
	if err != nil {
		return nil, err
	}
	defer before.Close()
	after, err := scan.OpenSource(ctx, t.Root, commit, 0)
	if err != nil {
		return nil, err
	}
	defer after.Close()
	out := Changes{}
	for _, path := range t.Case.Gold {
		if out[path], err = t.changesIn(ctx, path, before, after); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// changesIn lists what differs between two states of a file.
func (t *Tree) changesIn(ctx context.Context, path string, before, after *scan.Source) (out []int, err error) {
	id, ok := t.Lookup(path)
	if !ok {
		return nil, nil
	}
	base, err := t.Chunks(id)
	if err != nil {
		return nil, err
	}
	f, err := t.File(id)
	if err != nil {
		return nil, err
	}
	oldText, oldErr := before.ReadFile(path, nil)
	newText, newErr := after.ReadFile(path, nil)
	if oldErr != nil || newErr != nil {
		return nil, nil
	}
	oldChunks := chunk.Parse(ctx, f.Language, path, oldText).Chunks
	newChunks := chunk.Parse(ctx, f.Language, path, newText).Chunks
	for _, i := range eval.Changed(oldChunks, newChunks, oldText, newText) {
		if k := eval.SamePlace(oldChunks, base, i); k >= 0 {
			out = append(out, k)
		}
	}
	return out, nil
}
