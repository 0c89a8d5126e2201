package codebase

import (
	"context"
	"strings"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/index/fresh"
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
	repo := b.repo(v, t)
	defer repo.Close()
	budget := topo.Budget{MaxTokens: orDefault(in.Tokens, 5000)}
	s, err := repo.Query(ctx, in.Task, b.ranking(in.Path), topo.SelectOptions{Budget: budget})
	if err != nil {
		return taskError(err)
	}
	if len(s.Files()) == 0 {
		t.line("Nothing matches.")
		t.hint("use other words for the same thing, or grep for an exact text")
		return nil
	}
	var out strings.Builder
	if err := repo.Render(ctx, &out, s, topo.RenderOptions{Format: in.Format, Budget: budget, ShowSecrets: b.Mask == nil}); err != nil {
		return err
	}
	t.line("%s", strings.TrimRight(strings.ToValidUTF8(out.String(), "\uFFFD"), "\n"))
	t.hint("read shows the rest of a file, analyze_impact what depends on it")
	return nil
}
