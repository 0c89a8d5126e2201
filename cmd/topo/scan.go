package main

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/stream"
)

// scanOptions is what a scan is told, by scan, index or quick.
type scanOptions struct {
	f                *factory
	Paths            []string
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
not ignored), less what .topoignore and --exclude leave out. Paths are relative
to the root and restrict the scan.

The stream has a header, one record a file sorted by path, and a footer. Files
whose content is not used (binary, over --max-file-size, unreadable, symbolic
links, submodules) are listed with the reason in Skipped.`,
		Example: `  topo scan | jq -r 'select(.Language=="go") | .Path'
  topo scan --rev v1.2.0 src docs
  topo scan --include '*.go' --exclude '*_test.go' --format json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Paths = args
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return f.cutShort(presetScan, runScan(cmd.Context(), opts))
		},
	}
	addScanFlags(cmd.Flags(), opts)
	return cmd
}

// addScanFlags adds the flags that say what is scanned.
func addScanFlags(flags *pflag.FlagSet, o *scanOptions) {
	o.MaxFileSize = scan.DefaultMaxFileSize
	flags.StringArrayVar(&o.Include, "include", nil, "scan only files that match this .gitignore pattern (repeatable)")
	flags.StringArrayVar(&o.Exclude, "exclude", nil, "leave out files that match this .gitignore pattern (repeatable)")
	flags.Var(&o.MaxFileSize, "max-file-size", "list larger files without using their content")
	addRevFlag(flags, &o.Rev)
}

func addRevFlag(flags *pflag.FlagSet, rev *string) {
	flags.StringVar(rev, "rev", "", "read this commit from git instead of the working tree")
}

// presetScan is the preset in the header that scan writes.
const presetScan = "scan"

func runScan(ctx context.Context, o *scanOptions) error {
	root, err := o.f.settle("")
	if err != nil {
		return err
	}
	t, s, err := scanStage(ctx, o, root)
	if err != nil {
		return err
	}
	defer t.Close()
	return o.f.emit(ctx, s)
}

// scanStage lists the tree at root.
func scanStage(ctx context.Context, o *scanOptions, root string) (*tree, *wholeStream, error) {
	t, err := o.f.openTree(ctx, root, o.Rev)
	if err != nil {
		return nil, nil, err
	}
	t.maxSize = int64(o.MaxFileSize)
	bar := o.f.progress("scan", -1)
	res, err := scan.Run(ctx, scan.Options{
		Root: t.root, Paths: o.Paths, Include: o.Include, Exclude: o.Exclude,
		MaxFileSize: t.maxSize, Rev: t.rev, StatCache: t.place().StatCache(),
		Progress: bar.done,
	})
	bar.finish()
	if err != nil {
		t.Close()
		return nil, nil, scanError(err)
	}
	o.f.reportProblems(res.Problems)
	if len(res.Files) == 0 {
		o.f.notef("no files in %s%s", t.root, filterNote(o))
	}
	h := stream.Header{Preset: presetScan, Root: t.given, Rev: res.Rev}
	return t, newStream(h, res.Files, len(res.Files)), nil
}

func filterNote(o *scanOptions) string {
	if len(o.Include)+len(o.Exclude)+len(o.Paths) > 0 {
		return " match the paths and patterns given"
	}
	return ""
}

// reportProblems tells once what was skipped: numbers, or every file with -v.
func (f *factory) reportProblems(problems []scan.Problem) {
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
