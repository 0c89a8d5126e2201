package fresh

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/stream"
)

// Options say which tree a [Server] indexes and how.
type Options struct {
	Place            Place
	Include, Exclude []string // as in [scan.Options]
	MaxFileSize      int64    // bytes; 0 is scan.DefaultMaxFileSize
	// MaxAge is how long a check of the tree is valid for later requests. 0 checks
	// again for each; requests that come in meanwhile share one check.
	MaxAge time.Duration
	// Patience is how long a request waits for the first index before it fails
	// with a [*BuildingError]. 0 does not wait.
	Patience time.Duration
	// Note receives messages for the user, such as that git is missing.
	Note func(string)
}

// ErrBuilding is the error of requests that came in before there was an index.
// A [*BuildingError] wraps it.
var ErrBuilding = errors.New("the index is being built")

// ErrClosed is the error of requests to a Server that was closed.
var ErrClosed = errors.New("index: the index server was closed")

// BuildingError says how far the first index is.
type BuildingError struct{ Done, Total int } // files; Total is 0 while the tree is listed

func (e *BuildingError) Error() string {
	if e.Total == 0 {
		return ErrBuilding.Error() + ": listing the files"
	}
	return fmt.Sprintf("%v: %d of %d files", ErrBuilding, e.Done, e.Total)
}

func (e *BuildingError) Unwrap() error { return ErrBuilding }

// Server keeps the index of one tree open and up to date, for any number of
// concurrent callers. Close ends it.
type Server struct {
	o      Options
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu        sync.Mutex
	current   *state // newest state; nil before the first
	lastCheck *check // newest check that succeeded
	dirty     bool   // something was edited since it started
	running   *check
	next      *check // starts when running ends
	progress  BuildingError
	states    uint64 // how many there were
	closed    bool
}

// check is one comparison of the tree with the index.
type check struct {
	started time.Time
	done    chan struct{}
	err     error
}

// NewServer starts a server, which builds the index when there is none.
func NewServer(o Options) *Server {
	s := &Server{o: o}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.mu.Lock()
	s.nextCheck()
	s.mu.Unlock()
	return s
}

// Edited reports that files of the tree were changed: the next request checks the
// tree, even within MaxAge.
func (s *Server) Edited() {
	s.mu.Lock()
	s.dirty = true
	s.mu.Unlock()
}

// Close stops the work and releases the index; open snapshots stay valid.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	now := s.current
	s.current = nil
	s.mu.Unlock()
	s.cancel()
	s.work.Wait()
	if now != nil {
		now.release()
	}
}

// Snapshot returns the index of the tree as it is now. The caller closes it. The
// error is a [*BuildingError], [ErrClosed], the context's, or why there is no
// index.
func (s *Server) Snapshot(ctx context.Context) (*Snapshot, error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, ErrClosed
	}
	if s.isFresh() {
		defer s.mu.Unlock()
		return s.current.snapshot(""), nil
	}
	l, first := s.nextCheck(), s.current == nil
	s.mu.Unlock()
	if err := s.wait(ctx, l, first); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, ErrClosed
	case s.current == nil:
		return nil, l.err
	case l.err != nil:
		return s.current.snapshot(l.err.Error()), nil
	}
	return s.current.snapshot(""), nil
}

// isFresh reports whether the newest state may answer without another check.
func (s *Server) isFresh() bool {
	return s.current != nil && s.lastCheck != nil && !s.dirty && s.o.MaxAge > 0 && time.Since(s.lastCheck.started) <= s.o.MaxAge
}

// nextCheck returns a check that has not started yet.
func (s *Server) nextCheck() *check {
	switch {
	case s.next != nil:
		return s.next
	case s.running == nil:
		s.running = &check{done: make(chan struct{})}
		s.work.Go(s.run)
		return s.running
	case s.running.started.IsZero():
		return s.running
	}
	s.next = &check{done: make(chan struct{})}
	return s.next
}

func (s *Server) wait(ctx context.Context, l *check, first bool) error {
	var impatient <-chan time.Time
	if first {
		timer := time.NewTimer(s.o.Patience)
		defer timer.Stop()
		impatient = timer.C
	}
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-impatient:
		s.mu.Lock()
		defer s.mu.Unlock()
		p := s.progress
		return &p
	}
}

// run makes one check after the other until none is requested.
func (s *Server) run() {
	for {
		s.mu.Lock()
		l := s.running
		l.started, s.dirty = time.Now(), false
		s.mu.Unlock()
		l.err = s.refresh(s.ctx)
		s.mu.Lock()
		if l.err == nil {
			s.lastCheck = l
		} else {
			s.dirty = true
		}
		close(l.done)
		s.running, s.next = s.next, nil
		more := s.running != nil && !s.closed
		if s.running != nil && !more {
			s.running.err = ErrClosed
			close(s.running.done)
			s.running = nil
		}
		s.mu.Unlock()
		if !more {
			return
		}
	}
}

// refresh checks the tree and replaces the state when the tree has changed.
func (s *Server) refresh(ctx context.Context) error {
	p, err := s.currentPlace(ctx)
	if err != nil {
		return err
	}
	if err := p.Prepare(); err != nil {
		return fmt.Errorf("index: cache folder %s: %w; choose another one", p.Cache, err)
	}
	res, err := scan.Run(ctx, scan.Options{Root: p.Root, Include: s.o.Include, Exclude: s.o.Exclude,
		MaxFileSize: s.o.MaxFileSize, StatCache: p.StatCache()})
	if err != nil {
		return err
	}
	s.mu.Lock()
	now := s.current
	s.mu.Unlock()
	if now != nil && now.isCurrent(p, res.Files) {
		return nil
	}
	next, err := s.build(ctx, p, res.Files)
	if err != nil {
		return err
	}
	s.swap(next)
	return nil
}

// currentPlace is the place of the tree as it is now: its head may have moved.
func (s *Server) currentPlace(ctx context.Context) (Place, error) {
	p := s.o.Place
	repo, err := Identify(ctx, p.Root, p.Cache)
	p.Repo = repo
	return p, err
}

func (s *Server) build(ctx context.Context, p Place, files []stream.File) (*state, error) {
	src, err := scan.OpenSource(ctx, p.Root, p.Rev, s.o.MaxFileSize)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	_, err = p.Update(ctx, UpdateOptions{Files: files, Source: src, Note: s.note, Progress: func(done, total int) {
		s.mu.Lock()
		s.progress = BuildingError{done, total}
		s.mu.Unlock()
	}})
	if err != nil {
		return nil, err
	}
	return open(p, files)
}

func (s *Server) note(text string) {
	if s.o.Note != nil {
		s.o.Note(text)
	}
}

// swap puts a state in place of the one before, which its last reader closes.
func (s *Server) swap(next *state) {
	s.mu.Lock()
	old := s.current
	s.states++
	next.id = s.states
	if s.closed {
		old = next
	} else {
		s.current = next
	}
	s.mu.Unlock()
	if old != nil {
		old.release()
	}
}
