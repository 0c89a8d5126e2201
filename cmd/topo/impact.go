package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/scan"
)

type diffImpactOptions struct {
	impactOptions
	Diff   string // what is compared, as scan.ParseRange reads it
	Staged bool   // what is staged instead of the working tree
}

// newImpact is topo impact: of the changes since a commit, or of a place.
func newImpact(f *factory, runF func(context.Context, *diffImpactOptions) error) *cobra.Command {
	opts := &diffImpactOptions{impactOptions: impactOptions{graphOptions: graphOptions{f: f}}}
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
		Example: "  topo impact --diff\n  topo impact --staged\n  topo impact --diff main...topic --depth 2\n  topo impact --diff --format json | jq -r '.symbols[] | select(.Test) | .Symbol'",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.check(); err != nil {
				return err
			}
			diff := cmd.Flags().Changed("diff") || opts.Staged
			if !diff && (len(args) == 0 || args[0] == "") {
				return usagef("impact: of what? give --diff for your changes, or a place, as in: topo impact Server.Close")
			}
			if err := opts.compared(diff, args); err != nil {
				return err
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
	cmd.Flags().StringVar(&opts.Diff, "diff", diffDefault, "what changed since this revision, or between two: A..B, A...B")
	cmd.Flags().BoolVar(&opts.Staged, "staged", false, "what is staged, instead of the working tree")
	cmd.Flags().Lookup("diff").NoOptDefVal = diffDefault
	addImpactFlags(cmd, &opts.impactOptions)
	return cmd
}

// diffDefault is the revision of --diff without one.
const diffDefault = "HEAD"

// compared settles what the arguments mean: a place, or what to compare.
func (o *diffImpactOptions) compared(diff bool, args []string) error {
	if !diff {
		o.Place = args[0]
		return nil
	}
	if len(args) > 0 {
		if o.Diff != diffDefault {
			return usagef("--diff %s and %s: give one revision", o.Diff, args[0])
		}
		o.Diff = args[0]
	}
	switch r := scan.ParseRange(o.Diff); {
	case o.Staged && r.To != "":
		return usagef("--staged with %s: what is staged is compared with one commit", o.Diff)
	case o.Rev != "" && r.To == "":
		return usagef("--rev with --diff %s: the changes are those of the working tree; drop --rev, or give two revisions: %s..%s", o.Diff, o.Diff, o.Rev)
	}
	return nil
}

func (o *diffImpactOptions) askDiff(ctx context.Context, s *graphSession) (*answer, error) {
	r := scan.ParseRange(o.Diff)
	r.Staged = o.Staged
	r, err := r.Resolve(ctx, s.t.root)
	switch {
	case errors.Is(err, scan.ErrNotRepo):
		return nil, usagef("%s is not in a git repository, so there is no commit to compare it with; topo impact PLACE needs none", cmp.Or(s.t.root, "."))
	case errors.Is(err, scan.ErrUnknownRev) && o.Diff == diffDefault:
		return nil, usagef("the repository has no commit yet to compare with; topo impact PLACE needs none")
	case err != nil:
		return nil, scanError(err)
	}
	files, err := scan.Diff(ctx, s.t.root, r)
	if err != nil {
		return nil, scanError(err)
	}
	c, err := s.changes(ctx, r, files)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	a := &answer{query: "impact --diff " + o.Diff}
	if o.Staged {
		a.query = "impact --staged " + o.Diff
	}
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
			t.line("%s", o.nothing(r))
			return
		}
		t.impact(a, true)
	}
	o.diffHints(s, a, im, c, len(files))
	return a, nil
}

// nothing says that nothing changed.
func (o *diffImpactOptions) nothing(r scan.Range) string {
	switch {
	case r.Staged:
		return "nothing is staged that differs from " + visible(o.Diff)
	case r.To != "":
		return "nothing changed in " + visible(o.Diff)
	}
	return "nothing changed since " + visible(o.Diff)
}

func (o *diffImpactOptions) diffHints(s *graphSession, a *answer, im *algo.Impact, c *changes, files int) {
	if files == 0 {
		if o.Staged {
			a.hint("nothing is staged; what is not: topo impact --diff")
			return
		}
		a.hint("nothing changed; compare with an older commit, as in: topo impact --diff HEAD~1")
		return
	}
	if len(c.lost) > 0 {
		a.hint(fmt.Sprintf("%s was taken out and the index does not know it any more; find what still uses it: topo quick %s", c.lost[0], ask.Quote(c.lost[0])))
	}
	if c.stale > 0 {
		a.hint(o.staleHint(c))
	}
	if len(c.symbols) == 0 {
		a.hint("no definition changed")
	}
	o.hints(s, a, im)
}

// staleHint says how to ask an index that shows the state after the changes.
func (o *diffImpactOptions) staleHint(c *changes) string {
	state := "the index shows another state of " + plural(c.stale, "changed file")
	switch {
	case c.r.Staged:
		return state + " than what is staged"
	case c.r.To != "" && o.Rev == "":
		at := ask.Quote(scan.ParseRange(o.Diff).To)
		return fmt.Sprintf("%s; to ask that of %s: topo index --deep --rev %s, then topo impact --diff %s --rev %s", state, at, at, ask.Quote(o.Diff), at)
	}
	return state + "; bring it up to date: " + o.indexCommand("")
}
