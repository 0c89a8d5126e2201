package main

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topo-dev/topo"
)

// scoreOptions says what is asked and how files are ranked.
type scoreOptions struct {
	f       *factory
	Task    string // as on the command line; "-" is standard input
	File    string // holds the task; empty when it is on the command line
	Preset  string
	Scoring string
	Fusion  string // empty is the default
	Feature string
	Rev     string
	Rerank  bool
}

// addScoreFlags adds the flags of a ranking.
func addScoreFlags(flags *pflag.FlagSet, o *scoreOptions) {
	flags.StringVarP(&o.File, "file", "f", "", "read the task from this file, - for standard input")
	flags.StringVar(&o.Preset, "preset", topo.DefaultPreset, "depth: "+strings.Join(presetNames(), ", "))
	flags.StringVar(&o.Scoring, "scoring", "", "what counts: "+strings.Join(scoringNames(), ", ")+" (default: the preset's)")
	flags.StringVar(&o.Fusion, "fusion", "", "how signals are joined: "+strings.Join(topo.Fusions(), ", ")+" (default: the first)")
	flags.BoolVar(&o.Rerank, "rerank", false, "let the configured reranker order the best files anew, as preset thorough does")
	flags.StringVar(&o.Feature, "feature", "", "rank only the files of this scope of "+topo.FeaturesFile())
}

// taskArgs takes the task from the arguments. Words without quotes are joined.
func (o *scoreOptions) taskArgs(_ *cobra.Command, args []string) error {
	o.Task = strings.Join(args, " ")
	switch {
	case o.File != "" && len(args) > 0:
		return usagef("--file and a task on the command line contradict each other; give one of them")
	case o.File == "" && len(args) == 0:
		return usagef(`task: none given; say what you are looking for, as in: topo %s "session expiry"`, o.f.cmd.Name())
	}
	return nil
}

// readsTask reports whether standard input holds the task and not a stream.
func (o *scoreOptions) readsTask() bool { return o.Task == "-" || o.File == "-" }

// options are those of the library.
func (o *scoreOptions) options() topo.QueryOptions {
	return topo.QueryOptions{Preset: o.Preset, Scoring: o.Scoring, Fusion: o.Fusion, Feature: o.Feature, Rerank: o.Rerank,
		AskNobody: o.f.fromConfig("preset"), Tree: topo.ScanOptions{Include: o.f.setting("include").List, Exclude: o.f.setting("exclude").List}}
}

// taskText reads the task.
func (o *scoreOptions) taskText(ctx context.Context) (string, error) {
	switch {
	case o.readsTask():
		text, err := io.ReadAll(io.LimitReader(o.f.stdin(ctx), topo.MaxTask))
		return string(text), err
	case o.File != "":
		file, err := os.Open(o.File)
		if err != nil {
			return "", usagef("--file %s: %w; give a file that can be read", o.File, rootCause(err))
		}
		defer file.Close()
		text, err := io.ReadAll(io.LimitReader(file, topo.MaxTask))
		if err != nil {
			return "", usagef("--file %s: %w; give a file that can be read", o.File, rootCause(err))
		}
		return string(text), nil
	}
	return o.Task, nil
}

// normalText makes text valid UTF-8 and drops white space around it.
func normalText(text []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD"))
}
