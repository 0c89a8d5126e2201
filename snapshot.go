package topo

import (
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/stream"
)

// FromSnapshot is the repository as one state of an index server shows it: ranking,
// selection and rendering take that state and look at nothing else. It is valid while
// the snapshot is. Close it before the snapshot.
func FromSnapshot(v *fresh.Snapshot, services *embed.Services, report Report) *Repo {
	files := v.Files
	if files == nil {
		files = []stream.File{}
	}
	return &Repo{o: Options{Exact: true, Services: services, Report: report}, root: v.Place.Root, rev: v.Place.Rev,
		repo: v.Place.Repo, cache: v.Place.Cache, deep: v.Index, files: files}
}

// Passages ranks the definitions inside the files of the deep index against a task.
func (r *Repo) Passages(task string) (*score.Passages, error) {
	q, err := score.ParseQuery(task)
	if err != nil {
		return nil, fault.Usagef("task: %w", err)
	}
	corpus, err := r.deepCorpus()
	if err != nil {
		return nil, err
	}
	r.graph = true // what is returned reads the index until the repository is closed
	return score.NewPassages(corpus, q)
}
