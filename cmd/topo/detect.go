package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/internal/atomicfile"
	"github.com/topo-dev/topo/stream"
)

type detectOptions struct {
	scanOptions
	Detectors     []string
	Within        []string
	Least         string
	FailOn        string
	Baseline      string
	WriteBaseline string
	Limit         int
	JSON          bool
}

func newDetect(f *factory, runF func(context.Context, *detectOptions) error) *cobra.Command {
	opts := &detectOptions{scanOptions: scanOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "detect",
		Short: "Find places that deserve a second look, such as cycles and dead code",
		Long: `Run the detectors over the index and its code graph, which are brought up to date
first. What they find is one finding record each, by path and line; for a person
the most severe come first. topo describe lists the detectors.

A comment "topo:ignore ID" in the code, on the line or right above, takes a
finding back; "topo:ignore-file ID" within the first 30 lines does so for the file.
A baseline holds the findings that are known: only others are shown and count for
--fail-on.`,
		Example: `  topo detect --min-severity medium
  topo detect --write-baseline .topo/baseline.jsonl
  topo detect --baseline .topo/baseline.jsonl --fail-on medium
  topo detect --detector import-cycle --path 'src/**' --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := opts.check(); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runDetect(cmd.Context(), opts)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&opts.Detectors, "detector", nil, "run only these detectors")
	fl.StringArrayVar(&opts.Within, "path", nil, "report only about files that match this glob, such as src/** (repeatable)")
	fl.StringVar(&opts.Least, "min-severity", "low", "leave out what is less severe: low, medium or high")
	fl.StringVar(&opts.FailOn, "fail-on", "", "exit 1 when a finding is this severe, or more: low, medium or high")
	fl.StringVar(&opts.Baseline, "baseline", "", "leave out the findings in this file")
	fl.StringVar(&opts.WriteBaseline, "write-baseline", "", "write the findings to this file, as a baseline")
	fl.IntVar(&opts.Limit, "limit", 0, "show this many, the most severe first, 0 for all")
	fl.BoolVar(&opts.JSON, "json", false, "print one JSON object, the same as --format json")
	addScanFlags(fl, &opts.scanOptions)
	var ids []string
	for _, d := range topo.Describe().Detectors {
		ids = append(ids, d.Name)
	}
	_ = cmd.RegisterFlagCompletionFunc("detector", cobra.FixedCompletions(ids, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (o *detectOptions) check() error {
	if err := topo.CheckDetectors(o.Detectors); err != nil {
		return usagef("--detector: %w", err)
	}
	if _, err := detect.ParseSeverity(o.Least); err != nil {
		return usagef("--min-severity: %w", err)
	}
	if _, err := detect.ParseSeverity(o.FailOn); o.FailOn != "" && err != nil {
		return usagef("--fail-on: %w", err)
	}
	if o.Limit < 0 {
		return usagef("--limit %d: must not be negative; give 0 for all", o.Limit)
	}
	return nil
}

func runDetect(ctx context.Context, o *detectOptions) error {
	known, err := o.baseline()
	if err != nil {
		return err
	}
	r, err := o.f.open(ctx, nil, o.Rev)
	if err != nil {
		return err
	}
	defer r.Close()
	least, err := detect.ParseSeverity(o.Least)
	if err != nil {
		return err
	}
	res, q, problems, err := r.Detect(ctx, topo.DetectOptions{Scan: o.options(), Detectors: o.Detectors, MinSeverity: least, Paths: o.Within})
	o.f.reportProblems(problems)
	if err != nil {
		return err
	}
	if o.WriteBaseline != "" {
		if err := writeBaseline(o.WriteBaseline, res.Findings); err != nil {
			return err
		}
	}
	found, gone := known.New(res.Findings)
	if err := o.write(q, found, r.Fingerprint()); err != nil {
		return err
	}
	o.say(res, len(found), gone)
	return o.verdict(found)
}

// baseline reads --baseline. A file that is not there is a mistake: a check
// that silently counts everything as new, or nothing, helps nobody.
func (o *detectOptions) baseline() (detect.Baseline, error) {
	if o.Baseline == "" {
		return nil, nil
	}
	file, err := os.Open(o.Baseline)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("--baseline %s: no such file; write one with: topo detect --write-baseline %s", o.Baseline, o.Baseline)
	} else if err != nil {
		return nil, usagef("--baseline %s: %w", o.Baseline, rootCause(err))
	}
	defer file.Close()
	known, err := detect.ReadBaseline(file)
	if err != nil {
		return nil, usagef("--baseline %s: %w; write it again with --write-baseline", o.Baseline, err)
	}
	return known, nil
}

func writeBaseline(name string, all []detect.Finding) error {
	var b bytes.Buffer
	if err := detect.WriteBaseline(&b, all); err != nil {
		return err
	}
	err := atomicfile.Write(name, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
	if err != nil {
		return envf("--write-baseline %s: %w; nothing was written", name, rootCause(err))
	}
	return nil
}

// say tells what is not among the records.
func (o *detectOptions) say(res *detect.Result, fresh, gone int) {
	if res.Suppressed > 0 {
		o.f.notef("%s taken back by topo:ignore comments", plural(res.Suppressed, "finding"))
	}
	if known := len(res.Findings) - fresh; known > 0 {
		o.f.notef("%s in the baseline", plural(known, "finding"))
	}
	if gone > 0 {
		o.f.notef("%s of the baseline not found any more; write it again with --write-baseline", plural(gone, "finding"))
	}
}

// verdict is the error of --fail-on.
func (o *detectOptions) verdict(all []detect.Finding) error {
	if o.FailOn == "" {
		return nil
	}
	limit, err := detect.ParseSeverity(o.FailOn)
	if err != nil {
		return err
	}
	n := 0
	for _, f := range all {
		if f.Severity >= limit {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return checkError{fmt.Errorf("detect: %s of severity %s or more", plural(n, "finding"), limit)}
}

func (o *detectOptions) write(s *topo.Graph, found []detect.Finding, fingerprint string) error {
	if o.JSON {
		o.f.format = "json"
	}
	format := o.f.outputFormat()
	a, err := s.Findings(found, answer.FindingsOptions{BySeverity: format == "human", Limit: o.Limit})
	if err != nil {
		return err
	}
	if left := a.Total - len(a.Findings); left > 0 {
		o.f.notef("%s more; raise --limit", plural(left, "finding"))
	}
	switch format {
	case "human":
		a.Text(o.f.out, answer.TextOptions{Color: o.f.color()})
		return nil
	case "json":
		return encodeAnswer(o.f.out, a)
	}
	return writeStream(o.f.out, a, fingerprint, stream.Footer{ScannedFiles: a.ScannedFiles})
}
