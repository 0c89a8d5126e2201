package topo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/stream"
)

// IndexOptions say what an index is to hold.
type IndexOptions struct {
	Deep  bool // definitions, terms, imports, history and contents too
	Force bool // build from scratch
	Embed bool // with Deep: vectors of the files too, from the configured service
}

// IndexReport says what [Repo.Index] did.
type IndexReport struct {
	Files int
	Path  string       // of the index file that was written last
	Deep  *index.Stats // nil when there is no deep index
}

// presetIndex is the preset in the header of an indexed stream.
const presetIndex = "index"

// Index writes the list of the stream's files, and the deep index when it is asked
// for or when there is one already. It names the repository in the stream's header.
func (r *Repo) Index(ctx context.Context, s *stream.Stream, o IndexOptions) (IndexReport, error) {
	if err := r.prepareCache(); err != nil {
		return IndexReport{}, err
	}
	if err := r.checkIndexFile(); err != nil {
		return IndexReport{}, err
	}
	files := s.Files()
	r.allow(files)
	done := IndexReport{Files: len(files), Path: r.place().Shallow()}
	s.Header.Fingerprint = r.repo.Fingerprint
	if s.Header.Preset == presetScan {
		s.Header.Preset = presetIndex
	}
	err := fresh.Locked(ctx, func(ctx context.Context, _ func()) error { return r.writeShallow(ctx, s, files) })
	if err != nil {
		return done, indexError(err)
	}
	if !o.Deep {
		if _, err := os.Stat(r.place().Deep()); err != nil || r.partial(files) {
			return done, nil
		}
	}
	stats, err := r.updateDeep(ctx, files, o.Force)
	if err != nil {
		return done, err
	}
	done.Deep, done.Path = &stats, r.place().Deep()
	if o.Embed {
		err = r.embedFiles(ctx, files)
	}
	return done, err
}

// checkIndexFile refuses to write an index over a file that is none.
func (r *Repo) checkIndexFile() error {
	name := r.o.IndexFile
	info, err := os.Stat(name)
	switch {
	case name == "", errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular() && info.Size() == 0:
		return nil
	case err == nil && !info.Mode().IsRegular():
		return fault.Usagef("--index %s: not a regular file; name another one", name)
	}
	if isIndex, err := index.IsIndex(name); err != nil {
		return fault.Environmentf("--index %s: %w; name another file", name, pathCause(err))
	} else if !isIndex {
		return fault.Usagef("--index %s: a file that is no index; name another one, or remove it", name)
	}
	return nil
}

// writeShallow writes the list of files unless it is the one that is there.
func (r *Repo) writeShallow(ctx context.Context, s *stream.Stream, files []stream.File) error {
	h := s.Header
	h.Query, h.Scoring, h.Root, h.Within, h.Index = "", "", "", "", ""
	h.Budget, h.MinScore = stream.Budget{}, 0
	plain := make([]stream.File, len(files))
	for i, f := range files {
		f.Score, f.Signals, f.Chunks = 0, nil, nil
		plain[i] = f
	}
	sort.Slice(plain, func(i, j int) bool { return plain[i].Path < plain[j].Path })
	return index.WriteShallow(ctx, r.place().Shallow(), h, plain, s.Footer.ScannedFiles)
}

// updateDeep makes the deep index hold files.
func (r *Repo) updateDeep(ctx context.Context, files []stream.File, force bool) (stats index.Stats, err error) {
	defer r.o.Report.progress("index", len(files))()
	r.closeDeep()
	src, err := r.source(ctx)
	if err != nil {
		return stats, err
	}
	stats, err = r.place().Update(ctx, fresh.UpdateOptions{Files: files, Source: src, Force: force, Note: r.o.Report.note,
		Progress: func(done, total int) { r.o.Report.step("index", done, total) }})
	r.updated = err == nil
	var scanned *scan.Error
	if errors.As(err, &scanned) {
		return stats, scanError(err)
	}
	return stats, indexError(err)
}

// indexError gives an error of the index its kind.
func indexError(err error) error {
	var write *index.WriteError
	if errors.As(err, &write) {
		return fault.Environmentf("%w; choose another cache folder with --cache-dir or TOPO_CACHE_DIR", err)
	}
	return err
}

// partial reports whether files are only a part of what the deep index holds: it
// has a file that they lack and that is still in the tree. An update that nobody
// asked for must not drop such files from it.
func (r *Repo) partial(files []stream.File) bool {
	x, err := r.openDeep()
	if err != nil || x == nil {
		return false
	}
	have := make(map[string]bool, len(files))
	for i := range files {
		have[files[i].Path] = true
	}
	for id := range x.NumFiles() {
		f, err := x.File(id)
		if err != nil {
			return false // damaged: the update will tell
		}
		if have[f.Path] {
			continue
		}
		if r.rev != "" {
			return true // a commit never loses a file
		}
		if _, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(f.Path))); err == nil {
			return true
		}
	}
	return false
}

// CheckedIndex is an index file that [Repo.Check] found to be whole.
type CheckedIndex struct {
	Path  string
	Files int
	Terms int // of a deep index
}

// ErrDamaged is in the chain of the error of [Repo.Check] for an index that is not
// whole.
var ErrDamaged = errors.New("damaged index")

// Check verifies every byte of the indexes that are there. The error has
// [ErrDamaged] in its chain when the check failed, and the kind [Usage] when there
// is no index.
func (r *Repo) Check() (fine []CheckedIndex, err error) {
	name := r.place().Shallow()
	_, files, _, err := index.ReadShallow(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Usagef("index: none in %s; build it with: topo index", r.cache)
	} else if err != nil {
		return nil, uncheckable(err)
	}
	fine = append(fine, CheckedIndex{Path: name, Files: len(files)})
	name = r.place().Deep()
	x, err := index.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fine, nil
	} else if err != nil {
		return fine, uncheckable(err)
	}
	defer x.Close()
	if err := x.Check(); err != nil {
		return fine, damaged(err)
	}
	return append(fine, CheckedIndex{name, x.NumFiles(), x.NumTerms()}), nil
}

// uncheckable is the failure to open an index that is to be checked: the check
// has failed when it is damaged, and was not made when it cannot be read.
func uncheckable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fault.Environmentf("%w; make it readable, or choose another cache folder with --cache-dir or TOPO_CACHE_DIR", err)
	}
	return damaged(err)
}

func damaged(err error) error { return &damagedError{err} }

type damagedError struct{ error }

func (e *damagedError) Is(target error) bool { return target == ErrDamaged }
func (e *damagedError) Unwrap() error        { return e.error }

// embedFiles brings the vectors of the files up to date.
func (r *Repo) embedFiles(ctx context.Context, files []stream.File) error {
	have := r.services()
	if have.Embedder == nil {
		return fault.Usagef("--embed: no service of embeddings is configured; set OLLAMA_HOST, or OPENAI_API_KEY, or drop the flag")
	}
	corpus, err := r.deepCorpus()
	if err != nil {
		return err
	}
	sp, err := r.openSpace(files)
	if err != nil {
		return err
	}
	defer sp.Close()
	st, err := sp.SyncFiles(ctx, corpus, files)
	if err == nil {
		r.o.Report.note(fmt.Sprintf("%s embedded with %s, %d kept", english.Count(st.Embedded, "text"), have.Embedder.Model(), st.Reused))
	}
	return err
}
