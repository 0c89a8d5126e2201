package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topo-dev/topo/score"
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
	flags.StringVar(&o.Preset, "preset", score.DefaultPreset, "depth: "+strings.Join(presetNames(), ", "))
	flags.StringVar(&o.Scoring, "scoring", "", "what counts: "+strings.Join(scoringNames(), ", ")+" (default: the preset's)")
	flags.StringVar(&o.Fusion, "fusion", "", "how signals are joined: "+strings.Join(score.Fusions(), ", ")+" (default: the first)")
	flags.BoolVar(&o.Rerank, "rerank", false, "let the configured reranker order the best files anew, as preset thorough does")
	flags.StringVar(&o.Feature, "feature", "", "rank only the files of this scope of "+score.ScopeFiles[0])
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

// query reads the task and checks what can be checked without the tree.
func (o *scoreOptions) query(ctx context.Context) (*score.Query, error) {
	text, err := o.taskText(ctx)
	if err != nil {
		return nil, err
	}
	q, err := score.ParseQuery(text)
	if err != nil {
		return nil, usagef("task: %w", err)
	}
	return q, nil
}

func (o *scoreOptions) taskText(ctx context.Context) (string, error) {
	switch {
	case o.readsTask():
		text, err := io.ReadAll(io.LimitReader(o.f.stdin(ctx), score.MaxQuery))
		return normalTask(text), err
	case o.File != "":
		file, err := os.Open(o.File)
		if err != nil {
			return "", usagef("--file %s: %w; give a file that can be read", o.File, rootCause(err))
		}
		defer file.Close()
		text, err := io.ReadAll(io.LimitReader(file, score.MaxQuery))
		if err != nil {
			return "", usagef("--file %s: %w; give a file that can be read", o.File, rootCause(err))
		}
		return normalTask(text), nil
	}
	return normalTask([]byte(o.Task)), nil
}

// normalTask makes the task valid UTF-8, since it stands in the header, and
// drops white space around it.
func normalTask(text []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD"))
}

// plan checks preset and scoring together.
func (o *scoreOptions) plan() (score.Plan, error) {
	p, err := score.NewPlan(o.Preset, o.Scoring)
	if err != nil {
		return p, usagef("%w", err)
	}
	if o.Fusion != "" && !slices.Contains(score.Fusions(), o.Fusion) {
		return p, usagef("unknown fusion %q; known: %s", o.Fusion, strings.Join(score.Fusions(), ", "))
	}
	return p, nil
}

// scope is the restriction that --feature names; nil without one.
func (o *scoreOptions) scope(root string) (func(string) bool, error) {
	if o.Feature == "" {
		return nil, nil
	}
	if root == "" {
		root = "."
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, envf("root %s: %w", root, rootCause(err))
	}
	defer dir.Close()
	for _, name := range score.ScopeFiles {
		file, err := openRegular(dir, name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, usagef("%s: cannot be read: %w", filepath.Join(root, name), rootCause(err))
		}
		defer file.Close()
		text, err := io.ReadAll(io.LimitReader(file, maxScopes+1))
		if err != nil {
			return nil, usagef("%s: cannot be read: %w", filepath.Join(root, name), rootCause(err))
		}
		if len(text) > maxScopes {
			return nil, usagef("%s: larger than %d bytes; shorten it", filepath.Join(root, name), maxScopes)
		}
		scopes, err := score.ParseScopes(text)
		if err != nil {
			return nil, usagef("%s: %s", filepath.Join(root, name), firstLine(err))
		}
		s, err := scopes.Lookup(o.Feature)
		if err != nil {
			return nil, usagef("--feature: %w", err)
		}
		return s.Match, nil
	}
	return nil, usagef("--feature %s: there is no %s in %s; write one or drop the flag", o.Feature, score.ScopeFiles[0], root)
}

// maxScopes bounds the file of the feature scopes, in bytes.
const maxScopes = 64 << 10

// firstLine is what err says without the excerpt that the YAML parser appends.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
