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

// Options say which tree a [Keeper] keeps and how.
type Options struct {
	Place            Place
	Include, Exclude []string // as in [scan.Options]
	MaxFileSize      int64    // bytes; 0 is scan.DefaultMaxFileSize
	// MaxAge is how long a look at the tree counts for the questions after it. 0
	// looks again for each, which questions that come in meanwhile share.
	MaxAge time.Duration
	// Patience is how long a question waits for the first index before it is
	// told that one is being built. 0 does not wait.
	Patience time.Duration
	// Note is told what a person may want to know, such as that git is missing.
	Note func(string)
}

// ErrBuilding is the error of questions that came in before there was an index.
// A [*BuildingError] wraps it.
var ErrBuilding = errors.New("the index is being built")

// ErrClosed is the error of questions to a Keeper that was closed.
var ErrClosed = errors.New("index: the keeper was closed")

// BuildingError says how far the first index is.
type BuildingError struct{ Done, Total int } // files; Total is 0 while the tree is listed

func (e *BuildingError) Error() string {
	if e.Total == 0 {
		return ErrBuilding.Error() + ": listing the files"
	}
	return fmt.Sprintf("%v: %d of %d files", ErrBuilding, e.Done, e.Total)
}

func (e *BuildingError) Unwrap() error { return ErrBuilding }

// Keeper keeps the index of one tree open and like the tree, for any number of
// callers at once. Close ends it.
type Keeper struct {
	o      Options
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu       sync.Mutex
	now      *state // newest state; nil before the first
	last     *look  // newest look that succeeded
	dirty    bool   // something was edited since it started
	running  *look
	next     *look // starts when running ends
	progress BuildingError
	states   uint64 // how many there were
	closed   bool
}

// look is one comparison of the tree with the index.
type look struct {
	started time.Time
	done    chan struct{}
	err     error
}

// NewKeeper starts to keep an index and to build it when there is none.
func NewKeeper(o Options) *Keeper {
	k := &Keeper{o: o}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.mu.Lock()
	k.demand()
	k.mu.Unlock()
	return k
}

// Edited tells that files of the tree were changed: the next question looks at
// the tree, however long ago the last look was.
func (k *Keeper) Edited() {
	k.mu.Lock()
	k.dirty = true
	k.mu.Unlock()
}

// Close stops the work and gives up the index; views that are open stay valid.
func (k *Keeper) Close() {
	k.mu.Lock()
	k.closed = true
	now := k.now
	k.now = nil
	k.mu.Unlock()
	k.cancel()
	k.work.Wait()
	if now != nil {
		now.release()
	}
}

// View returns the index of the tree as it is now. The caller closes it. The
// error is a [*BuildingError], [ErrClosed], the context's, or why there is no
// index.
func (k *Keeper) View(ctx context.Context) (*View, error) {
	k.mu.Lock()
	if k.closed {
		k.mu.Unlock()
		return nil, ErrClosed
	}
	if k.fresh() {
		defer k.mu.Unlock()
		return k.now.view(""), nil
	}
	l, first := k.demand(), k.now == nil
	k.mu.Unlock()
	if err := k.wait(ctx, l, first); err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.closed:
		return nil, ErrClosed
	case k.now == nil:
		return nil, l.err
	case l.err != nil:
		return k.now.view(l.err.Error()), nil
	}
	return k.now.view(""), nil
}

// fresh reports whether the newest state may answer without another look.
func (k *Keeper) fresh() bool {
	return k.now != nil && k.last != nil && !k.dirty && k.o.MaxAge > 0 && time.Since(k.last.started) <= k.o.MaxAge
}

// demand returns a look that has not started yet.
func (k *Keeper) demand() *look {
	switch {
	case k.next != nil:
		return k.next
	case k.running == nil:
		k.running = &look{done: make(chan struct{})}
		k.work.Go(k.run)
		return k.running
	case k.running.started.IsZero():
		return k.running
	}
	k.next = &look{done: make(chan struct{})}
	return k.next
}

func (k *Keeper) wait(ctx context.Context, l *look, first bool) error {
	var impatient <-chan time.Time
	if first {
		timer := time.NewTimer(k.o.Patience)
		defer timer.Stop()
		impatient = timer.C
	}
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-impatient:
		k.mu.Lock()
		defer k.mu.Unlock()
		p := k.progress
		return &p
	}
}

// run makes one look after the other until none is asked for.
func (k *Keeper) run() {
	for {
		k.mu.Lock()
		l := k.running
		l.started, k.dirty = time.Now(), false
		k.mu.Unlock()
		l.err = k.refresh(k.ctx)
		k.mu.Lock()
		if l.err == nil {
			k.last = l
		} else {
			k.dirty = true
		}
		close(l.done)
		k.running, k.next = k.next, nil
		more := k.running != nil && !k.closed
		if k.running != nil && !more {
			k.running.err = ErrClosed
			close(k.running.done)
			k.running = nil
		}
		k.mu.Unlock()
		if !more {
			return
		}
	}
}

// refresh looks at the tree and replaces the state when it shows another one.
func (k *Keeper) refresh(ctx context.Context) error {
	p, err := k.place()
	if err != nil {
		return err
	}
	if err := p.Prepare(); err != nil {
		return fmt.Errorf("index: cache folder %s: %w; choose another one", p.Cache, err)
	}
	res, err := scan.Run(ctx, scan.Options{Root: p.Root, Include: k.o.Include, Exclude: k.o.Exclude,
		MaxFileSize: k.o.MaxFileSize, StatCache: p.StatCache()})
	if err != nil {
		return err
	}
	k.mu.Lock()
	now := k.now
	k.mu.Unlock()
	if now != nil && now.shows(p, res.Files) {
		return nil
	}
	next, err := k.build(ctx, p, res.Files)
	if err != nil {
		return err
	}
	k.swap(next)
	return nil
}

// place is that of the tree now: its head may have moved.
func (k *Keeper) place() (Place, error) {
	p := k.o.Place
	repo, err := scan.Identify(p.Root)
	p.Repo = repo
	return p, err
}

func (k *Keeper) build(ctx context.Context, p Place, files []stream.File) (*state, error) {
	src, err := scan.OpenSource(ctx, p.Root, p.Rev, k.o.MaxFileSize)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	_, err = p.Update(ctx, UpdateOptions{Files: files, Source: src, Note: k.note, Progress: func(done, total int) {
		k.mu.Lock()
		k.progress = BuildingError{done, total}
		k.mu.Unlock()
	}})
	if err != nil {
		return nil, err
	}
	return open(p, files)
}

func (k *Keeper) note(s string) {
	if k.o.Note != nil {
		k.o.Note(s)
	}
}

// swap puts a state in place of the one before, which its last reader closes.
func (k *Keeper) swap(next *state) {
	k.mu.Lock()
	old := k.now
	k.states++
	next.id = k.states
	if k.closed {
		old = next
	} else {
		k.now = next
	}
	k.mu.Unlock()
	if old != nil {
		old.release()
	}
}
