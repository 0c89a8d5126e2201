package fresh

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync/atomic"
	"time"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/stream"
)

// lockWait is how long an update waits for another that writes the same index.
const lockWait = 20 * time.Second

// Locked runs an update and gives up when it does not get the index's lock in
// time. The update calls got once it is at work.
func Locked(ctx context.Context, update func(ctx context.Context, got func()) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var working atomic.Bool
	timer := time.AfterFunc(lockWait, func() {
		if !working.Load() {
			cancel(fmt.Errorf("gave up after %s", lockWait))
		}
	})
	defer timer.Stop()
	return update(ctx, func() { working.Store(true) })
}

// notingReader tells when the first file is read.
type notingReader struct {
	index.Reader
	got func()
}

func (r notingReader) ReadFile(path string, buf []byte) ([]byte, error) {
	r.got()
	return r.Reader.ReadFile(path, buf)
}

// UpdateOptions say what an index is to show.
type UpdateOptions struct {
	Files    []stream.File // in any order
	Source   index.Reader
	Force    bool // build it from scratch
	Progress func(done, total int)
	// Note receives what is left out, such as the history without git; nil
	// makes that an error.
	Note func(string)
}

// Update makes the deep index show the files. The error is that of
// [index.Update] or of [scan.History].
func (p Place) Update(ctx context.Context, o UpdateOptions) (stats index.Stats, err error) {
	commits, err := p.History(ctx)
	if errors.Is(err, scan.ErrNoGit) && p.Rev == "" && o.Note != nil {
		o.Note("git is not installed: ranking without the history")
		commits, err = nil, nil
	}
	if err != nil {
		return stats, err
	}
	sorted := append([]stream.File(nil), o.Files...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Path < sorted[j].Path })
	err = Locked(ctx, func(ctx context.Context, got func()) error {
		stats, err = index.Update(ctx, p.Deep(), index.Input{
			Files: sorted, Source: notingReader{o.Source, got}, History: commits, Head: p.Head(),
			Links: func(in index.LinkInput) index.Links { got(); return graph.Link(in) }, LinksVersion: graph.Version, Graph: graph.Build, GraphVersion: graph.BuildVersion,
			Seed: p.Seeds(), Force: o.Force,
			Progress: func(done, total int) {
				got()
				if o.Progress != nil {
					o.Progress(done, total)
				}
			},
		})
		return err
	})
	return stats, err
}
