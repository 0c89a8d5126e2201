package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/settings"
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
	addNullFlag(cmd.Flags(), f)
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
	flags.StringVar(&o.Tokenizer, "tokenizer", "", "how tokens are counted: "+strings.Join(settings.Tokenizers(), ", ")+" (default "+render.DefaultTokenizer+")")
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
	if o.Tokenizer == "" {
		return nil
	}
	if err := oneOf("tokenizer", settings.Tokenizers())(o.Tokenizer); err != nil {
		return usagef("--tokenizer: %w", err)
	}
	return nil
}

func (o *selectOptions) budget() topo.Budget {
	return topo.Budget{MaxBytes: int64(o.MaxBytes), MaxTokens: o.MaxTokens, Tokenizer: o.Tokenizer, Top: o.Top}
}

// options are those of the library.
func (o *selectOptions) options() topo.SelectOptions {
	return topo.SelectOptions{Budget: o.budget(), MinScore: o.MinScore}
}

func runSelect(ctx context.Context, o *selectOptions) error {
	s, err := o.f.required(ctx, `topo scan | topo score "…" | topo select`)
	if err != nil {
		return err
	}
	r, err := o.f.open(ctx, s, "")
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.Select(ctx, s, o.options()); err != nil {
		return err
	}
	return o.f.emit(ctx, s)
}
