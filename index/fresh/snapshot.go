package fresh

import (
	"slices"
	"sync/atomic"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/stream"
)

// state is one open index.
type state struct {
	place Place
	files []stream.File // as they were scanned
	index *index.Index
	graph *graph.Graph
	id    uint64
	users atomic.Int32 // the Server while it is the newest, and its snapshots
}

func open(p Place, files []stream.File) (*state, error) {
	x, err := index.Open(p.Deep())
	if err != nil {
		return nil, err
	}
	g, err := graph.Open(x)
	if err != nil {
		x.Close()
		return nil, err
	}
	s := &state{place: p, files: files, index: x, graph: g}
	s.users.Store(1)
	return s, nil
}

// isCurrent reports whether the index was built from these files.
func (s *state) isCurrent(p Place, files []stream.File) bool {
	return s.place.Head() == p.Head() && slices.EqualFunc(s.files, files, func(a, b stream.File) bool {
		return a.Path == b.Path && a.Sha256 == b.Sha256 && a.Skipped == b.Skipped && a.Size == b.Size && a.Target == b.Target
	})
}

func (s *state) release() {
	if s.users.Add(-1) == 0 {
		s.index.Close()
	}
}

// snapshot returns a snapshot of the state. The caller must hold the state.
func (s *state) snapshot(warning string) *Snapshot {
	s.users.Add(1)
	return &Snapshot{Session: ask.Session{Index: s.index, Graph: s.graph, Root: s.place.Repo.Root}, Place: s.place,
		ID: s.id, Files: s.files, Warning: warning, state: s}
}

// Snapshot is one state of the index, for one request. Later changes of the tree do
// not affect it.
type Snapshot struct {
	ask.Session
	Place Place
	ID    uint64        // distinguishes the states of one Server
	Files []stream.File // every file of the index, sorted by path; not to be changed
	// Warning says why the tree could not be looked at again, so the answer
	// may be out of date. Empty when it is not.
	Warning string

	state  *state
	closed atomic.Bool
}

// Close releases the snapshot. It must not be used afterwards.
func (v *Snapshot) Close() {
	if !v.closed.Swap(true) {
		v.state.release()
	}
}
