package scan

// level is what holds in one folder: the rules that have gathered on the way
// to it.
type level struct {
	git  *rules // .gitignore and what git adds to it
	topo *rules // .topoignore; goes first and also holds for tracked files
	out  bool   // the folder is left out
	inc  bool   // an Include pattern matched it or a folder above
}

// filter applies what is not git's: .topoignore, Include and Exclude. Paths are
// full, that is relative to the top of the working tree.
type filter struct {
	off              int // where paths relative to the root start in a full path
	include, exclude *ruleList
}

// excluded decides on an entry without git's rules; decided means that those
// do not apply.
func (f *filter) excluded(lv *level, full string, name int, dir bool) (out, decided bool) {
	if f.exclude != nil && f.exclude.match(full[f.off:], name-f.off, dir) == ignored {
		return true, true
	}
	if lv.topo != nil {
		v := lv.topo.verdict(full, name, dir)
		return v == ignored, v != noMatch
	}
	return false, false
}

// isIncluded applies Include: the entry's own match counts before that of the
// folders above it.
func (f *filter) isIncluded(lv *level, full string, name int, dir bool) bool {
	if f.include == nil {
		return true
	}
	if v := f.include.match(full[f.off:], name-f.off, dir); v != noMatch {
		return v == ignored
	}
	return lv.inc
}

// levels finds the level of any folder without a walk, for files that are
// known by their path: those of a commit and of git's index. Git's rules have
// no part in it.
type levels struct {
	filter
	prefix string                     // of the root in a full path, with its slash
	load   func(dir string) *ruleList // the .topoignore of a folder relative to the root
	memo   map[string]*level
}

func (l *levels) forDir(dir string) *level {
	if lv, ok := l.memo[dir]; ok {
		return lv
	}
	lv := &level{}
	base := len(l.prefix)
	if dir != "" {
		parent, name := splitPath(dir)
		up := l.forDir(parent)
		*lv = *up
		full := l.prefix + dir
		at := len(full) - len(name)
		out, _ := l.excluded(up, full, at, true)
		lv.out = up.out || out
		lv.inc = l.include != nil && l.isIncluded(up, full, at, true)
		base = len(full) + 1
	}
	if !lv.out {
		lv.topo = lv.topo.push(l.load(dir), base)
	}
	l.memo[dir] = lv
	return lv
}

// admits decides on a file by its path relative to the root. dir is for a
// submodule, which is a directory to the patterns.
func (l *levels) admits(rel string, dir bool) bool {
	parent, name := splitPath(rel)
	lv := l.forDir(parent)
	if lv.out {
		return false
	}
	full := l.prefix + rel
	at := len(full) - len(name)
	out, _ := l.excluded(lv, full, at, dir)
	return !out && l.isIncluded(lv, full, at, dir)
}
