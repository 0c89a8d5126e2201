package index

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Stats tells what an update did.
type Stats struct {
	Files     int   // in the index
	Parsed    int   // contents that were read and parsed
	Reused    int   // the other files: taken over, equal to a parsed one, or listed only
	Removed   int   // files of the old index that are gone
	Bytes     int64 // size of the index file
	Unchanged bool  // the index showed the input already; nothing was written
	Rebuilt   bool  // there was an index, but it was damaged or of other versions
}

// Update makes the index at path show in: it builds one, or takes over from
// the one that is there whatever still holds. The result is the same, byte for
// byte. When the old index shows the input already, nothing is written.
//
// The error is a [*LockError] when another process was still writing when ctx
// ended, a [*VersionError] when the old index is of a newer version and
// in.Force is not set, a [*WriteError] when the new index could not be
// written, or the context's. After any error the old index is unchanged.
func Update(ctx context.Context, path string, in Input) (Stats, error) {
	return update(ctx, path, in, createFile)
}

func update(ctx context.Context, path string, in Input, create func(string) (writeFile, error)) (Stats, error) {
	if len(in.Head) > headField {
		return Stats{}, fmt.Errorf("index: head %q is longer than %d bytes", in.Head, headField)
	}
	if stats, done, err := fresh(path, &in); done || err != nil {
		if done {
			removeStale(path)
		}
		return stats, err
	}
	if err := ctx.Err(); err != nil {
		return Stats{}, context.Cause(ctx)
	}
	unlock, err := lock(ctx, path)
	if err != nil {
		return Stats{}, err
	}
	defer unlock()
	u := &updater{path: path, in: in, create: create}
	defer u.close()
	stats, err := u.run(ctx)
	if corrupt := (*CorruptError)(nil); errors.As(err, &corrupt) && corrupt.Path != tempName(path) && !in.Force {
		u.close() // damage that shows only now: build without the old index
		u = &updater{path: path, in: in, create: create, scratch: true}
		defer u.close()
		stats, err = u.run(ctx)
		stats.Rebuilt = true
	}
	return stats, err
}

// fresh tells whether the index shows the input already. It takes no lock and
// works in a folder that cannot be written.
func fresh(path string, in *Input) (stats Stats, done bool, err error) {
	if in.Force {
		return stats, false, nil
	}
	x, err := Open(path)
	if newer := (*VersionError)(nil); errors.As(err, &newer) {
		return stats, false, err
	} else if err != nil {
		return stats, false, nil
	}
	defer x.Close()
	docs, err := newDocs(in.Files)
	if err != nil {
		return stats, false, err
	}
	p := &plan{docs: docs, base: x}
	if p.keepUnchanged() != nil || !p.unchanged(in) {
		return stats, false, nil
	}
	n := len(docs)
	return Stats{Files: n, Reused: n, Bytes: int64(x.head.fileSize), Unchanged: true}, true, nil
}

// updater holds what one update has open.
type updater struct {
	path    string
	in      Input
	create  func(string) (writeFile, error)
	scratch bool // take over no postings: something was damaged

	own   *Index // the old index, if it can be read
	seeds []*Index
	stats Stats
}

func (u *updater) close() {
	for _, x := range u.seeds {
		_ = x.Close()
	}
	if u.own != nil {
		_ = u.own.Close()
	}
	u.own, u.seeds = nil, nil
}

// open opens the old index and the seeds and returns the one whose postings
// are to be taken over.
func (u *updater) open() (*Index, error) {
	if u.in.Force {
		return nil, nil
	}
	if !u.scratch {
		x, err := Open(u.path)
		if newer := (*VersionError)(nil); errors.As(err, &newer) {
			return nil, err
		}
		u.stats.Rebuilt = err != nil && !errors.Is(err, os.ErrNotExist)
		if u.own = x; x != nil {
			u.stats.Rebuilt = !x.postingsUsable()
		}
	}
	for _, path := range u.in.Seed {
		if x, err := Open(path); err == nil {
			u.seeds = append(u.seeds, x)
		}
	}
	if u.own != nil && u.own.postingsUsable() {
		return u.own, nil
	}
	for _, x := range u.seeds {
		if x.postingsUsable() && !u.scratch {
			return x, nil
		}
	}
	return nil, nil
}

func (u *updater) run(ctx context.Context) (Stats, error) {
	base, err := u.open()
	if err != nil {
		return u.stats, err
	}
	docs, err := newDocs(u.in.Files)
	if err != nil {
		return u.stats, err
	}
	p := &plan{docs: docs, base: base}
	if err := p.keepUnchanged(); err != nil {
		return u.stats, err
	}
	if base != nil && base == u.own && p.unchanged(&u.in) { // another process was faster
		u.stats.Unchanged, u.stats.Files, u.stats.Reused, u.stats.Bytes = true, len(docs), len(docs), int64(base.head.fileSize)
		return u.stats, nil
	}
	if err := u.plan(ctx, p); err != nil {
		return u.stats, err
	}
	a, err := u.build(ctx, p)
	if err != nil {
		return u.stats, err
	}
	err = replace(u.path, u.create, func(f writeFile) error { return a.write(ctx, f) }, verify)
	if err != nil {
		return u.stats, err
	}
	u.stats.Bytes = int64(a.head.fileSize)
	u.evict(p)
	return u.stats, nil
}

// plan finds an entry for every file that has one somewhere.
func (u *updater) plan(ctx context.Context, p *plan) error {
	if err := p.group(ctx, u.in.Source); err != nil {
		return err
	}
	missing := p.missingEntries()
	if p.base != nil {
		if err := reuseEntries(missing, p.base, p.entry); err != nil {
			return err
		}
	}
	if u.in.Force {
		return nil
	}
	u.restore(missing)
	for _, x := range append([]*Index{u.own}, u.seeds...) {
		if x == nil || x == p.base {
			continue
		}
		_ = reuseEntries(missing, x, func(i uint32) (*entry, error) {
			row, err := x.entryRow(i)
			if err != nil {
				return nil, err
			}
			return &entry{id: -1, raw: row.raw, from: x, row: row}, nil
		}) // a damaged seed gives less, no more
	}
	return nil
}

// build counts, links and merges.
func (u *updater) build(ctx context.Context, p *plan) (*assembly, error) {
	tables, parsed, err := p.count(ctx, &u.in)
	if err != nil {
		return nil, err
	}
	a := &assembly{docs: p.docs}
	a.numberEntries(p.contentChanged.Load())
	u.stats.Files, u.stats.Parsed, u.stats.Removed = len(p.docs), parsed, p.removed
	u.stats.Reused = len(p.docs) - parsed
	files := make([]counted, len(p.docs))
	for i := range p.docs {
		files[i] = p.docs[i].count
	}
	inv, err := invert(tables, files)
	if err != nil {
		return nil, err
	}
	merged := make(chan error, 1)
	go func() { // terms and graph have nothing in common
		var err error
		a.terms, err = p.merge(ctx, inv)
		merged <- err
	}()
	err = u.connect(ctx, a, p)
	return a, errors.Join(<-merged, err)
}

// connect adds what joins the files: history, imports and the graph.
func (u *updater) connect(ctx context.Context, a *assembly, p *plan) error {
	if err := a.addHistory(&u.in); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	links, err := a.link(&u.in)
	if err != nil {
		return err
	}
	return a.graph(ctx, &u.in, links, p)
}

// verify reads a file that was just written back from the system.
func verify(name string) error {
	x, err := Open(name)
	if err != nil {
		return err
	}
	defer x.Close()
	return x.checkSums()
}

func errTooLarge(what string) error {
	return fmt.Errorf("index: too many or too long %s for the format; index a part of the tree", what)
}
