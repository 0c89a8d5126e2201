package main

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/stream"
)

// scanOptions is what a scan is told, by any command that scans.
type scanOptions struct {
	f                *factory
	Paths            []string
	From             string // file that lists paths; of scan alone
	Include, Exclude []string
	MaxFileSize      sizeValue
	Rev              string
}

func newScan(f *factory, runF func(context.Context, *scanOptions) error) *cobra.Command {
	opts := &scanOptions{f: f}
	cmd := &cobra.Command{
		Use:   "scan [path]...",
		Short: "List the files of a tree with size, hash, language and role",
		Long: `List the files of a tree: those git would list (tracked, or untracked and
not ignored), less what .topoignore and --exclude leave out. The tree is that of
the project around the current folder. Paths restrict the scan; they are relative
to the current folder, or to --root when it is given.

The stream has a header, one record a file sorted by path, and a footer. Paths in
it are relative to the root of the project. Files whose content is not used
(binary, over --max-file-size, unreadable, symbolic links, submodules) are listed
with the reason in Skipped.`,
		Example: `  topo scan | jq -r 'select(.Language=="go") | .Path'
  topo scan --rev v1.2.0 src docs
  topo scan --include '*.go' --exclude '*_test.go' --format paths | xargs wc -l
  git diff --name-only -z | topo scan -0 --files-from -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Paths = args
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runScan(cmd.Context(), opts)
		},
	}
	addScanFlags(cmd.Flags(), opts)
	cmd.Flags().StringVar(&opts.From, "files-from", "", "scan the paths listed in this file, one a line or, with -0, ended by NUL; - for standard input")
	addNullFlag(cmd.Flags(), f)
	return cmd
}

// addScanFlags adds the flags that say what is scanned, to every command that scans.
// A new flag is declared here or in addScopeFlags, and nowhere else.
func addScanFlags(flags *pflag.FlagSet, o *scanOptions) {
	addScopeFlags(flags, o)
	addRevFlag(flags, &o.Rev)
}

// addScopeFlags adds the flags that say which files of the tree are scanned. Commands
// that follow the working tree have these alone.
func addScopeFlags(flags *pflag.FlagSet, o *scanOptions) {
	o.MaxFileSize = topo.DefaultMaxFileSize
	flags.StringArrayVar(&o.Include, "include", nil, "scan only files that match this .gitignore pattern (repeatable)")
	flags.StringArrayVar(&o.Exclude, "exclude", nil, "leave out files that match this .gitignore pattern (repeatable)")
	flags.Var(&o.MaxFileSize, "max-file-size", "list larger files without using their content")
}

// givenScanFlag is the name of a scan flag that the command line has; empty when it
// has none.
func (o *scanOptions) givenScanFlag() (name string) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	addScanFlags(all, &scanOptions{})
	all.VisitAll(func(fl *pflag.Flag) {
		if own := o.f.cmd.Flags().Lookup(fl.Name); own != nil && own.Changed {
			name = fl.Name
		}
	})
	return name
}

func addRevFlag(flags *pflag.FlagSet, rev *string) {
	flags.StringVar(rev, "rev", "", "read this commit from git instead of the working tree")
}

// options are those of the library.
func (o *scanOptions) options() topo.ScanOptions {
	return topo.ScanOptions{Paths: o.Paths, Include: o.Include, Exclude: o.Exclude}
}

func runScan(ctx context.Context, o *scanOptions) error {
	if o.From != "" {
		more, err := o.f.pathList(ctx, o.From)
		if err != nil {
			return err
		}
		if len(more)+len(o.Paths) == 0 {
			return usagef("--files-from %s: no path in it, and none on the command line", o.From)
		}
		o.Paths = append(o.Paths, more...)
	}
	r, err := o.f.open(ctx, nil, o.Rev)
	if err != nil {
		return err
	}
	defer r.Close()
	s, err := o.scan(ctx, r)
	if err != nil {
		return err
	}
	return o.f.emit(ctx, s)
}

// scan lists the tree and tells what was skipped.
func (o *scanOptions) scan(ctx context.Context, r *topo.Repo) (*stream.Stream, error) {
	s, problems, err := r.Scan(ctx, o.options())
	if err != nil {
		return nil, err
	}
	o.scanned(r, len(s.Files()), problems)
	return s, nil
}

// scanned tells what a scan found that a person should know of.
func (o *scanOptions) scanned(r *topo.Repo, files int, problems []topo.Problem) {
	o.f.reportProblems(problems)
	if files == 0 {
		note := ""
		if len(o.Include)+len(o.Exclude)+len(o.Paths) > 0 {
			note = " match the paths and patterns given"
		}
		o.f.notef("no files in %s%s", r.Root(), note)
	}
}

// reportProblems tells once what was skipped: numbers, or every file with -v.
func (f *factory) reportProblems(problems []topo.Problem) {
	if len(problems) == 0 {
		return
	}
	if f.verbose {
		for _, p := range problems {
			if p.Err != nil {
				f.notef("skipped %s: %s: %v", p.Path, p.Why, rootCause(p.Err))
			} else {
				f.notef("skipped %s: %s", p.Path, p.Why)
			}
		}
		return
	}
	counts := map[string]int{}
	for _, p := range problems {
		counts[p.Why]++
	}
	why := make([]string, 0, len(counts))
	for w := range counts {
		why = append(why, w)
	}
	sort.Slice(why, func(i, j int) bool {
		return counts[why[i]] > counts[why[j]] || counts[why[i]] == counts[why[j]] && why[i] < why[j]
	})
	for i, w := range why {
		why[i] = fmt.Sprintf("%d %s", counts[w], w)
	}
	f.notef("skipped %s (use -v to list)", strings.Join(why, ", "))
}
