package codebase

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
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
	counter, err := topo.NewCounter("")
	if err != nil {
		return err
	}
	w := &shower{v: v, passages: passages, counter: counter, t: t, tokens: orDefault(in.Tokens, 4000), bytes: maxText - 2048, mask: b.Mask}
	shown, err := w.showAll(all)
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

// shower writes passages while there is room.
type shower struct {
	v             *fresh.Snapshot
	passages      *score.Passages
	counter       topo.Counter
	t             *text
	tokens, bytes int // left
	mask          func([]byte) []byte
}

// showAll writes the passages that there is room for and returns how many.
func (s *shower) showAll(all []embed.Found) (shown int, err error) {
	for _, p := range all {
		ok, err := s.show(p)
		if err != nil {
			return shown, err
		}
		if ok {
			shown++
		}
	}
	return shown, nil
}

// show writes a passage; ok is false when the room does not hold any of it. Of a long
// one its most relevant lines are shown.
func (s *shower) show(p embed.Found) (ok bool, err error) {
	id, ok := s.v.Index.Lookup(p.Path)
	if !ok {
		return false, s.v.Index.Err()
	}
	content, err := s.v.Index.Content(id, nil)
	if err != nil {
		return false, err
	}
	if s.mask != nil {
		content = s.mask(content)
	}
	lines := bytes.Split(content, []byte("\n"))
	p.StartLine, p.EndLine = max(p.StartLine, 1), min(p.EndLine, len(lines))
	if p.StartLine > p.EndLine {
		return false, nil
	}
	body := s.body(lines, p.Chunk, []stream.Chunk{p.Chunk})
	if p.EndLine-p.StartLine >= maxPassageLines || len(body) > maxPassage || !s.holds(body) {
		if body, err = s.shorter(lines, p); err != nil || body == "" {
			return false, err
		}
	}
	s.t.line("=== %s:%d-%d  %s", answer.Visible(p.Path), p.StartLine, p.EndLine, strings.TrimSpace(p.Kind+" "+answer.Visible(p.Name)))
	s.t.line("%s", body)
	s.bytes -= len(body)
	s.tokens -= s.counter.Count([]byte(body))
	return true, nil
}

func (s *shower) holds(body string) bool {
	return len(body) <= s.bytes && s.counter.Count([]byte(body)) <= s.tokens
}

// shorter are the most relevant lines of a passage, as many as there is room for;
// empty when it holds none.
func (s *shower) shorter(lines [][]byte, p embed.Found) (string, error) {
	for limit := min(s.bytes, maxPassage, s.tokens*stream.CharsPerToken); limit >= minPassage; limit -= limit / 4 {
		parts, err := s.passages.Windows(stream.File{Path: p.Path}, p.Chunk, limit)
		if err != nil || len(parts) == 0 {
			return "", err
		}
		slices.SortFunc(parts, func(a, b stream.Chunk) int {
			return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.StartColumn, b.StartColumn))
		})
		if body := s.body(lines, p.Chunk, parts); s.holds(body) {
			return body, nil
		}
	}
	return "", nil
}

// body is the text of the parts of a passage, each after the number of its lines
// unless it is the passage.
func (s *shower) body(lines [][]byte, passage stream.Chunk, parts []stream.Chunk) string {
	var out []string
	for _, c := range parts {
		if c != passage {
			out = append(out, fmt.Sprintf("[… %d-%d:]", c.StartLine, c.EndLine))
		}
		out = append(out, joined(lines, c))
	}
	return strings.Join(out, "\n")
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
