package topo

import (
	"context"
	"fmt"

	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// QuickOptions say what [Repo.Quick] does.
type QuickOptions struct {
	Query  QueryOptions
	Scan   ScanOptions
	Select SelectOptions
}

// Quick finds the code of a task: it scans, indexes, ranks and selects, and gives
// the stream that the four stages give one after the other. Where the index cannot
// be written it goes on without one and says so. With [Options.IndexFile] it is
// [Repo.Query].
func (r *Repo) Quick(ctx context.Context, task string, o QuickOptions) (*stream.Stream, []Problem, error) {
	q, err := NewQuery(task, o.Query)
	if err != nil {
		return nil, nil, err
	}
	if r.o.IndexFile != "" {
		s, err := r.Query(ctx, task, o.Query, o.Select)
		return s, nil, err
	}
	s, problems, err := r.Scan(ctx, o.Scan)
	if err != nil {
		return nil, nil, err
	}
	if _, err := r.Index(ctx, s, IndexOptions{}); err != nil {
		if ctx.Err() != nil {
			return nil, nil, err
		}
		r.o.Report.note(fmt.Sprintf("%v; going on without an index", err))
	}
	return s, problems, r.rankAndSelect(ctx, s, q, o.Select)
}

// Query ranks and selects the files of the index, as it is, whatever the preset: it
// reports when the index is older than the tree, and leaves it so.
func (r *Repo) Query(ctx context.Context, task string, o QueryOptions, sel SelectOptions) (*stream.Stream, error) {
	q, err := NewQuery(task, o)
	if err != nil {
		return nil, err
	}
	s, err := r.Indexed(ctx, q)
	if err != nil {
		return nil, err
	}
	return s, r.rankAndSelect(ctx, s, q, sel)
}

func (r *Repo) rankAndSelect(ctx context.Context, s *stream.Stream, q *Query, o SelectOptions) error {
	// A ranking that only feeds the selection need not hold what that leaves out. A
	// minimum that the user gave is of the final score, which Rank scales.
	var minScore func(float64) float64
	if o.MinScore == 0 {
		minScore = o.minScore
	}
	if err := r.rank(ctx, s, q, minScore); err != nil {
		return err
	}
	return r.Select(ctx, s, o)
}

// Explanation is why a file has its place.
type Explanation = score.Explanation

// ExplainOptions say what [Repo.Explain] explains.
type ExplainOptions struct {
	Query QueryOptions
	Scan  ScanOptions
	Top   int // files; 0 is all of them
}

// Explain ranks the files of the index, or of a scan where there is none or only a
// part of the tree is asked for, and says for the first of them why they have their
// place.
func (r *Repo) Explain(ctx context.Context, task string, o ExplainOptions) ([]Explanation, error) {
	q, err := NewQuery(task, o.Query)
	if err != nil {
		return nil, err
	}
	s, err := r.indexedOrScanned(ctx, q, o.Scan)
	if err != nil {
		return nil, err
	}
	k, err := r.prepareRanking(ctx, s, q)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	out, err := score.Explain(ctx, k.corpus, k.files, k.Options, o.Top)
	if err != nil {
		return nil, err
	}
	best := make([]stream.File, len(out))
	for i := range out {
		best[i] = stream.File{Path: out[i].Path, Score: out[i].Score}
	}
	fit, err := r.measureFit(k, best)
	for i := range out {
		out[i].Scale(fit)
	}
	return out, err
}

// indexedOrScanned is the stream of the deep index when the query may use it and
// there is one, else of a scan.
func (r *Repo) indexedOrScanned(ctx context.Context, q *Query, o ScanOptions) (*stream.Stream, error) {
	if o.isAll() && q.plan.Reads() && (!q.plan.Preset.Fresh || r.o.IndexFile != "") {
		if x, err := r.openDeep(); err == nil && x != nil {
			return r.Indexed(ctx, q)
		}
	}
	s, _, err := r.Scan(ctx, o)
	return s, err
}
