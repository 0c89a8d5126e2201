package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/answer"
)

// diffDefault is the revision of --diff without one.
const diffDefault = "HEAD"

type impactOptions struct {
	graphOptions
	Place    string
	Diff     answer.Diff
	Compared bool // it is the impact of a diff, not of a place
	Impact   answer.ImpactOptions
}

// newImpact is topo impact: of the changes since a commit, or of a place.
func newImpact(f *factory, runF func(context.Context, *impactOptions) error) *cobra.Command {
	opts := &impactOptions{graphOptions: graphOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "impact {--diff [REV | A..B | A...B] | --staged [REV] | X}",
		Short: "Show what your changes may affect, and which tests to run",
		Long: `Show which definitions changed between a commit (HEAD unless another is given) and
the working tree, new files included, and what that may affect: direct, indirect
and transitive users with their files, and the tests that cover them. With
--staged it is what is staged instead of the working tree; A..B compares two
commits, A...B what B has since it forked off A. Definitions and files that were
moved or renamed are told as such.

The lines come from git, the graph from the index as it stands, or with --rev
from that commit's; a definition that the index does not know is listed by its
name. With X instead it is the same as topo graph impact X.`,
		Example: "  topo impact --diff\n  topo impact --staged\n  topo impact --diff main...topic --depth 2\n  topo impact --diff --format json | jq -r '.Symbols[] | select(.Test) | .Symbol'",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return opts.run(cmd, args, runF) },
	}
	cmd.Flags().StringVar(&opts.Diff.Range, "diff", diffDefault, "what changed since this revision, or between two: A..B, A...B")
	cmd.Flags().BoolVar(&opts.Diff.Staged, "staged", false, "what is staged, instead of the working tree")
	cmd.Flags().Lookup("diff").NoOptDefVal = diffDefault
	addDepthFlag(cmd, &opts.Impact)
	addGraphFlags(cmd, &opts.graphOptions, drawFormats, impactLimit)
	return cmd
}

func (o *impactOptions) run(cmd *cobra.Command, args []string, runF func(context.Context, *impactOptions) error) error {
	if err := checkDepth(&o.Impact); err != nil {
		return err
	}
	o.Compared = cmd.Flags().Changed("diff") || o.Diff.Staged
	if !o.Compared && (len(args) == 0 || args[0] == "") {
		return usagef("impact: of what? give --diff for your changes, or a place, as in: topo impact Server.Close")
	}
	if err := o.arguments(args); err != nil {
		return err
	}
	if runF != nil {
		return runF(cmd.Context(), o)
	}
	return o.impact(cmd.Context())
}

// arguments resolves what the arguments mean: a place, or what to compare.
func (o *impactOptions) arguments(args []string) error {
	if !o.Compared {
		o.Place = args[0]
		return nil
	}
	if len(args) > 0 {
		if o.Diff.Range != diffDefault {
			return usagef("--diff %s and %s: give one revision", o.Diff.Range, args[0])
		}
		o.Diff.Range = args[0]
	}
	d := o.Diff.Range
	switch two := strings.Contains(d, ".."); {
	case o.Diff.Staged && two:
		return usagef("--staged with %s: what is staged is compared with one commit", d)
	case o.Rev != "" && !two:
		return usagef("--rev with --diff %s: the changes are those of the working tree; drop --rev, or give two revisions: %s..%s", d, d, o.Rev)
	}
	return nil
}

// impact answers what was asked.
func (o *impactOptions) impact(ctx context.Context) error {
	g, err := o.open(ctx)
	if err != nil {
		return err
	}
	defer g.Close()
	o.Impact.Limit = all(o.Limit)
	var a *answer.Impact
	if o.Compared {
		a, err = g.repo.Diff(ctx, o.Diff, o.Impact)
	} else {
		a, err = g.repo.Impact(ctx, o.Place, o.Impact)
	}
	if err != nil {
		return err
	}
	return g.write(ctx, a)
}
