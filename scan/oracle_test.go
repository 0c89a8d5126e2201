package scan

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The names and patterns of the random trees are few and short, so they
// meet often, and hold every character that means something to git.
var (
	oracleNames = []string{"a", "b", "c", "ab", "abc", "a.c", "b.o", "a.b.c", "foo", "Foo", "bar", "foo.bar", "a b", "a ", " b",
		"!a", "#a", "[a]", "a*b", "a?c", `a\b`, "-a", "^", "]", "é", "\xff", "n\nl", "x-y", "z9"}
	oracleParts = []string{"a", "b", "c", "ab", "foo", "bar", ".c", ".o", "*", "*", "*", "?", "**", "/", "/", "/", "**/", "/**", "/*",
		"[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[!]a]", "[a-]", "[-a]", "[[:alpha:]]", "[[:digit:]x]", "[[:upper:]]", "[[:space:]]", "[[:punct:]]",
		"[[:nope:]]", "[[:alpha:]", "[a", "[", "]", `\`, `\*`, `\?`, `\[`, `\a`, `\ `, " ", "  ", "!", "#", "^", "-", "\t", "\r", "é", "\xff", `[\]]`, `[\a-\c]`, "[a-c-z]", "***", "foo/", "/foo", "a/b", "[/]", "[.-0]", "[b-a]"}
)

func oraclePattern(r *rand.Rand) string {
	var b strings.Builder
	switch r.IntN(10) {
	case 0, 1, 2:
		b.WriteByte('!')
	case 3:
		b.WriteByte('/')
	}
	switch r.IntN(5) {
	case 0, 1: // a name that may well exist
		b.WriteString(oracleMutate(r, oracleNames[r.IntN(len(oracleNames))]))
	case 2: // a path that may well exist
		b.WriteString(oracleMutate(r, oracleNames[r.IntN(len(oracleNames))]))
		b.WriteString([]string{"/", "/", "/**/", "**/", "/*/"}[r.IntN(5)])
		b.WriteString(oracleMutate(r, oracleNames[r.IntN(len(oracleNames))]))
	default:
		for range 1 + r.IntN(5) {
			b.WriteString(oracleParts[r.IntN(len(oracleParts))])
		}
	}
	if r.IntN(4) == 0 {
		b.WriteByte('/')
	}
	if r.IntN(8) == 0 {
		b.WriteString([]string{" ", "  ", `\ `, "\t", "\r", "/"}[r.IntN(6)])
	}
	return b.String()
}

// oracleMutate puts wildcards in place of parts of a name.
func oracleMutate(r *rand.Rand, name string) string {
	i := r.IntN(len(name))
	switch r.IntN(8) {
	case 0:
		return name[:i] + "*"
	case 1:
		return "*" + name[i:]
	case 2:
		return name[:i] + "?" + name[i+1:]
	case 3:
		return name[:i] + "[" + name[i:i+1] + "x]" + name[i+1:]
	case 4:
		return name[:i] + "[!q-s]" + name[i+1:]
	case 5:
		return "*"
	}
	return name
}

func oracleIgnoreFile(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(20) == 0 {
		b.WriteString("\xEF\xBB\xBF")
	}
	n := 1 + r.IntN(5)
	for i := range n {
		b.WriteString(oraclePattern(r))
		if i < n-1 || r.IntN(4) > 0 {
			b.WriteString([]string{"\n", "\n", "\n", "\r\n", "\n\n", "\n# c\n"}[r.IntN(6)])
		}
	}
	return b.String()
}

// oracleTree fills dir and returns the folders in it.
func oracleTree(t *testing.T, r *rand.Rand, dir string) []string {
	dirs := []string{""}
	for range 2 + r.IntN(6) {
		parent := dirs[r.IntN(len(dirs))]
		if strings.Count(parent, "/") < 4 {
			d := joinPath(parent, oracleNames[r.IntN(len(oracleNames))])
			if os.MkdirAll(filepath.Join(dir, d), 0o777) == nil && !slices.Contains(dirs, d) {
				dirs = append(dirs, d)
			}
		}
	}
	for range 8 + r.IntN(20) {
		p := filepath.Join(dir, dirs[r.IntN(len(dirs))], oracleNames[r.IntN(len(oracleNames))])
		switch r.IntN(20) {
		case 0:
			_ = os.Symlink([]string{"a", "..", "/nowhere"}[r.IntN(3)], p)
		default:
			_ = os.WriteFile(p, nil, 0o666)
		}
	}
	for range 1 + r.IntN(3) {
		_ = os.WriteFile(filepath.Join(dir, dirs[r.IntN(len(dirs))], ".gitignore"), []byte(oracleIgnoreFile(r)), 0o666)
	}
	if r.IntN(15) == 0 {
		fakeRepo(t, filepath.Join(dir, dirs[r.IntN(len(dirs))]), "")
	}
	return dirs
}

// fakeRepo is git init without the process.
func fakeRepo(t *testing.T, dir, config string) {
	g := filepath.Join(dir, ".git")
	for _, d := range []string{"objects", "refs/heads", "info"} {
		if err := os.MkdirAll(filepath.Join(g, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, g, "HEAD", "ref: refs/heads/main\n")
	write(t, g, "config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"+config)
}

// gitAnswer is what git lists of the working tree, less what is not there.
func gitAnswer(t *testing.T, home, dir string) []string {
	seen := map[string]bool{}
	for _, p := range strings.Split(git(t, home, dir, "ls-files", "-co", "--exclude-standard", "-z"), "\x00") {
		p = strings.TrimSuffix(p, "/")
		if p == "" {
			continue
		}
		if st, err := os.Lstat(filepath.Join(dir, p)); err == nil && (!st.IsDir() || isNested(filepath.Join(dir, p))) {
			seen[p] = true
		}
	}
	list := make([]string, 0, len(seen))
	for p := range seen {
		list = append(list, p)
	}
	slices.Sort(list)
	return list
}

func isNested(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// TestOracleRandomTrees compares with git ls-files on random trees with random
// ignore files in all the places where git looks for them.
func TestOracleRandomTrees(t *testing.T) {
	needGit(t)
	n := 100
	if slow() {
		n = 5000
	}
	left, all := 0, 0
	for i := range n {
		seed := uint64(i)
		if i >= n-20 {
			seed = rand.Uint64()
		}
		l, a := oracleCase(t, seed)
		if t.Failed() {
			return
		}
		left, all = left+l, all+a
	}
	// The trees would prove nothing if their patterns matched too little or
	// too much.
	if share := float64(left) / float64(all); share < 0.2 || share > 0.9 {
		t.Errorf("%d of %d files are left, which tests little", left, all)
	}
	t.Logf("%d trees, %d of %d files left", n, left, all)
}

// oracleCase returns how many files the scan listed and how many there are.
func oracleCase(t *testing.T, seed uint64) (left, all int) {
	r := rand.New(rand.NewPCG(seed, 1))
	base := t.TempDir()
	dir, home := filepath.Join(base, "w"), filepath.Join(base, "h")
	config := ""
	if r.IntN(8) == 0 {
		config = "\tignorecase = true\n"
	}
	if r.IntN(4) == 0 {
		config += "\texcludesFile = ~/mine\n"
		write(t, home, "mine", oracleIgnoreFile(r))
	} else if r.IntN(4) == 0 {
		write(t, home, "xdg/git/ignore", oracleIgnoreFile(r))
	}
	fakeRepo(t, dir, config)
	dirs := oracleTree(t, r, dir)
	if r.IntN(4) == 0 {
		write(t, dir, ".git/info/exclude", oracleIgnoreFile(r))
	}
	// With ignorecase git takes "foo" for tracked when "Foo" is, which makes
	// sense only on a file system that cannot hold both.
	if r.IntN(4) == 0 && !strings.Contains(config, "ignorecase") { // some tracked files, ignored or not
		args := []string{"-c", fmt.Sprintf("index.version=%d", 2+2*r.IntN(2)), "--literal-pathspecs", "add", "-f", "--"}
		for _, p := range allFiles(dir) {
			if r.IntN(3) == 0 {
				args = append(args, p)
			}
		}
		git(t, home, dir, args...)
	}
	root := dir
	if r.IntN(4) == 0 {
		root = filepath.Join(dir, dirs[r.IntN(len(dirs))])
	}
	all = len(allFiles(root))
	want := gitAnswer(t, home, root)
	got := paths(run(t, Options{Root: root, Workers: 2, Getenv: testGetenv(home)}))
	if slices.Equal(got, want) {
		return len(got), all
	}
	if len(want) == 0 && root != dir {
		return 0, 0 // git ignores the root itself; then the scan stands alone
	}
	t.Errorf("seed %d in %q:\nscan lacks %q\nscan has   %q", seed, root[len(dir):], minus(want, got), minus(got, want))
	_ = filepath.WalkDir(base, func(p string, d os.DirEntry, _ error) error {
		if name := filepath.Base(p); name == ".gitignore" || name == "mine" || name == "ignore" || name == "exclude" {
			data, _ := os.ReadFile(p)
			t.Logf("%s: %q", p[len(base):], data)
		}
		return nil
	})
	return 0, 0
}

func allFiles(dir string) (list []string) {
	_ = filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if d.IsDir() && (d.Name() == ".git" || p != dir && isNested(p)) {
			return filepath.SkipDir
		}
		if !d.IsDir() {
			list = append(list, p[len(dir)+1:])
		}
		return nil
	})
	return list
}

func minus(a, b []string) (list []string) {
	for _, s := range a {
		if !slices.Contains(b, s) {
			list = append(list, s)
		}
	}
	return list
}
