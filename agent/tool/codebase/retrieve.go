package codebase

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/stream"
)

type retrieveInput struct {
	Task     string `json:"task" jsonschema:"What you want to do or know, in words; a whole bug report is fine" tool:"min=1,max=100000"`
	Strategy string `json:"strategy,omitempty" jsonschema:"code returns functions and types, document returns sections of documents" tool:"enum=code|document,default=code"`
	Files    int    `json:"files,omitempty" jsonschema:"From how many of the best files" tool:"min=1,max=50,default=8"`
	Tokens   int    `json:"max_tokens,omitempty" jsonschema:"How much source to return, in tokens" tool:"min=100,max=6000,default=4000"`
	Path     string `json:"path,omitempty" jsonschema:"Only files whose path matches this glob, such as src/**"`
}

// maxPassageLines is how much of one long definition is shown.
const maxPassageLines = 120

func (b *base) retrieveTool() agent.Tool { return define(b, "retrieve", b.retrieve) }

// retrieveMost bounds the definitions that the second phase returns: beyond, they
// share a common word with the task and little more.
const retrieveMost = 12

// retrieve works in two phases: the best files, then the best definitions of
// those files only.
func (b *base) retrieve(ctx context.Context, v *fresh.Snapshot, in retrieveInput, t *text) error {
	q, err := parse(in.Task)
	if err != nil {
		return err
	}
	files, err := b.rank(ctx, v, q, in.Path, "")
	if err != nil {
		return err
	}
	files = ofStrategy(files[:matching(files)], in.Strategy)
	files = files[:min(len(files), orDefault(in.Files, 8))]
	if len(files) == 0 {
		t.line("Nothing matches.")
		t.hint("use other words for the same thing, or grep for an exact text")
		return nil
	}
	all, err := best(ctx, v, q, files, in.Strategy)
	if err != nil {
		return err
	}
	room := min(orDefault(in.Tokens, 4000)*stream.CharsPerToken, maxText-2048)
	shown := 0
	for _, p := range all {
		used, err := show(v, p, room, t)
		if err != nil {
			return err
		}
		if used > 0 {
			room, shown = room-used, shown+1
		}
	}
	t.line("%s from %s; looked at: %s", plural(shown, "passage"), plural(len(files), "file"), pathsOf(files))
	if shown < len(all) {
		t.hint("more did not fit: raise max_tokens, or read the lines you need")
	}
	t.hint("analyze_impact and trace_dependencies show what uses these definitions")
	return nil
}

// ofStrategy leaves documents, or what is not one.
func ofStrategy(files []stream.File, strategy string) []stream.File {
	return slices.DeleteFunc(slices.Clone(files), func(f stream.File) bool {
		if strategy == "document" {
			return f.Role != stream.RoleDocs
		}
		return f.Role != stream.RoleImpl && f.Role != stream.RoleConfig && f.Role != stream.RoleBuild
	})
}

// best are the definitions of the files that hold something of the query, best
// first.
func best(ctx context.Context, v *fresh.Snapshot, q *score.Query, files []stream.File, strategy string) ([]embed.Found, error) {
	kind := embed.TypeFunction
	if strategy == "document" {
		kind = embed.TypeSection
	}
	return embed.Retrieval{Corpus: &score.Deep{Index: v.Index}, Query: q, Files: files, Kind: kind, Top: retrieveMost}.Run(ctx)
}

// show writes a passage with its line numbers when it fits the room, in bytes,
// and returns how much it took.
func show(v *fresh.Snapshot, p embed.Found, room int, t *text) (int, error) {
	id, ok := v.Index.Lookup(p.Path)
	if !ok {
		return 0, v.Index.Err()
	}
	content, err := v.Index.Content(id, nil)
	if err != nil {
		return 0, err
	}
	lines := bytes.Split(content, []byte("\n"))
	first, last := max(p.StartLine, 1), min(p.EndLine, len(lines), p.StartLine+maxPassageLines-1)
	if first > last {
		return 0, nil
	}
	source := strings.ToValidUTF8(string(bytes.Join(lines[first-1:last], []byte("\n"))), "\uFFFD")
	if len(source) > room {
		return 0, nil
	}
	t.line("=== %s:%d-%d  %s %s", visible(p.Path), first, p.EndLine, p.Kind, visible(p.Name))
	t.line("%s", source)
	if last < p.EndLine {
		t.line("[… to line %d]", p.EndLine)
	}
	return len(source), nil
}

func pathsOf(files []stream.File) string {
	var paths []string
	for _, f := range files {
		paths = append(paths, visible(f.Path))
	}
	return strings.Join(paths, ", ")
}
