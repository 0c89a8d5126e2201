package codebase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

type searchInput struct {
	Query    string `json:"query" jsonschema:"What the code does, in words, or names, or an error message or a whole bug report" tool:"min=1,max=100000"`
	Limit    int    `json:"limit,omitempty" jsonschema:"How many files" tool:"min=1,max=50,default=10"`
	Path     string `json:"path,omitempty" jsonschema:"Only files whose path matches this glob, such as src/** or **/*_test.go"`
	Language string `json:"language,omitempty" jsonschema:"Only files of this language, such as go or python"`
}

// searchDefinitions is how many definitions of a file are shown.
const searchDefinitions = 3

func (b *base) searchTool() agent.Tool { return defineText(b, "search", b.search) }

func (b *base) search(ctx context.Context, v *fresh.Snapshot, in searchInput, t *text) error {
	o := b.ranking(in.Path)
	if in.Language != "" {
		o.Languages = []string{strings.ToLower(in.Language)}
		if !slices.ContainsFunc(v.Files, func(f stream.File) bool { return f.Language == o.Languages[0] }) {
			return fmt.Errorf("no file of the repository is of language %q; leave it out or use a name such as go, python, typescript", in.Language)
		}
	}
	q, err := topo.NewQuery(in.Query, o)
	if err != nil {
		return taskError(err)
	}
	repo := b.repo(v, t)
	defer repo.Close()
	ranked, err := repo.Indexed(ctx, q)
	if err == nil {
		err = repo.Rank(ctx, ranked, q)
	}
	if err != nil {
		return err
	}
	files := ranked.Files()
	n := min(matching(files), orDefault(in.Limit, 10))
	if n == 0 {
		t.line("No file matches.")
		t.hint("use other words for the same thing, or grep for an exact text")
		return nil
	}
	passages, err := repo.Passages(in.Query)
	if err != nil {
		return err
	}
	t.line("%d of %s, best first, with their most relevant definitions:", n, english.Count(len(v.Files), "file"))
	for i, f := range files[:n] {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.line("%d. %s  (%s)", i+1, answer.Visible(f.Path), described(f))
		chunks, err := bestOf(passages, f)
		if err != nil {
			return err
		}
		for _, c := range chunks[:min(len(chunks), searchDefinitions)] {
			if c.Score > 0 {
				t.line("     %d-%d  %s", c.StartLine, c.EndLine, definition(c))
			}
		}
	}
	t.hint("retrieve returns the source of the best definitions; read and outline show a file such as %q", files[0].Path)
	if rest := matching(files) - n; rest > 0 {
		t.hint("%s match less well: raise limit, or narrow with path or language", english.Count(rest, "more file"))
	}
	return nil
}

// bestOf are the definitions of a file, or the lines that match best when it has
// none, most relevant first.
func bestOf(p *score.Passages, f stream.File) ([]stream.Chunk, error) {
	const size = 300 // bytes: a line with its neighbours
	chunks, err := p.Of(f)
	if err == nil && len(chunks) == 0 {
		return p.Windows(f, stream.Chunk{}, size)
	}
	return chunks, err
}

// repo is the repository of a snapshot. What it reports becomes part of the answer.
func (b *base) repo(v *fresh.Snapshot, t *text) *topo.Repo {
	return topo.FromSnapshot(v, nil, topo.Report{Note: func(note string) {
		if note != topo.NothingFound {
			t.line("Note: %s.", note)
		}
	}})
}

// ranking narrows a ranking to a glob or folder, empty for all.
func (b *base) ranking(glob string) topo.QueryOptions {
	o := topo.QueryOptions{Preset: b.Preset}
	if glob != "" {
		o.Paths = []string{glob}
	}
	return o
}

// taskError says what to do about a task that says nothing.
func taskError(err error) error {
	if errors.Is(err, score.ErrEmptyQuery) || errors.Is(err, score.ErrStopWords) {
		return fmt.Errorf("the task says nothing to search for (%w); use the words that the code would use", err)
	}
	return err
}

// matching is how many files at the head of the list have a score.
func matching(files []stream.File) int {
	n := 0
	for n < len(files) && files[n].Score > 0 {
		n++
	}
	return n
}

func described(f stream.File) string {
	what := string(f.Role)
	if f.Language != "" {
		what = f.Language + " " + what
	}
	return fmt.Sprintf("%s, ~%d tokens", what, stream.EstimateTokens(f.Size))
}

// definition is a chunk on one line: its signature, or kind and name.
func definition(c stream.Chunk) string {
	if c.Kind == score.KindWindow {
		return "lines"
	}
	if c.Signature == "" || c.Kind == "section" {
		return c.Kind + " " + answer.Visible(c.Name)
	}
	return answer.Visible(c.Signature)
}
