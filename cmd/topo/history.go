package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/internal/zst"
	"github.com/topo-dev/topo/scan"
)

// maxHistory is how many commits an index knows. It bounds the time of the one
// git log that finds them and covers the 90 days that recency looks back to in
// all but the very largest repositories.
const maxHistory = 5000

// maxHistoryFile bounds the remembered history, in bytes.
const maxHistoryFile = 256 << 20

// knownHistory is the history that ends at Head, remembered so that git need
// not be asked again while Head stays.
type knownHistory struct {
	Version int
	Head    string
	Commits []index.Commit
}

// historyVersion changes with what is remembered of a commit.
const historyVersion = 1

// history lists the commits that lead to the tree's head.
func (t *tree) history(ctx context.Context) ([]index.Commit, error) {
	if t.head() == "" {
		return nil, nil
	}
	name := t.cacheFile(".history.zst")
	if known, ok := readHistory(name); ok && known.Head == t.head() {
		return known.Commits, nil
	}
	commits, err := scan.History(ctx, t.root, t.head(), maxHistory)
	if errors.Is(err, scan.ErrNoGit) && t.rev == "" {
		t.f.notef("git is not installed: ranking without the history")
		return nil, nil
	} else if err != nil {
		return nil, scanError(err)
	}
	known := knownHistory{Version: historyVersion, Head: t.head(), Commits: make([]index.Commit, len(commits))}
	for i, c := range commits {
		known.Commits[i] = index.Commit{ID: c.ID, Time: c.Time, Author: c.Author, Subject: c.Subject, Files: c.Files}
	}
	// Remembering only saves time: a failure shows when the index is written.
	_ = writeFileAtomic(name, func(w io.Writer) error { return json.NewEncoder(w).Encode(known) })
	return known.Commits, nil
}

func readHistory(name string) (known knownHistory, ok bool) {
	file, err := os.Open(name)
	if err != nil {
		return known, false
	}
	defer file.Close()
	r, err := zst.NewReader(file, maxHistoryFile)
	if err != nil {
		return known, false
	}
	defer r.Close()
	err = json.NewDecoder(r).Decode(&known)
	return known, err == nil && known.Version == historyVersion
}

// writeFileAtomic writes the file name, compressed when its name ends in .zst,
// through a temporary name in the same folder. On any failure the file that
// was there stays and nothing else is left.
func writeFileAtomic(name string, write func(io.Writer) error) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".tmp*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	w, err := zst.NewWriter(tmp, name)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
