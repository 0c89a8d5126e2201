package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/topo-dev/topo/agent/session"
	"github.com/topo-dev/topo/index/fresh"
)

// Folders of the agent inside of the cache folder.
const (
	sessionFolder  = "sessions"
	snapshotFolder = "snapshots"
)

// agentPlace is where the agent works and keeps its sessions.
type agentPlace struct {
	root     string // absolute, links resolved
	cache    string
	place    fresh.Place
	sessions *session.Store
	grants   *session.Grants // nil without a folder of the user
}

// agentPlace decides the root, "" for that of the settings, and finds the
// sessions of it.
func (f *factory) agentPlace(root string) (*agentPlace, error) {
	abs, err := filepath.Abs(orDot(root))
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, envf("root %s: %w", root, rootCause(err))
	}
	place, err := fresh.At(context.TODO(), root, f.cacheDir)
	if err != nil {
		return nil, envf("root %s: %w", abs, err)
	}
	p := &agentPlace{root: abs, cache: f.cachePath(root), place: place}
	if p.place.Linked() {
		return nil, envf("%s: %w; give another folder with --cache-dir", p.cache, fresh.ErrLinkedCache)
	}
	p.sessions = session.Open(filepath.Join(p.cache, sessionFolder))
	if dir := f.userConfig("grants"); dir != "" {
		p.grants = &session.Grants{Dir: dir}
	}
	return p, nil
}

func orDot(root string) string {
	if root == "" {
		return "."
	}
	return root
}

// prepare makes the cache folder, which git ignores.
func (p *agentPlace) prepare() error {
	if err := p.place.Prepare(); err != nil {
		return envf("folder %s: %w; give another with --cache-dir", p.cache, rootCause(err))
	}
	return nil
}

// testClock makes time and IDs of sessions the same in every run, for tests. It
// holds the time at which the process begins; each look at the clock takes it a
// millisecond on.
const testClock = "TOPO_TEST_CLOCK"

// clock returns the clock of the sessions, and whether it is the tests'.
func (f *factory) clock() (now func() time.Time, fixed bool, err error) {
	v, ok := f.lookupEnv(testClock)
	if !ok || v == "" {
		return time.Now, false, nil
	}
	at, err := time.Parse(time.RFC3339, v)
	if err != nil {
		return nil, false, usagef("%s: %w; give a time such as 2026-01-02T03:04:05Z", testClock, err)
	}
	var mu sync.Mutex
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Millisecond)
		return at
	}, true, nil
}

// newSession makes an ID that no session has. Of the tests' clock the numbers
// are in order.
func (p *agentPlace) newSession(now time.Time, fixed bool, make func(id string) error) (string, error) {
	for try := range 1 << 16 {
		n := uint16(rand.Uint32())
		if fixed {
			n = uint16(try + 1)
		}
		id := session.NewID(now, n)
		if _, err := p.sessions.Resolve(id); err == nil {
			continue
		}
		err := make(id)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		return id, err
	}
	return "", envf("sessions in %s: every name of this minute is taken", p.cache)
}

// resolve finds a session by its ID, the beginning of one, or "last".
func (p *agentPlace) resolve(name string) (string, error) {
	id, err := p.sessions.Resolve(name)
	if err != nil {
		return "", usagef("session %w; topo agent sessions lists them", err)
	}
	return id, nil
}

// agentSessions is the place of the sessions for the commands about them.
func (f *factory) agentSessions() (*agentPlace, error) {
	root, err := f.settle("")
	if err != nil {
		return nil, err
	}
	return f.agentPlace(root)
}

// sessionArg is the session that the arguments name, the last one by default.
func (p *agentPlace) sessionArg(args []string) (string, error) {
	if len(args) == 0 {
		return p.resolve(session.Last)
	}
	return p.resolve(args[0])
}
