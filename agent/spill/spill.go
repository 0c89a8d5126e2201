// Package spill keeps what a tool answered whole on disk and gives the model its
// head and tail.
//
// What always holds:
//
//   - What the model is given is valid UTF-8, at most as long as the limit, cut
//     between lines where the lines are short, and says in one line between head
//     and tail how much is left out and how to read it.
//   - A handle names contents: the same output has the same handle in every
//     session, and a transcript played again is the same bytes.
//   - A handle names a file of the store and nothing else, whatever its text is.
package spill

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Prefix begins every handle: a tool that takes a path can distinguish
// them. A file of that name is reached as ./output:….
const Prefix = "output:"

// Limit is how many bytes of one output a model is given: about 12,000 tokens.
// Tools that show by ranges stay below it by themselves.
const Limit = 48 << 10

// maxKept is the largest output kept, in bytes; a longer one is kept with its
// middle left out.
const maxKept = 64 << 20

// idLen is the number of hex digits of a handle: 64 bits, where outputs of one
// session are thousands.
const idLen = 16

// Store keeps outputs in a folder, one file each. It is safe for concurrent use.
type Store struct{ dir string }

// Open returns the store in dir, which need not exist: it is made, for its owner
// alone, when the first output is kept.
func Open(dir string) *Store { return &Store{dir} }

// Put keeps the text and returns its handle.
func (s *Store) Put(text string) (handle string, err error) {
	if len(text) > maxKept {
		text = Cap(text, "", maxKept)
	}
	sum := sha256.Sum256([]byte(text))
	id := hex.EncodeToString(sum[:])[:idLen]
	path := filepath.Join(s.dir, id)
	if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() && st.Size() == int64(len(text)) {
		return Prefix + id, nil
	}
	if err := s.write(path, text); err != nil {
		return "", fmt.Errorf("keep the whole output in %s: %w", s.dir, err)
	}
	return Prefix + id, nil
}

func (s *Store) write(path, text string) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // best effort: the first error is what counts
	}
	return err
}

// IsHandle reports whether the text has the form of a handle.
func IsHandle(s string) bool {
	id, ok := strings.CutPrefix(s, Prefix)
	return ok && len(id) == idLen && strings.Trim(id, "0123456789abcdef") == ""
}

// Open opens the output that the handle names, for reading.
func (s *Store) Open(handle string) (*os.File, error) {
	if !IsHandle(handle) {
		return nil, fmt.Errorf("%.40q is not the handle of an output; one looks like %s0123456789abcdef", handle, Prefix)
	}
	f, err := os.Open(filepath.Join(s.dir, strings.TrimPrefix(handle, Prefix)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not kept in this session; run the tool again", handle)
	}
	return f, err
}

// Cap returns what the model reads of an output and, when that is not all, the
// handle under which the whole is kept. limit is in bytes.
func (s *Store) Cap(text string, limit int) (content, handle string, err error) {
	if whole := strings.ToValidUTF8(text, "\uFFFD"); len(whole) <= limit {
		return whole, "", nil
	}
	if handle, err = s.Put(text); err != nil {
		return Cap(text, "", limit), "", err
	}
	return Cap(text, handle, limit), handle, nil
}
