package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Grants keeps the rules that a person granted in a session. They survive
// a resume. They are in a folder of the user and not next to the log: a
// repository can bring a log along, and must not bring permissions.
type Grants struct{ Dir string }

// maxGrants bounds the rules of one session, in bytes.
const maxGrants = 1 << 20

// Add keeps more rules of the session in the tree at root, an absolute path.
func (g Grants) Add(id, root string, rules []string) error {
	old, err := g.Rules(id, root)
	if err != nil {
		return err
	}
	text := root + "\n"
	for _, r := range rules {
		if !slices.Contains(old, r) && !strings.ContainsAny(r, "\r\n") {
			old = append(old, r)
		}
	}
	for _, r := range old {
		text += r + "\n"
	}
	if err := os.MkdirAll(g.Dir, 0o700); err != nil {
		return fmt.Errorf("keep the granted rules: %w", err)
	}
	f, err := os.CreateTemp(g.Dir, ".new-*")
	if err != nil {
		return fmt.Errorf("keep the granted rules: %w", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), g.path(id))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // best effort: the first error is what counts
		return fmt.Errorf("keep the granted rules: %w", err)
	}
	return nil
}

// Rules returns the rules granted in the session; none for a session of another
// tree.
func (g Grants) Rules(id, root string) ([]string, error) {
	if !validID().MatchString(id) {
		return nil, fmt.Errorf("session %.80q: %w", id, ErrNotFound)
	}
	info, err := os.Stat(g.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && info.Size() > maxGrants {
		err = fmt.Errorf("%s has more than %d bytes", g.path(id), maxGrants)
	}
	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(g.path(id))
	}
	if err != nil {
		return nil, fmt.Errorf("read the granted rules: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	if lines[0] != root {
		return nil, nil
	}
	return lines[1:], nil
}

// Copy gives session to the rules of session from.
func (g Grants) Copy(from, to, root string) error {
	rules, err := g.Rules(from, root)
	if err != nil || len(rules) == 0 {
		return err
	}
	return g.Add(to, root, rules)
}

func (g Grants) path(id string) string { return filepath.Join(g.Dir, id+".rules") }

// Remove forgets the rules of a session.
func (g Grants) Remove(id string) error {
	if !validID().MatchString(id) {
		return fmt.Errorf("session %.80q: %w", id, ErrNotFound)
	}
	return os.Remove(g.path(id))
}
