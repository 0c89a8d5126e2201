package scan

import (
	"os"
	"path/filepath"
	"strings"
)

// settings reads the git settings that hold in the repository, weakest first:
// the system's, the user's, the repository's, the worktree's.
func (g gitRepo) settings(getenv func(string) string) []setting {
	r := settingsReader{git: g, home: getenv("HOME")}
	if v := getenv("GIT_CONFIG_NOSYSTEM"); v == "" || v == "0" || v == "false" {
		r.file(orElse(getenv("GIT_CONFIG_SYSTEM"), "/etc/gitconfig"), 0)
	}
	if name := getenv("GIT_CONFIG_GLOBAL"); name != "" {
		r.file(name, 0)
	} else {
		if dir := xdgConfig(getenv); dir != "" {
			r.file(filepath.Join(dir, "git", "config"), 0)
		}
		if r.home != "" {
			r.file(filepath.Join(r.home, ".gitconfig"), 0)
		}
	}
	r.file(filepath.Join(g.commonDir, "config"), 0)
	if on(lastValue(r.all, "extensions.worktreeconfig")) {
		r.file(filepath.Join(g.gitDir, "config.worktree"), 0)
	}
	return r.all
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// on reads a boolean setting.
func on(v string) bool {
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

func xdgConfig(getenv func(string) string) string {
	if dir := getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".config")
	}
	return ""
}

type settingsReader struct {
	git  gitRepo
	home string
	all  []setting
}

// file adds the settings of a file and of those it includes, to git's own
// depth of ten.
func (r *settingsReader) file(name string, depth int) {
	const maxDepth, maxSettings = 10, 1 << 17
	data, err := readBounded(name, maxConfig)
	if err != nil || depth > maxDepth {
		return
	}
	for _, s := range parseConfig(data) {
		if len(r.all) >= maxSettings {
			return
		}
		r.all = append(r.all, s)
		if s.key == "include.path" || r.includes(s.key, filepath.Dir(name)) {
			if p := r.expand(s.value, filepath.Dir(name)); p != "" {
				r.file(p, depth+1)
			}
		}
	}
}

// includes decides on includeIf.gitdir:PATTERN.path; other conditions do not
// hold.
func (r *settingsReader) includes(key, dir string) bool {
	cond, ok := strings.CutPrefix(key, "includeif.")
	if !ok {
		return false
	}
	if cond, ok = strings.CutSuffix(cond, ".path"); !ok {
		return false
	}
	pattern, fold := strings.CutPrefix(cond, "gitdir/i:")
	if !fold {
		if pattern, ok = strings.CutPrefix(cond, "gitdir:"); !ok {
			return false
		}
	}
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		pattern = filepath.Join(dir, ".") + "/" + rest
	} else if p := r.expand(pattern, ""); p != "" {
		pattern = p
	}
	if !strings.HasPrefix(pattern, "/") {
		pattern = "**/" + pattern
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	g := compileGlob(pattern, fold)
	return g.match(r.git.gitDir, fold) || g.match(r.git.gitDir+"/", fold)
}

// expand makes a path of a setting absolute; empty when it cannot.
func (r *settingsReader) expand(p, dir string) string {
	if rest, ok := strings.CutPrefix(p, "~/"); ok {
		if r.home == "" {
			return ""
		}
		return strings.TrimSuffix(r.home, "/") + "/" + rest
	}
	if p == "" || p[0] == '~' {
		return ""
	}
	if filepath.IsAbs(p) || dir == "" {
		return p
	}
	return filepath.Join(dir, p)
}

// excludesFile is the user's own ignore file, or empty.
func (g gitRepo) excludesFile(all []setting, getenv func(string) string) string {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].key == "core.excludesfile" {
			r := settingsReader{home: getenv("HOME")}
			return r.expand(all[i].value, g.top)
		}
	}
	if dir := xdgConfig(getenv); dir != "" {
		return filepath.Join(dir, "git", "ignore")
	}
	return ""
}

// ignoreBase is the part of git's rules that does not lie in the folders to be
// walked: the user's file, info/exclude, and the .gitignore files above the
// root. The second result says that one of them ignores the root itself.
func (g gitRepo) ignoreBase(all []setting, getenv func(string) string, fold bool) (r *rules, rootIgnored bool, problems []Problem) {
	load := func(name string, follow bool, base int) {
		if st, err := os.Lstat(name); err != nil || !follow && !st.Mode().IsRegular() {
			return
		}
		data, err := readBounded(name, maxIgnoreFile)
		if err != nil {
			problems = append(problems, unreadable(filepath.Base(name), err))
		}
		r = r.push(parseIgnore(data, fold), base)
	}
	if name := g.excludesFile(all, getenv); name != "" {
		load(name, true, 0)
	}
	load(filepath.Join(g.commonDir, "info", "exclude"), true, 0)
	for at := 0; g.prefix != ""; {
		load(filepath.Join(g.top, filepath.FromSlash(g.prefix[:at]), ".gitignore"), false, at)
		end := strings.IndexByte(g.prefix[at:], '/')
		last := end < 0
		if last {
			end = len(g.prefix) - at
		}
		rootIgnored = rootIgnored || r.verdict(g.prefix[:at+end], at, true) == ignored
		if last {
			break
		}
		at += end + 1
	}
	return r, rootIgnored, problems
}
