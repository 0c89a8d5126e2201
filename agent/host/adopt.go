package host

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/session"
	"github.com/topo-dev/topo/internal/english"
)

// adopt moves what earlier versions kept in the folder of the index, and the rules
// that they kept in the user's configuration, to the user's state.
func (h *Host) adopt(ctx context.Context) error {
	if h.place.Linked() {
		return nil // it may lead anywhere
	}
	old := filepath.Join(h.place.Cache, sessionsFolder)
	if !isFolder(old) {
		return nil
	}
	from := session.Open(old)
	ids, err := from.IDs()
	if err != nil {
		h.note("%v; they stay in %s", err, old)
	}
	if len(ids) == 0 {
		return nil
	}
	if tracked, err := h.place.Tracked(ctx); err != nil || tracked {
		h.note("sessions in %s are left there: they came with the repository, or git cannot tell", old)
		return nil
	}
	if err := h.prepare(); err != nil {
		return err
	}
	// Snapshots first: a session without them could not be undone.
	if !h.adoptSnapshots(ctx) {
		return nil
	}
	moved := 0
	for _, id := range ids {
		if !h.ranHere(from, id) {
			continue // of another tree, or from elsewhere
		}
		err := h.sessions.Move(from, id)
		switch {
		case errors.Is(err, session.ErrBusy), errors.Is(err, os.ErrExist), errors.Is(err, session.ErrNotFound):
			continue // a process has it, or has moved it
		case err != nil:
			h.note("%v; it stays in %s", err, old)
			continue
		}
		moved++
		if err := h.adoptGrants(id); err != nil {
			h.note("session %s: %v; what was granted in it is asked about again", id, err)
		}
	}
	if moved == 0 {
		return nil
	}
	h.note("%s moved from %s to %s", english.Count(moved, "session"), old, h.state)
	if snapshots := filepath.Join(h.place.Cache, snapshotsFolder); !h.place.Chosen && isFolder(snapshots) {
		_ = os.RemoveAll(snapshots) // best effort: they are in both places then
	}
	return nil
}

// ranHere reports whether the session began in this tree.
func (h *Host) ranHere(from *session.Store, id string) (here bool) {
	done := errors.New("the first event is enough")
	_ = from.Read(id, func(e agent.Event) error { here = e.Root == h.root; return done })
	return here
}

func (h *Host) adoptGrants(id string) error {
	dir := h.o.Folders.config(grantsFolder)
	if dir == "" {
		return nil
	}
	old := session.Grants{Dir: dir}
	rules, err := old.Rules(id, h.root)
	if err != nil || len(rules) == 0 {
		return err
	}
	if err := h.grants.Add(id, h.root, rules); err != nil {
		return err
	}
	return old.Remove(id)
}

// adoptSnapshots copies the snapshots, and reports whether the sessions may follow.
func (h *Host) adoptSnapshots(ctx context.Context) bool {
	old := filepath.Join(h.place.Cache, snapshotsFolder)
	if !isFolder(old) {
		return true
	}
	if leadsOut(old) {
		h.note("the snapshots in %s refer to objects elsewhere and are left there, with their sessions", old)
		return false
	}
	store, err := h.snapshots(ctx)
	if err == nil {
		err = store.Import(ctx, old)
	}
	if err != nil {
		h.note("%v; the snapshots and their sessions stay in %s", err, h.place.Cache)
	}
	return err == nil
}

// leadsOut reports whether a store of snapshots refers to objects outside of it.
func leadsOut(store string) bool {
	if _, err := os.Lstat(filepath.Join(store, "objects", "info", "alternates")); err == nil {
		return true
	}
	err := filepath.WalkDir(store, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type()&fs.ModeSymlink != 0 {
			err = errors.New("a symbolic link")
		}
		return err
	})
	return err != nil
}

// isFolder reports whether there is a folder, and no link to one.
func isFolder(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.IsDir()
}
