package fresh

import (
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/internal/atomicfile"
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

// History lists the commits that lead to the tree's head, newest first. The
// error is that of [scan.History].
func (p Place) History(ctx context.Context) ([]index.Commit, error) {
	if p.Head() == "" {
		return nil, nil
	}
	name := p.File(".history.zst")
	if known, ok := readHistory(name); ok && known.Head == p.Head() {
		return known.Commits, nil
	}
	commits, err := scan.History(ctx, p.Root, p.Head(), maxHistory)
	if err != nil {
		return nil, err
	}
	known := knownHistory{Version: historyVersion, Head: p.Head(), Commits: make([]index.Commit, len(commits))}
	for i, c := range commits {
		known.Commits[i] = index.Commit{ID: c.ID, Time: c.Time, Author: c.Author, Subject: c.Subject, Files: c.Files}
	}
	// Remembering only saves time: a failure shows when the index is written.
	_ = atomicfile.Write(name, func(w io.Writer) error { return json.NewEncoder(w).Encode(known) })
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
