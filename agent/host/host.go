package host

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/topo-dev/topo/agent/session"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/fault"
)

// Options say where a host works and what it has of its surroundings.
type Options struct {
	Root     string  // the tree; empty is the current folder
	CacheDir string  // of the index; empty is [fresh.Folder] in the root
	Folders  Folders // of the user, see [UserFolders]
	Version  string  // of the program, for servers that ask

	// LookupEnv gives variables: keys, addresses of providers, tool chains. Nil
	// has none.
	LookupEnv func(string) (string, bool)
	// Environ is the environment that commands and MCP servers get the harmless
	// part of, as os.Environ returns it.
	Environ []string
	// Proxy chooses the proxy of a request to a provider; nil uses none.
	Proxy func(*http.Request) (*url.URL, error)
	// Confine is the command line that calls [RunConfined] with one more argument;
	// the sandbox needs it.
	Confine []string

	Scope Scope // files that the code tools show
	// ShowSecrets shows credentials of the tree and of commands to the model as they
	// are. Otherwise they are masked.
	ShowSecrets bool
	// Note gets what a person may want to know outside of a run, such as that
	// sessions were moved; nil drops it.
	Note func(string)
	// Clock is time.Now when it is nil. One that is set makes every run the same:
	// calls run one by one, and IDs of sessions count up.
	Clock func() time.Time
}

// Scope limits the files that the code tools show.
type Scope struct {
	Include, Exclude []string // .gitignore patterns
	MaxFileSize      int64    // bytes; 0 is scan.DefaultMaxFileSize
}

// OptionError says which option is at fault. Errors of the package have a kind,
// see package fault; those of the disk and of git have none.
type OptionError struct {
	Option string // as a flag of it would be named
	Value  string // where it says more
	Err    error
}

// Error implements error.
func (e *OptionError) Error() string {
	return strings.TrimSpace(e.Option+" "+e.Value) + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *OptionError) Unwrap() error { return e.Err }

// optionf is an error of the caller in an option.
func optionf(option, format string, args ...any) error {
	return fault.Of(fault.Usage, &OptionError{Option: option, Err: fmt.Errorf(format, args...)})
}

// Host works on one tree. It is safe for concurrent use.
type Host struct {
	o        Options
	root     string // absolute, links resolved
	place    fresh.Place
	state    string // folder of the project within the user's state
	sessions *session.Store
	grants   session.Grants
	now      func() time.Time
}

// Open prepares to work on a tree. It moves sessions that an earlier version kept
// in the folder of the index to the user's state folder.
func Open(ctx context.Context, o Options) (*Host, error) {
	h, err := newHost(o)
	if err != nil {
		return nil, err
	}
	if h.state == "" {
		return nil, errors.New("state folder: none is known; set " + StateEnv + " or HOME")
	}
	return h, h.adopt(ctx)
}

// newHost finds the folders of a host and touches nothing.
func newHost(o Options) (*Host, error) {
	if o.Root == "" {
		o.Root = "."
	}
	abs, err := filepath.Abs(o.Root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("root %s: %w", o.Root, rootCause(err))
	}
	if o.LookupEnv == nil {
		o.LookupEnv = func(string) (string, bool) { return "", false }
	}
	h := &Host{o: o, root: abs, now: o.Clock}
	// The server of the index finds out which repository it is, when it is needed.
	h.place = fresh.Place{Root: abs, Cache: o.CacheDir, Chosen: o.CacheDir != ""}
	if !h.place.Chosen {
		h.place.Cache = filepath.Join(abs, fresh.Folder)
	} else if h.place.Cache, err = filepath.Abs(o.CacheDir); err != nil {
		return nil, fmt.Errorf("folder %s: %w", o.CacheDir, err)
	}
	if o.Folders.State != "" {
		key, err := ProjectKey(abs)
		if err != nil {
			return nil, fmt.Errorf("root %s: %w", o.Root, rootCause(err))
		}
		h.state = filepath.Join(o.Folders.State, projectsFolder, key)
	}
	h.sessions = session.Open(filepath.Join(h.state, sessionsFolder))
	h.grants = session.Grants{Dir: filepath.Join(h.state, grantsFolder)}
	if h.now == nil {
		h.now = time.Now
	}
	return h, nil
}

// Root is the absolute path of the tree, links resolved.
func (h *Host) Root() string { return h.root }

// State is the folder with what belongs to the user of this tree.
func (h *Host) State() string { return h.state }

// fixed reports whether every run is to be the same.
func (h *Host) fixed() bool { return h.o.Clock != nil }

func (h *Host) note(format string, args ...any) {
	if h.o.Note != nil {
		h.o.Note(fmt.Sprintf(format, args...))
	}
}

func (h *Host) getenv(name string) string {
	v, _ := h.o.LookupEnv(name)
	return strings.TrimSpace(v)
}

// newSession makes an ID that no session has and gives it to create.
func (h *Host) newSession(create func(id string) error) (string, error) {
	now := h.now()
	for try := range 1 << 16 {
		n := uint16(rand.Uint32())
		if h.fixed() {
			n = uint16(try + 1)
		}
		id := session.NewID(now, n)
		if _, err := h.sessions.Resolve(id); err == nil {
			continue
		}
		err := create(id)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		return id, err
	}
	return "", fmt.Errorf("sessions in %s: every name of this minute is taken", h.state)
}

// FixedClock returns a clock that begins at the time given and goes on by a
// millisecond with each look, for [Options].Clock.
func FixedClock(at time.Time) func() time.Time {
	var mu sync.Mutex
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Millisecond)
		return at
	}
}

// rootCause is the reason without the path that the message names already.
func rootCause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
