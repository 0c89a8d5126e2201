package topo

import (
	"cmp"
	"context"

	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/internal/secret"
	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// SelectOptions say what a selection keeps. The zero value keeps the best files, at
// most 20, until the scores fall off.
type SelectOptions struct {
	Budget   Budget  // of what [Repo.Render] prints as Markdown; see [Budget]
	MinScore float64 // leave out files that score less, 0 to 1
}

// minScore is the score below which nothing is selected.
func (o SelectOptions) minScore(best float64) float64 {
	return (&score.Selection{MinScore: o.MinScore}).MinScoreFor(best)
}

// Select keeps the files of a ranked stream that the budget holds. Of a file that
// does not fit whole its most relevant definitions are kept, in Chunks, or windows of
// lines where it has none. A budget that holds nothing is reported.
func (r *Repo) Select(ctx context.Context, s *stream.Stream, o SelectOptions) error {
	files := s.Files()
	r.allow(files)
	sel := score.Selection{Budget: withTokenizer(o.Budget), MinScore: o.MinScore}
	s.Header.Budget, s.Header.MinScore = sel.Budget, sel.MinScore
	sel.Header = s.Header
	if o.Budget.Limited() {
		l := r.loader(ctx, s.Header.Query)
		ro, err := renderOptions(sel.Budget)
		if err != nil {
			return err
		}
		if sel.Sizer, err = render.NewSizer(render.DefaultFormat, ro, l.load); err != nil {
			return err
		}
		sel.Chunks, sel.Windows, sel.OnEmpty = l.best, l.windows, r.o.Report.note
	}
	chosen, err := score.Select(ctx, files, sel)
	if err != nil {
		return err
	}
	for i := range chosen {
		maskSignatures(chosen[i].Chunks)
	}
	s.Replace(chosen)
	return nil
}

// withTokenizer says how the tokens of a budget are counted.
func withTokenizer(b Budget) Budget {
	if b.MaxTokens > 0 {
		b.Tokenizer = cmp.Or(b.Tokenizer, render.DefaultTokenizer)
	}
	return b
}

// renderOptions are those that costs are taken with.
func renderOptions(b Budget) (render.Options, error) {
	counter, err := render.NewCounter(withTokenizer(b).Tokenizer)
	if err != nil {
		return render.Options{}, fault.Usagef("--tokenizer: %w", err)
	}
	return render.Options{Counter: counter, Fence: fence}, nil
}

// fence names a language in a Markdown fence.
func fence(language string) string {
	if l := lang.ByName(language); l != nil {
		return l.FenceID()
	}
	return language
}

// maskSignatures replaces the credentials in the signatures of definitions.
func maskSignatures(list []stream.Chunk) {
	for i := range list {
		if signature, n := secret.Mask([]byte(list[i].Signature)); n > 0 {
			list[i].Signature = string(signature)
		}
	}
}
