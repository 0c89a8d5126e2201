package scan

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/topo-dev/topo/stream"
)

// runTree scans the working tree at root.
func runTree(ctx context.Context, root string, sc scope, o Options) (*Result, error) {
	started := time.Now().UnixNano()
	t, err := openTree(root)
	if err != nil {
		return nil, &Error{Reason: ErrUnreadable, Where: o.Root, Advice: "check its permissions", Err: err}
	}
	defer t.close()
	if err := sc.checkPaths(t); err != nil {
		return nil, err
	}
	rd := &reader{max: o.MaxFileSize, names: o.NamesOnly, progress: o.Progress}
	classifier := uint64(0)
	if o.NamesOnly {
		o.StatCache = "" // there is nothing to learn and nothing to look up
	}
	if o.StatCache != "" {
		classifier = classifierID()
		rd.cache = loadStatCache(o.StatCache, classifier)
	}
	w := &walker{root: root, sc: sc, reader: rd, tree: t}
	first, walk, problems, err := w.rulesOfGit(ctx, o)
	if err != nil {
		return nil, err
	}
	w.filter = filter{len(w.prefix), newRules(o.Include, w.fold), newRules(o.Exclude, w.fold)}
	files, more := w.listFiles(ctx, first, walk, o.Workers)
	problems = append(problems, more...)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.StatCache != "" {
		whole := len(sc) == 0 && w.include == nil && w.exclude == nil
		updateStatCache(o.StatCache, classifier, started, rd.cache, files, whole)
	}
	rd.report()
	return newResult(files, problems), nil
}

// listFiles lists what the walk and git's index find, sorted by path.
func (w *walker) listFiles(ctx context.Context, first level, walk bool, workers int) (files []found, problems []Problem) {
	if walk {
		files, problems = w.run(ctx, first, workers)
	}
	sortFound(files)
	if w.index == nil {
		return files, problems
	}
	c := collector{reader: w.reader}
	w.addTracked(ctx, files, &c)
	if len(c.files) > 0 {
		files = append(files, c.files...)
		sortFound(files)
	}
	return files, append(problems, c.problems...)
}

// checkPaths checks the paths that the caller asked for.
func (sc scope) checkPaths(t *tree) error {
	for _, p := range sc {
		d, name, err := t.parent(p)
		if err == nil {
			_, err = d.stat(name)
			d.close()
		}
		if err != nil {
			return &Error{Reason: ErrNoPath, Where: p, Advice: "give paths below the root", Err: err}
		}
	}
	return nil
}

// rulesOfGit prepares what depends on git: the rules above the root and the
// index. walk is false when git ignores the root itself and only tracked files
// are left to list.
func (w *walker) rulesOfGit(ctx context.Context, o Options) (first level, walk bool, problems []Problem, err error) {
	g, ok := discover(w.root)
	if !ok || g.top == "" {
		return first, true, nil, nil
	}
	settings := g.settings(o.Getenv)
	w.fold = on(lastValue(settings, "core.ignorecase"))
	base, rootIgnored, problems := g.ignoreBase(settings, o.Getenv, w.fold)
	idSize := 20
	if strings.EqualFold(lastValue(g.config(), "extensions.objectformat"), "sha256") {
		idSize = 32
	}
	list, err := g.readIndex(ctx, idSize)
	if err != nil {
		if ctx.Err() != nil {
			return first, false, nil, ctx.Err()
		}
		problems = append(problems, unreadable(".git/index", err))
	}
	index := newGitIndex(list)
	if rootIgnored && !index.hasDir(g.prefix) {
		// The caller asked for this very folder, and its repository knows
		// nothing of it.
		w.fold = false
		return first, true, nil, nil
	}
	w.index = index
	if g.prefix != "" {
		w.prefix = g.prefix + "/"
	}
	first.git = base
	return first, !rootIgnored, problems, nil
}

// readIndex reads what git tracks. It asks git only for a format of the index
// that is rare and not worth a second reader (a split index).
func (g gitRepo) readIndex(ctx context.Context, idSize int) ([]tracked, error) {
	data, err := readBounded(filepath.Join(g.gitDir, "index"), maxGitIndex)
	if err != nil {
		if isNotExist(err) {
			return nil, nil // before the first git add
		}
		return nil, err
	}
	list, err := parseGitIndex(data, idSize)
	if !errors.Is(err, errIndexFormat) {
		return list, err
	}
	out, err := gitOutput(ctx, g.top, "ls-files", "-s", "-z")
	if err != nil {
		return nil, err
	}
	return parseStaged(out)
}

// parseStaged reads "mode id stage\tpath\0" records.
func parseStaged(out []byte) ([]tracked, error) {
	var list []tracked
	for rec := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		meta, path, ok := strings.Cut(rec, "\t")
		mode, err := parseMode(meta)
		if !ok || err != nil {
			return list, errors.New("git ls-files: unexpected record")
		}
		if n := len(list); n > 0 && list[n-1].path == path || !usablePath(path) {
			continue
		}
		list = append(list, tracked{path, mode})
	}
	return list, nil
}

// addTracked adds the tracked files that the walk did not list: those that an
// ignore file matches, and submodules. Tracked files that are gone are not
// part of the tree.
func (w *walker) addTracked(ctx context.Context, files []found, c *collector) {
	lv := levels{filter: w.filter, prefix: w.prefix, load: w.topoignore, memo: map[string]*level{}}
	walked := foldedPaths(files, w.fold)
	i := 0
	for _, e := range w.index.below(strings.TrimSuffix(w.prefix, "/")) {
		if ctx.Err() != nil {
			return
		}
		rel := e.path[len(w.prefix):]
		for i < len(files) && files[i].Path < rel {
			i++
		}
		if i < len(files) && files[i].Path == rel || !w.sc.covers(rel) || walked[strings.ToLower(rel)] {
			continue
		}
		gitlink := e.mode&modeType == modeGitlink
		if !lv.admits(rel, gitlink) {
			continue
		}
		d, name, err := w.tree.parent(rel)
		if err != nil {
			if isPermission(err) {
				c.skipped(rel, fileStat{}, stream.SkipUnreadable, err)
			}
			continue
		}
		if gitlink {
			if st, err := d.stat(name); err == nil && st.typ == typeDir {
				c.submodule(rel)
			}
		} else {
			c.regular(d, rel, name)
		}
		d.close()
	}
}

// foldedPaths is for a file system that ignores case: there a file may be
// tracked under another spelling than the one it was found by.
func foldedPaths(files []found, fold bool) map[string]bool {
	if !fold {
		return nil
	}
	m := make(map[string]bool, len(files))
	for i := range files {
		m[strings.ToLower(files[i].Path)] = true
	}
	return m
}

// topoignore reads the .topoignore of a folder.
func (w *walker) topoignore(dir string) *ruleList {
	d, err := w.tree.open(dir)
	if err != nil {
		return nil
	}
	defer d.close()
	data, _, err := d.read(".topoignore", nil, maxIgnoreFile)
	if err != nil {
		return nil
	}
	return parseIgnore(data, w.fold)
}

func sortFound(files []found) {
	slices.SortFunc(files, func(a, b found) int { return strings.Compare(a.Path, b.Path) })
}

func newResult(files []found, problems []Problem) *Result {
	res := &Result{Files: make([]stream.File, len(files)), Problems: problems}
	for i := range files {
		res.Files[i] = files[i].File
	}
	slices.SortStableFunc(res.Problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	return res
}

// updateStatCache rewrites the cache when this scan has learned something.
// A scan of a part of the tree keeps what was known of the rest.
func updateStatCache(name string, classifier uint64, started int64, old *statCache, files []found, whole bool) {
	var list []cachedFile
	seen, fresh := 0, 0
	for i := range files {
		f := &files[i]
		if !f.keep {
			continue
		}
		seen++
		// A file as young as the scan stays suspect, so reading it again
		// has taught nothing when it was known before.
		if f.fresh && !(isRacy(f.stat, started) && old != nil && old.files[f.Path] != nil &&
			old.files[f.Path].sha == f.sha && old.files[f.Path].stat.same(f.stat)) {
			fresh++
		}
	}
	if old != nil && fresh == 0 && (!whole || seen == len(old.files)) {
		return
	}
	listed := make(map[string]bool, seen)
	for i := range files {
		f := &files[i]
		if f.keep {
			listed[f.Path] = true
			list = append(list, cachedFile{f.Path, cachedStat{f.stat, f.sha, f.Language, f.Role, f.Skipped}})
		}
	}
	if old != nil && !whole {
		for p, r := range old.files {
			// The time of the cache moves on, and with it who is suspect.
			if !listed[p] && !isRacy(r.stat, old.time) {
				list = append(list, cachedFile{p, *r})
			}
		}
		slices.SortFunc(list, func(a, b cachedFile) int { return strings.Compare(a.path, b.path) })
	}
	saveStatCache(name, appendStatCache(nil, classifier, started, list))
}

// same compares what the cache compares.
func (s fileStat) same(t fileStat) bool {
	s.typ, t.typ = 0, 0
	return s == t
}
