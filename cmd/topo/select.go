package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// selectOptions is the budget of a selection.
type selectOptions struct {
	f         *factory
	Top       int
	MaxTokens int
	MaxBytes  sizeValue
	MinScore  float64
	Tokenizer string
}

func newSelect(f *factory, runF func(context.Context, *selectOptions) error) *cobra.Command {
	opts := &selectOptions{f: f}
	cmd := &cobra.Command{
		Use:   "select",
		Short: "Keep the best files of a scored stream that a budget holds",
		Long: `Keep the best files of the scored stream on standard input that a budget
holds. Budgets are about what topo render will print as Markdown, not about the
sizes of files. Of a file that does not fit its most relevant definitions are
kept, in Chunks; later smaller files may still fit.

Without a budget the best files are kept, at most ` + "20" + `, until the scores fall
off.`,
		Example: `  topo scan | topo score "session expiry" | topo select --max-tokens 8000
  topo select --top 5 --min-score 0.5 < scored.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := opts.check(); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runSelect(cmd.Context(), opts)
		},
	}
	addSelectFlags(cmd.Flags(), opts)
	return cmd
}

func addSelectFlags(flags *pflag.FlagSet, o *selectOptions) {
	flags.IntVar(&o.Top, "top", 0, "keep at most this many files")
	addBudgetFlags(flags, o)
	flags.Float64Var(&o.MinScore, "min-score", 0, "leave out files that score less, from 0 to 1")
}

// addBudgetFlags adds the flags that select and render share.
func addBudgetFlags(flags *pflag.FlagSet, o *selectOptions) {
	flags.IntVar(&o.MaxTokens, "max-tokens", 0, "most tokens of the rendered output")
	flags.Var(&o.MaxBytes, "max-bytes", "most bytes of the rendered output")
	flags.StringVar(&o.Tokenizer, "tokenizer", "bytes", "how tokens are counted: "+strings.Join(tokenizerNames(), ", "))
}

// check looks at the values as the command line gave them.
func (o *selectOptions) check() error {
	switch {
	case o.Top < 0:
		return usagef("--top %d: a budget must not be negative; give 0 for no limit", o.Top)
	case o.MaxTokens < 0:
		return usagef("--max-tokens %d: a budget must not be negative; give 0 for no limit", o.MaxTokens)
	case !(o.MinScore >= 0 && o.MinScore <= 1):
		return usagef("--min-score %v: not from 0 to 1", o.MinScore)
	}
	if err := oneOf("tokenizer", tokenizerNames())(o.Tokenizer); err != nil {
		return usagef("--tokenizer: %w", err)
	}
	return nil
}

func (o *selectOptions) budget() stream.Budget {
	b := stream.Budget{MaxBytes: int64(o.MaxBytes), MaxTokens: o.MaxTokens, Top: o.Top}
	if o.Tokenizer != "bytes" {
		b.Tokenizer = o.Tokenizer
	}
	return b
}

// least is the score below which nothing is selected.
func (o *selectOptions) least(best float64) float64 {
	return (&score.Selection{MinScore: o.MinScore}).Least(best)
}

func runSelect(ctx context.Context, o *selectOptions) error {
	s, err := o.f.required(ctx, `topo scan | topo score "…" | topo select`)
	if err != nil {
		return err
	}
	t, err := o.f.streamTree(ctx, s)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := selectStage(ctx, t, s, o); err != nil {
		return err
	}
	return o.f.emit(ctx, s)
}

// selectStage keeps the files of s that the budget holds.
func selectStage(ctx context.Context, t *tree, s *wholeStream, o *selectOptions) error {
	files := s.files()
	t.allow(files)
	sel := score.Selection{Budget: o.budget(), MinScore: o.MinScore}
	s.header.Budget, s.header.MinScore = sel.Budget, sel.MinScore
	sel.Header = s.header
	if sel.Budget.MaxBytes > 0 || sel.Budget.MaxTokens > 0 {
		loader, err := t.loader(ctx, s.header.Query)
		if err != nil {
			return err
		}
		ro, err := o.renderOptions()
		if err != nil {
			return err
		}
		if sel.Sizer, err = render.NewSizer(render.DefaultFormat, ro, loader.load); err != nil {
			return err
		}
		sel.Chunks = loader.best
	}
	chosen, err := score.Select(ctx, files, sel)
	if err != nil {
		return err
	}
	s.replace(chosen)
	return nil
}

// renderOptions are those that the costs of the selection are taken with.
func (o *selectOptions) renderOptions() (render.Options, error) {
	counter, err := render.NewCounter(o.Tokenizer)
	if err != nil {
		return render.Options{}, usagef("--tokenizer: %w", err)
	}
	return render.Options{Counter: counter, Fence: fence}, nil
}
