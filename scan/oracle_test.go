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

// The names and patterns of the random trees are few and short, so that they
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
	switch r.IntN(4) {
	case 0: // a name that may well exist, anchored or not
		b.WriteString(oracleNames[r.IntN(len(oracleNames))])
		if r.IntN(2) == 0 {
			b.WriteString("/" + oracleNames[r.IntN(len(oracleNames))])
		}
		if r.IntN(3) == 0 {
			b.WriteByte('/')
		}
	default:
		for range 1 + r.IntN(5) {
			b.WriteString(oracleParts[r.IntN(len(oracleParts))])
		}
	}
	if r.IntN(8) == 0 {
		b.WriteString([]string{" ", "  ", `\ `, "\t", "\r", "/"}[r.IntN(6)])
	}
	return b.String()
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
	n := 250
	if slow() {
		n = 5000
	}
	for i := range n {
		seed := uint64(i)
		if i >= n-20 {
			seed = rand.Uint64()
		}
		oracleCase(t, seed)
		if t.Failed() {
			return
		}
	}
}

func oracleCase(t *testing.T, seed uint64) {
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
	if r.IntN(4) == 0 { // some tracked files, ignored or not
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
	want := gitAnswer(t, home, root)
	got := paths(run(t, Options{Root: root, Workers: 2, Getenv: testGetenv(home)}))
	if slices.Equal(got, want) {
		return
	}
	if len(want) == 0 && root != dir {
		return // git ignores the root itself; then the scan stands alone
	}
	t.Errorf("seed %d in %q:\nscan lacks %q\nscan has   %q", seed, root[len(dir):], minus(want, got), minus(got, want))
	_ = filepath.WalkDir(base, func(p string, d os.DirEntry, _ error) error {
		if name := filepath.Base(p); name == ".gitignore" || name == "mine" || name == "ignore" || name == "exclude" {
			data, _ := os.ReadFile(p)
			t.Logf("%s: %q", p[len(base):], data)
		}
		return nil
	})
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
