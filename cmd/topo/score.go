package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

func newScore(f *factory, runF func(context.Context, *scoreOptions) error) *cobra.Command {
	opts := &scoreOptions{f: f}
	cmd := &cobra.Command{
		Use:   "score <task>",
		Short: "Rank files by how much they matter to a task",
		Long: `Rank the files of the stream on standard input, or those of the index when
there is none, by how much they matter to a task: a few words or a whole bug
report.

File records leave best first, with Score and Signals set; records of other
kinds follow them unchanged and in order.

Presets fast to thorough read ever more: paths only; contents; imports and
history; the best files' definitions. All but fast use the deep index, which is
brought up to date when it is there and built when the tree is small. Without
one the files are searched as they are.`,
		Example: `  topo scan | topo score "evict pods under memory pressure"
  topo scan | topo score --preset deep --file report.md
  topo scan | topo score --scoring heuristic "auth middleware"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.taskArgs(cmd, args); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runScore(cmd.Context(), opts)
		},
	}
	addScoreFlags(cmd.Flags(), opts)
	addRevFlag(cmd.Flags(), &opts.Rev)
	return cmd
}

func runScore(ctx context.Context, o *scoreOptions) error {
	q, err := o.query(ctx)
	if err != nil {
		return err
	}
	var s *wholeStream
	if !o.readsTask() {
		if s, err = o.f.input(ctx); err != nil {
			return err
		}
	}
	t, s, err := o.scored(ctx, s)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := scoreStage(ctx, t, s, o, q, nil); err != nil {
		return err
	}
	return o.f.emit(ctx, s)
}

// scored is the tree of the stream s, or the one that was indexed when s is
// nil.
func (o *scoreOptions) scored(ctx context.Context, s *wholeStream) (*tree, *wholeStream, error) {
	if s != nil {
		if o.Rev != "" {
			return nil, nil, usagef("--rev: a stream is on standard input, whose scan has been done; give the flag to topo scan")
		}
		t, err := o.f.streamTree(ctx, s)
		return t, s, err
	}
	root, err := o.f.settle("")
	if err != nil {
		return nil, nil, err
	}
	plan, err := o.plan()
	if err != nil {
		return nil, nil, err
	}
	t, err := o.f.openTree(ctx, root, o.Rev)
	if err != nil {
		return nil, nil, err
	}
	s, err = t.indexedStream(plan)
	if err != nil {
		t.Close()
		return nil, nil, err
	}
	return t, s, nil
}

// scoreStage ranks the files of s. least says what to leave out, as in
// [score.Options].
func scoreStage(ctx context.Context, t *tree, s *wholeStream, o *scoreOptions, q *score.Query, least func(float64) float64) error {
	plan, err := o.plan()
	if err != nil {
		return err
	}
	r, err := o.ready(ctx, t, s, plan, q)
	if err != nil {
		return err
	}
	defer r.Close()
	r.Least = least
	ranked, err := score.Rank(ctx, r.corpus, r.files, r.Options)
	if err != nil {
		return err
	}
	if len(r.files) > 0 && !slices.ContainsFunc(ranked, func(f stream.File) bool { return f.Score > 0 }) {
		t.f.notef("%s", nothingFound)
	}
	if s.indexed && t.deep != nil {
		if err := t.deep.Complete(ranked); err != nil {
			return envError{err}
		}
	}
	s.replace(ranked)
	s.header.Query, s.header.Preset, s.header.Scoring = q.Text, plan.Preset.Name, ""
	if plan.Mode.Name != plan.Preset.Scoring {
		s.header.Scoring = plan.Mode.Name
	}
	s.header.Fingerprint = t.repo.Fingerprint
	return nil
}

// nothingFound says why an answer is empty.
const nothingFound = "nothing found: no file holds a word of the task in its path, names or text"

// readied is a ranking with what it ranks.
type readied struct {
	*ranking
	files  []stream.File
	corpus score.Corpus
}

// ready makes the files of a stream ready to be ranked.
func (o *scoreOptions) ready(ctx context.Context, t *tree, s *wholeStream, plan score.Plan, q *score.Query) (*readied, error) {
	files := s.files()
	corpus, err := t.corpus(ctx, s, files, plan, q)
	if err != nil {
		return nil, err
	}
	r, err := o.ranking(t, s, corpus, plan, q, files)
	if err != nil {
		return nil, err
	}
	return &readied{r, files, corpus}, nil
}

// asked settles what a command that ranks was asked: the task, where, and how.
func (o *scoreOptions) asked(ctx context.Context) (q *score.Query, root string, plan score.Plan, err error) {
	if q, err = o.query(ctx); err != nil {
		return nil, "", plan, err
	}
	if root, err = o.f.settle(""); err != nil {
		return nil, "", plan, err
	}
	plan, err = o.plan()
	return q, root, plan, err
}

// presetThorough is the preset that would use embeddings.
const presetThorough = "thorough"
