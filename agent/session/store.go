package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/topo-dev/topo/internal/flock"
	"github.com/topo-dev/topo/internal/lazy"
)

// Store is a folder of sessions. The folder need not exist.
type Store struct{ dir string }

// Open returns the store in dir.
func Open(dir string) *Store { return &Store{dir} }

// ext ends the names of logs.
const ext = ".jsonl"

// validID is the form of a session's ID: it names a file, and nothing else.
var validID = lazy.Regexp(`^[0-9a-z][0-9a-z-]{0,63}$`)

// NewID makes an ID of the minute and of four random hex digits. The minute
// makes IDs sort by age and easy to tell apart.
func NewID(now time.Time, random uint16) string {
	return fmt.Sprintf("%s-%04x", now.UTC().Format("20060102-1504"), random)
}

// ErrNotFound says that there is no session of that name.
var ErrNotFound = errors.New("no such session")

// ErrBusy says that another process writes the session.
var ErrBusy = errors.New("the session is in use by another process; wait for it, or fork the session")

// Outputs is the folder of the outputs of a session that were too long to be
// shown whole.
func (s *Store) Outputs(id string) string { return filepath.Join(s.dir, id) }

func (s *Store) path(id string) (string, error) {
	if !validID().MatchString(id) {
		return "", fmt.Errorf("session %.80q: %w: an ID has lower-case letters, digits and hyphens", id, ErrNotFound)
	}
	return filepath.Join(s.dir, id+ext), nil
}

// Create starts the log of a new session. The ID must not be in use.
func (s *Store) Create(id string) (*Log, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	if err := s.mkdir(); err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	l, err := lock(f)
	if err == nil {
		// The name of the file then survives a crash of the machine.
		err = syncDir(s.dir)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	return l, nil
}

// Discard removes the log of a session in which nothing happened: one without
// an event. Any other stays. The caller holds its lock.
func (s *Store) Discard(id string) {
	path, err := s.path(id)
	if err != nil {
		return
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		_ = os.Remove(path) // best effort: an empty log is listed as such
	}
}

// mkdir makes the folder. A link in its place may have been put there by the
// repository and is not followed.
func (s *Store) mkdir() error {
	if err := os.MkdirAll(filepath.Dir(s.dir), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(s.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(s.dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder; remove it", s.dir)
	}
	return nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

func lock(f *os.File) (*Log, error) {
	ok, err := flock.Try(f)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrBusy
	}
	return &Log{f: f}, nil
}

// open opens the log of a session. What a repository may have put in its place,
// such as a link or a named pipe, is not opened.
func (s *Store) open(id string, flag int) (*os.File, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("session %s: %w", id, ErrNotFound)
	case err != nil:
		return nil, fmt.Errorf("session %s: %w", id, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("session %s: %s is not a regular file; remove it", id, path)
	}
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	return f, nil
}

// IDs lists the sessions, the oldest first.
func (s *Store) IDs() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("sessions: %w", err)
	}
	var ids []string
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ext)
		if ok && validID().MatchString(id) && e.Type().IsRegular() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// Last is the name of the newest session.
const Last = "last"

// Resolve returns the ID for a name: an ID, the beginning of one that
// no other session shares, or [Last].
func (s *Store) Resolve(name string) (string, error) {
	ids, err := s.IDs()
	if err != nil {
		return "", err
	}
	if name == Last {
		if len(ids) == 0 {
			return "", fmt.Errorf("%w: there is none yet", ErrNotFound)
		}
		return ids[len(ids)-1], nil
	}
	var found []string
	for _, id := range ids {
		if id == name {
			return id, nil
		}
		if name != "" && strings.HasPrefix(id, name) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("%.80q: %w", name, ErrNotFound)
	}
	return "", fmt.Errorf("%.80q: %d sessions begin so: %s; give more of the ID", name, len(found), strings.Join(found[:min(4, len(found))], ", "))
}
