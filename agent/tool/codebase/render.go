package codebase

import (
	"cmp"
	"context"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

type renderInput struct {
	Task   string `json:"task" jsonschema:"What you want to do or know, in words; a whole bug report is fine" tool:"min=1,max=100000"`
	Format string `json:"format,omitempty" jsonschema:"How it is written" tool:"enum=markdown|xml|json,default=markdown"`
	Tokens int    `json:"max_tokens,omitempty" jsonschema:"Size of the whole, in tokens" tool:"min=200,max=5500,default=5000"`
	Path   string `json:"path,omitempty" jsonschema:"Only files whose path matches this glob, or in this folder"`
}

func (b *base) renderTool() agent.Tool { return defineText(b, "render_context", b.render) }

// render ranks, selects and renders, as topo quick and topo render do.
func (b *base) render(ctx context.Context, v *fresh.Snapshot, in renderInput, t *text) error {
	q, err := parse(in.Task)
	if err != nil {
		return err
	}
	files, err := b.rank(ctx, v, q, in.Path, "")
	if err != nil {
		return err
	}
	files = files[:matching(files)]
	if len(files) == 0 {
		t.line("Nothing matches.")
		t.hint("use other words for the same thing, or grep for an exact text")
		return nil
	}
	passages, err := score.NewPassages(&score.Deep{Index: v.Index}, q)
	if err != nil {
		return err
	}
	format, load := cmp.Or(in.Format, "markdown"), loader{v}.load
	o := render.Options{MaxTokens: orDefault(in.Tokens, 5000), Fence: fence}
	sizer, err := render.NewSizer(format, o, load)
	if err != nil {
		return err
	}
	header := stream.Header{Version: stream.StreamVersion, Query: q.Text, Preset: cmp.Or(b.Preset, score.DefaultPreset)}
	chosen, err := score.Select(ctx, files, score.Selection{Header: header, Budget: stream.Budget{MaxTokens: o.MaxTokens}, Sizer: sizer,
		Chunks: passages.Of, Windows: passages.Windows, OnEmpty: func(note string) { t.line("%s", note) }})
	if err != nil {
		return err
	}
	input := render.Input{Header: header, Footer: stream.Footer{ScannedFiles: len(v.Files)}, Load: load}
	for _, f := range chosen {
		input.Docs = append(input.Docs, render.Doc{File: f})
	}
	var out strings.Builder
	if err := render.Render(ctx, &out, format, input, o); err != nil {
		return err
	}
	t.line("%s", strings.TrimRight(strings.ToValidUTF8(out.String(), "\uFFFD"), "\n"))
	t.hint("read shows the rest of a file, analyze_impact what depends on it")
	return nil
}

// loader fills in what a file is printed with, from the index.
type loader struct{ v *fresh.Snapshot }

func (l loader) load(d *render.Doc) error {
	id, ok := l.v.Index.Lookup(d.File.Path)
	if !ok {
		d.Missing = "the file is gone"
		return l.v.Index.Err()
	}
	content, err := l.v.Index.Content(id, []byte{})
	if err != nil {
		return err
	}
	chunks, err := l.v.Index.Chunks(id)
	if err != nil {
		return err
	}
	d.Content, d.Outline = content, score.Outline(chunks, content)
	return nil
}

// fence names a language in a Markdown fence.
func fence(language string) string {
	if l := lang.ByName(language); l != nil {
		return l.FenceID()
	}
	return language
}
