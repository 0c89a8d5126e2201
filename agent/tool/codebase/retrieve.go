package codebase

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/english"
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

// Bounds of one passage.
const (
	maxPassageLines = 120
	maxPassage      = 6 << 10 // bytes
	minPassage      = 200     // bytes left below which no part of a long passage is shown
)

func (b *base) retrieveTool() agent.Tool { return defineText(b, "retrieve", b.retrieve) }

// retrieveMost bounds the definitions that the second phase returns: beyond, they
// share a common word with the task and little more.
const retrieveMost = 12

// retrieve works in two phases: the best files, then the best definitions of
// those files only.
func (b *base) retrieve(ctx context.Context, v *fresh.Snapshot, in retrieveInput, t *text) error {
	repo := b.repo(v, t)
	defer repo.Close()
	o := topo.RetrieveOptions{Query: b.ranking(in.Path), Strategy: in.Strategy, Files: orDefault(in.Files, 8), Top: retrieveMost, Texts: true}
	looked, all, err := repo.Retrieve(ctx, in.Task, o)
	if err != nil {
		return taskError(err)
	}
	files := looked.Files()
	if len(files) == 0 {
		t.line("Nothing matches.")
		t.hint("use other words for the same thing, or grep for an exact text")
		return nil
	}
	passages, err := repo.Passages(in.Task)
	if err != nil {
		return err
	}
	room := min(orDefault(in.Tokens, 4000)*stream.CharsPerToken, maxText-2048)
	shown, err := (&shower{v, passages, t}).showAll(all, room)
	if err != nil {
		return err
	}
	t.line("%s from %s; looked at: %s", english.Count(shown, "passage"), english.Count(len(files), "file"), pathsOf(files))
	if shown < len(all) {
		t.hint("more did not fit: raise max_tokens, or read the lines you need")
	}
	t.hint("analyze_impact and trace_dependencies show what uses these definitions")
	return nil
}

// shower writes passages.
type shower struct {
	v        *fresh.Snapshot
	passages *score.Passages
	t        *text
}

// showAll writes the passages that the room holds, in bytes, and returns how many.
func (s *shower) showAll(all []embed.Found, room int) (shown int, err error) {
	for _, p := range all {
		used, err := s.show(p, room)
		if err != nil {
			return shown, err
		}
		if used > 0 {
			room, shown = room-used, shown+1
		}
	}
	return shown, nil
}

// show writes a passage and returns how many bytes it took, 0 when the room does
// not hold any of it. Of a long one its most relevant lines are shown.
func (s *shower) show(p embed.Found, room int) (int, error) {
	id, ok := s.v.Index.Lookup(p.Path)
	if !ok {
		return 0, s.v.Index.Err()
	}
	content, err := s.v.Index.Content(id, nil)
	if err != nil {
		return 0, err
	}
	lines := bytes.Split(content, []byte("\n"))
	p.StartLine, p.EndLine = max(p.StartLine, 1), min(p.EndLine, len(lines))
	if p.StartLine > p.EndLine {
		return 0, nil
	}
	parts := []stream.Chunk{p.Chunk}
	if limit := min(room, maxPassage); p.EndLine-p.StartLine >= maxPassageLines || len(joined(lines, p.Chunk)) > limit {
		if parts, err = s.passages.Windows(stream.File{Path: p.Path}, p.Chunk, limit); err != nil || len(parts) == 0 || room < minPassage {
			return 0, err
		}
		slices.SortFunc(parts, func(a, b stream.Chunk) int {
			return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.StartColumn, b.StartColumn))
		})
	}
	s.t.line("=== %s:%d-%d  %s", answer.Visible(p.Path), p.StartLine, p.EndLine, strings.TrimSpace(p.Kind+" "+answer.Visible(p.Name)))
	used := 0
	for _, c := range parts {
		if c != p.Chunk {
			s.t.line("[… %d-%d:]", c.StartLine, c.EndLine)
		}
		source := joined(lines, c)
		s.t.line("%s", source)
		used += len(source)
	}
	return used, nil
}

// joined is the text of a chunk.
func joined(lines [][]byte, c stream.Chunk) string {
	source := bytes.Join(lines[c.StartLine-1:c.EndLine], []byte("\n"))
	if c.StartColumn > 0 {
		source = source[min(c.StartColumn-1, len(source)):min(c.EndColumn, len(source))]
	}
	return strings.ToValidUTF8(string(source), "\uFFFD")
}

func pathsOf(files []stream.File) string {
	var paths []string
	for _, f := range files {
		paths = append(paths, answer.Visible(f.Path))
	}
	return strings.Join(paths, ", ")
}
