package scan

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/topo-dev/topo/stream"
)

// walker walks the tree with several workers.
type walker struct {
	filter
	root   string
	sc     scope
	prefix string // of the root in a full path, with its slash
	fold   bool
	index  *gitIndex // nil outside git
	reader *reader
	tree   *tree
	jobs   *queue[job]
}

// job is a folder to list, or a part of one folder's files.
type job struct {
	dir   string
	lv    level
	names []string // files of dir to look at; nil means list dir
}

// batch is how many files of one folder are left to the worker that listed it.
// More go to whoever is free, so one large folder keeps all busy.
const batch = 128

// entry is one entry of the current folder.
type entry struct {
	name string
	typ  fileType
}

// run walks the folders below first with n workers and returns what each found.
func (w *walker) run(ctx context.Context, first level, n int) ([]found, []Problem) {
	w.jobs = newQueue(job{lv: first})
	defer context.AfterFunc(ctx, w.jobs.stop)()
	workers := make([]worker, n)
	var wg sync.WaitGroup
	for i := range workers {
		workers[i] = worker{walker: w, collector: collector{reader: w.reader}, dirents: make([]byte, 32<<10)}
		wg.Go(workers[i].loop)
	}
	wg.Wait()
	var files []found
	var problems []Problem
	for i := range workers {
		files = append(files, workers[i].files...)
		problems = append(problems, workers[i].problems...)
	}
	return files, problems
}

// worker is one of the goroutines of a walker.
type worker struct {
	*walker
	collector
	dirents []byte
	entries []entry
}

func (w *worker) loop() {
	for {
		j, ok := w.jobs.next()
		if !ok {
			return
		}
		w.visit(j)
		w.jobs.done()
	}
}

func (w *worker) visit(j job) {
	d, err := w.tree.open(j.dir)
	if err != nil {
		// Gone, or replaced by a link or a file since it was listed.
		if !errors.Is(err, fs.ErrNotExist) && errors.Is(err, fs.ErrPermission) {
			w.problems = append(w.problems, unreadable(orElse(j.dir, "."), err))
		}
		return
	}
	defer d.close()
	if j.names == nil {
		w.list(d, &j)
	}
	for _, name := range j.names {
		if w.jobs.isStopped() {
			return
		}
		w.regular(d, joinPath(j.dir, name), name)
	}
}

// list reads a folder, adds the folders in it to the queue and leaves its
// regular files in j.names.
func (w *worker) list(d folder, j *job) {
	w.entries = w.entries[:0]
	var git, gitignore, topoignore bool
	err := d.list(w.dirents, func(name []byte, typ fileType) {
		switch string(name) {
		case ".git":
			git = true
			return
		case ".topo-cache":
			return
		case ".gitignore":
			gitignore = typ != typeLink // git does not follow one either
		case ".topoignore":
			topoignore = typ != typeLink
		}
		w.entries = append(w.entries, entry{string(name), typ})
	})
	if err != nil {
		w.problems = append(w.problems, unreadable(orElse(j.dir, "."), err))
	}
	if git && j.dir != "" && w.nested(j.dir) {
		w.submodule(j.dir)
		return
	}
	base := len(w.prefix)
	if j.dir != "" {
		base += len(j.dir) + 1
	}
	if gitignore {
		j.lv.git = j.lv.git.push(w.rules(d, j.dir, ".gitignore"), base)
	}
	if topoignore {
		j.lv.topo = j.lv.topo.push(w.rules(d, j.dir, ".topoignore"), base)
	}
	var dirs []job
	for _, e := range w.entries {
		dirs = w.entry(d, j, e, dirs)
	}
	w.jobs.add(dirs...)
	for len(j.names) > batch {
		rest := len(j.names) - batch
		w.jobs.add(job{dir: j.dir, names: j.names[rest:]})
		j.names = j.names[:rest]
	}
}

// nested reports whether a folder with a .git entry is another repository,
// which git lists but does not enter. A folder with tracked files is entered.
// Outside git there is nothing to be nested in.
func (w *worker) nested(dir string) bool {
	if w.index == nil || w.index.hasDir(w.prefix+dir) {
		return false
	}
	_, ok := gitDirOf(filepath.Join(w.root, filepath.FromSlash(dir)))
	return ok
}

func (w *worker) rules(d folder, dir, name string) *ruleList {
	data, _, err := d.read(name, nil, maxIgnoreFile)
	if err != nil && !errors.Is(err, ErrNotRegular) {
		w.problems = append(w.problems, unreadable(joinPath(dir, name), err))
	}
	return parseIgnore(data, w.fold)
}

// entry decides on one entry of the folder j and adds it to where it belongs.
func (w *worker) entry(d folder, j *job, e entry, dirs []job) []job {
	if e.typ == typeUnknown {
		st, err := d.stat(e.name)
		if err != nil {
			return dirs
		}
		e.typ = st.typ
	}
	if e.typ == typeOther {
		return dirs
	}
	full := joinPath(j.dir, e.name)
	rel := full
	if w.prefix != "" {
		full = w.prefix + full
		rel = full[len(w.prefix):]
	}
	at := len(full) - len(e.name)
	isDir := e.typ == typeDir
	if isDir && !w.sc.enters(rel) || !isDir && !w.sc.covers(rel) {
		return dirs
	}
	out, decided := w.excluded(&j.lv, full, at, isDir)
	if out || !decided && j.lv.git.verdict(full, at, isDir) == ignored {
		return dirs
	}
	if isDir {
		if w.index.isGitlink(full) {
			return dirs // listed with the tracked files
		}
		lv := j.lv
		lv.inc = w.include != nil && w.isIncluded(&j.lv, full, at, true)
		return append(dirs, job{dir: rel, lv: lv})
	}
	if !w.isIncluded(&j.lv, full, at, false) {
		return dirs
	}
	if e.typ == typeLink {
		w.link(d, rel, e.name)
	} else {
		j.names = append(j.names, e.name)
	}
	return dirs
}

func joinPath(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

func unreadable(path string, err error) Problem {
	return Problem{Path: path, Why: stream.SkipUnreadable, Err: err}
}

// gitIndex is what git tracks.
type gitIndex struct {
	files    []tracked // sorted by path
	gitlinks map[string]bool
}

func newGitIndex(files []tracked) *gitIndex {
	x := &gitIndex{files: files}
	for _, f := range files {
		if f.mode&modeType == modeGitlink {
			if x.gitlinks == nil {
				x.gitlinks = map[string]bool{}
			}
			x.gitlinks[f.path] = true
		}
	}
	return x
}

func (x *gitIndex) isGitlink(full string) bool { return x != nil && x.gitlinks[full] }

// below is the part of the index inside a directory.
func (x *gitIndex) below(dir string) []tracked {
	if dir == "" {
		return x.files
	}
	lo := x.search(dir + "/")
	return x.files[lo : lo+x.countPrefix(lo, dir+"/")]
}

func (x *gitIndex) hasDir(full string) bool { return len(x.below(full)) > 0 }

// search is the position of the first path that is not before p.
func (x *gitIndex) search(p string) int {
	lo, hi := 0, len(x.files)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if x.files[mid].path < p {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (x *gitIndex) countPrefix(lo int, prefix string) int {
	n := 0
	for lo+n < len(x.files) && strings.HasPrefix(x.files[lo+n].path, prefix) {
		n++
	}
	return n
}
