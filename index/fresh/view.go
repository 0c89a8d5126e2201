package fresh

import (
	"slices"
	"sync/atomic"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/stream"
)

// state is one index, open.
type state struct {
	place Place
	files []stream.File // as they were scanned
	index *index.Index
	graph *graph.Graph
	id    uint64
	users atomic.Int32 // the Keeper while it is the newest, and its views
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

// shows reports whether the index is that of these files.
func (s *state) shows(p Place, files []stream.File) bool {
	return s.place.Head() == p.Head() && slices.EqualFunc(s.files, files, func(a, b stream.File) bool {
		return a.Path == b.Path && a.Sha256 == b.Sha256 && a.Skipped == b.Skipped && a.Size == b.Size && a.Target == b.Target
	})
}

func (s *state) release() {
	if s.users.Add(-1) == 0 {
		s.index.Close()
	}
}

// view is a view of the state, which somebody holds.
func (s *state) view(warning string) *View {
	s.users.Add(1)
	return &View{Session: ask.Session{Index: s.index, Graph: s.graph, Root: s.place.Repo.Root}, Place: s.place,
		ID: s.id, Files: s.files, Warning: warning, state: s}
}

// View is one state of the index, for one question. It is not changed by
// anything that happens to the tree.
type View struct {
	ask.Session
	Place Place
	ID    uint64        // tells the states of one Keeper apart
	Files []stream.File // every file of the index, sorted by path; not to be changed
	// Warning says why the tree could not be looked at again, so that the answer
	// may be out of date. Empty when it is not.
	Warning string

	state  *state
	closed atomic.Bool
}

// Close gives the view up. Nothing of it may be used afterwards.
func (v *View) Close() {
	if !v.closed.Swap(true) {
		v.state.release()
	}
}

// Churn is the number of commits that changed each file, as far as the index
// knows the history. Files that none did are left out.
func (v *View) Churn() (map[string]int, error) {
	churn := map[string]int{}
	var buf []uint32
	for id := range v.Index.NumFiles() {
		var err error
		if buf, err = v.Index.FileCommits(id, buf); err != nil {
			return nil, err
		}
		if len(buf) == 0 {
			continue
		}
		f, err := v.Index.File(id)
		if err != nil {
			return nil, err
		}
		churn[f.Path] = len(buf)
	}
	return churn, nil
}
