package scan

import (
	"os"
	"path/filepath"
	"strings"
)

// gitRepo is where the parts of a repository are, found without running git.
type gitRepo struct {
	top       string // of the working tree; empty for a bare repository
	gitDir    string
	commonDir string
	prefix    string // of the root inside top
}

// discover finds the repository that root, absolute and resolved, belongs to.
func discover(root string) (gitRepo, bool) {
	if isGitDir(root) {
		return gitRepo{gitDir: root, commonDir: commonDir(root)}, true
	}
	for dir := root; ; {
		if g, ok := gitDirOf(dir); ok {
			rel, err := filepath.Rel(dir, root)
			if err != nil {
				return gitRepo{}, false
			}
			if rel == "." {
				rel = ""
			}
			return gitRepo{dir, g, commonDir(g), filepath.ToSlash(rel)}, true
		}
		parent := filepath.Dir(dir)
		if parent == dir || !sameDevice(dir, parent) {
			return gitRepo{}, false
		}
		dir = parent
	}
}

// gitDirOf is the repository of the working tree whose top is dir: .git is the
// repository, or a file that names it (a linked worktree, a submodule).
func gitDirOf(dir string) (string, bool) {
	p := filepath.Join(dir, ".git")
	st, err := os.Stat(p)
	if err != nil {
		return "", false
	}
	if st.IsDir() {
		return p, isGitDir(p)
	}
	data, err := readBounded(p, 64<<10)
	if err != nil {
		return "", false
	}
	target, ok := strings.CutPrefix(string(data), "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	if !ok || target == "" {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return target, isGitDir(target)
}

// isGitDir applies git's own test: a HEAD that is a reference or an id, and the
// directories for objects and references, here or in the common directory.
func isGitDir(dir string) bool {
	if !validHead(filepath.Join(dir, "HEAD")) {
		return false
	}
	common := commonDir(dir)
	return isDir(filepath.Join(common, "objects")) && isDir(filepath.Join(common, "refs"))
}

func validHead(name string) bool {
	if target, err := os.Readlink(name); err == nil {
		return strings.HasPrefix(target, "refs/")
	}
	data, err := readBounded(name, 64<<10)
	if err != nil {
		return false
	}
	if ref, ok := strings.CutPrefix(string(data), "ref:"); ok {
		return strings.HasPrefix(strings.TrimLeft(ref, " \t\r\n"), "refs/")
	}
	n := 0
	for n < len(data) && isHex(data[n]) {
		n++
	}
	return n >= 40
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func isDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

// commonDir is the directory that the worktrees of one repository share.
func commonDir(gitDir string) string {
	data, err := readBounded(filepath.Join(gitDir, "commondir"), 64<<10)
	if err != nil {
		return gitDir
	}
	p := strings.TrimRight(string(data), "\r\n")
	if !filepath.IsAbs(p) {
		p = filepath.Join(gitDir, p)
	}
	return filepath.Clean(p)
}

// head is the commit that is checked out, or empty.
func (g gitRepo) head() string {
	name := "HEAD"
	for range 5 { // git's own limit on references to references
		id, next := g.readRef(name)
		if next == "" {
			return id
		}
		name = next
	}
	return ""
}

// readRef reads a reference: an id, or the name of another reference.
func (g gitRepo) readRef(name string) (id, next string) {
	if strings.Contains(name, "..") || filepath.IsAbs(name) {
		return "", ""
	}
	for _, dir := range []string{g.gitDir, g.commonDir} {
		data, err := readBounded(filepath.Join(dir, filepath.FromSlash(name)), 64<<10)
		if err != nil {
			continue
		}
		text := strings.TrimSpace(string(data))
		if ref, ok := strings.CutPrefix(text, "ref:"); ok {
			return "", strings.TrimSpace(ref)
		}
		if isID(text) {
			return text, ""
		}
	}
	return g.packedRef(name), ""
}

func (g gitRepo) packedRef(name string) string {
	data, err := readBounded(filepath.Join(g.commonDir, "packed-refs"), 256<<20)
	if err != nil {
		return ""
	}
	for len(data) > 0 {
		line, rest := cutLine(data)
		data = rest
		id, ref, ok := strings.Cut(string(line), " ")
		if ok && ref == name && isID(id) {
			return id
		}
	}
	return ""
}

func cutLine(data []byte) (line, rest []byte) {
	for i, c := range data {
		if c == '\n' {
			return data[:i], data[i+1:]
		}
	}
	return data, nil
}

func isID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if !isHex(s[i]) {
			return false
		}
	}
	return true
}

func (g gitRepo) config() []setting {
	data, err := readBounded(filepath.Join(g.commonDir, "config"), maxConfig)
	if err != nil {
		return nil
	}
	return parseConfig(data)
}

// partial reports whether this clone may lack objects.
func (g gitRepo) partial() bool {
	for _, s := range g.config() {
		if s.key == "extensions.partialclone" || strings.HasPrefix(s.key, "remote.") && strings.HasSuffix(s.key, ".promisor") {
			return true
		}
	}
	return false
}

func (g gitRepo) reftable() bool {
	return strings.EqualFold(lastValue(g.config(), "extensions.refstorage"), "reftable")
}
