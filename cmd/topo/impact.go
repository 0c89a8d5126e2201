package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/scan"
)

type diffImpactOptions struct {
	impactOptions
	Diff string // revision the working tree is compared with
}

// newImpact is topo impact: of the changes since a commit, or of a place.
func newImpact(f *factory, runF func(context.Context, *diffImpactOptions) error) *cobra.Command {
	opts := &diffImpactOptions{impactOptions: impactOptions{graphOptions: graphOptions{f: f}}}
	cmd := &cobra.Command{
		Use:   "impact {--diff [REV] | X}",
		Short: "Show what your changes may affect, and which tests to run",
		Long: `Show which definitions changed between a commit (HEAD unless another is given) and
the working tree, new files included, and what that may affect: direct, indirect
and transitive users with their files, and the tests that cover them. The lines
come from git, the graph from the index as it stands; a definition that the index
does not know yet is listed by its name. With X instead of --diff it is the same
as topo graph impact X.`,
		Example: "  topo impact --diff\n  topo impact --diff main --depth 2\n  topo impact --diff --format json | jq -r '.symbols[] | select(.Test) | .Symbol'",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.check(); err != nil {
				return err
			}
			diff := cmd.Flags().Changed("diff")
			switch {
			case !diff && (len(args) == 0 || args[0] == ""):
				return usagef("impact: of what? give --diff for your changes, or a place, as in: topo impact Server.Close")
			case !diff:
				opts.Place = args[0]
			case opts.Rev != "":
				return usagef("--rev with --diff: the changes are those of the working tree; drop --rev")
			case len(args) > 0 && opts.Diff != diffDefault:
				return usagef("--diff %s and %s: give one revision", opts.Diff, args[0])
			case len(args) > 0:
				opts.Diff = args[0]
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			if diff {
				return opts.answering(cmd.Context(), opts.askDiff)
			}
			return opts.answering(cmd.Context(), opts.ask)
		},
	}
	cmd.Flags().StringVar(&opts.Diff, "diff", "", "what changed since this revision (default HEAD)")
	cmd.Flags().Lookup("diff").NoOptDefVal = diffDefault
	addImpactFlags(cmd, &opts.impactOptions)
	return cmd
}

// diffDefault is the revision of --diff without one.
const diffDefault = "HEAD"

func (o *diffImpactOptions) askDiff(ctx context.Context, s *graphSession) (*answer, error) {
	files, err := scan.Diff(ctx, s.t.root, o.Diff)
	if err != nil {
		return nil, scanError(err)
	}
	c, err := s.changes(ctx, o.Diff, files)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	a := &answer{query: "impact --diff " + o.Diff}
	im := &algo.Impact{Level: algo.LevelNone}
	if len(c.ids) > 0 {
		if im, err = o.impact(ctx, s, a, c.ids); err != nil {
			return nil, err
		}
	} else {
		a.impact = &impactSummary{Level: im.Level}
		a.draw = s.drawing(nil, impactKinds, nil)
	}
	a.symbols = append(c.symbols, a.symbols[len(im.Targets):]...)
	if small := a.impact.Level == algo.LevelNone || a.impact.Level == algo.LevelLow; small && len(c.lost) > 0 {
		a.impact.Level = algo.LevelUnknown
	}
	a.human = func(t *graphText) {
		if len(files) == 0 {
			t.line("nothing changed since %s", visible(o.Diff))
			return
		}
		t.impact(a, true)
	}
	o.diffHints(s, a, im, c, len(files))
	return a, nil
}

func (o *diffImpactOptions) diffHints(s *graphSession, a *answer, im *algo.Impact, c *changes, files int) {
	if files == 0 {
		a.hint("nothing changed; compare with an older commit, as in: topo impact --diff HEAD~1")
		return
	}
	if len(c.lost) > 0 {
		a.hint(fmt.Sprintf("%s was taken out and the index does not know it any more; find what still uses it: topo quick %s", c.lost[0], ask.Quote(c.lost[0])))
	}
	if c.stale > 0 {
		a.hint(fmt.Sprintf("the index shows another state of %s; bring it up to date: %s", plural(c.stale, "changed file"), o.indexCommand("")))
	}
	if len(c.symbols) == 0 {
		a.hint("no definition changed")
	}
	o.hints(s, a, im)
}
