package scan

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

func TestFileFacts(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, outside, "secret", "secret")
	write(t, dir, "main.go", "package main\n")
	write(t, dir, "main_test.go", "package main\n")
	write(t, dir, "image", "GIF\x00")
	write(t, dir, "late", strings.Repeat("x", 9000)+"\x00")
	write(t, dir, "big.go", strings.Repeat("x", 20000))
	write(t, dir, "empty", "")
	write(t, dir, ".git/config", "no repository")
	write(t, dir, "sub/.topo-cache/x", "cache")
	_ = os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "out"))
	_ = os.Symlink(outside, filepath.Join(dir, "outdir"))
	res := run(t, Options{Root: dir, MaxFileSize: 10000})
	byPath := map[string]stream.File{}
	for _, f := range res.Files {
		byPath[f.Path] = f
	}
	if got, want := paths(res), []string{"big.go", "empty", "image", "late", "main.go", "main_test.go", "out", "outdir"}; !slices.Equal(got, want) {
		t.Fatalf("files %q, want %q", got, want)
	}
	f := byPath["main.go"]
	if f.Language != "go" || f.Role != stream.RoleImpl || f.Size != 13 || f.Tokens != 4 || len(f.Sha256) != 64 {
		t.Errorf("%+v", f)
	}
	if byPath["main_test.go"].Role != stream.RoleTest || byPath["empty"].Sha256 != "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("%+v", res.Files)
	}
	for path, why := range map[string]string{"image": stream.SkipBinary, "big.go": stream.SkipLarge, "out": stream.SkipSymlink, "outdir": stream.SkipSymlink, "late": ""} {
		if f := byPath[path]; f.Skipped != why || (why != "") != (f.Sha256 == "") {
			t.Errorf("%+v, want skipped %q", f, why)
		}
	}
	if byPath["outdir"].Target != outside || byPath["big.go"].Language != "go" {
		t.Errorf("%+v", res.Files)
	}
	if len(res.Problems) != 2 || res.Problems[0].Path != "big.go" || res.Problems[1].Why != stream.SkipBinary {
		t.Errorf("problems %+v", res.Problems)
	}
}

func TestNamesOnly(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.go", "package a\n")
	write(t, dir, "bin", "\x00")
	write(t, dir, "big", strings.Repeat("x", 200))
	write(t, dir, "ignored", "x")
	write(t, dir, ".gitignore", "ignored\n")
	cache := filepath.Join(t.TempDir(), "stat")
	o := Options{Root: dir, MaxFileSize: 100, StatCache: cache}
	all := paths(run(t, o))
	_ = os.Remove(cache)
	o.NamesOnly = true
	res := run(t, o)
	if !slices.Equal(paths(res), all) {
		t.Errorf("files %q, want %q", paths(res), all)
	}
	for _, f := range res.Files {
		if f.Sha256 != "" || f.Language != "" && f.Skipped == "" || (f.Path == "big") != (f.Skipped == stream.SkipLarge) {
			t.Errorf("%+v", f)
		}
	}
	if _, err := os.Stat(cache); err == nil {
		t.Error("a scan that reads nothing wrote the stat cache")
	}
}

func TestOddNames(t *testing.T) {
	dir := t.TempDir()
	want := []string{" ", "\n", "\xff\xfe", "a\tb", "a b", "é", "-rf", "\"", `\`, strings.Repeat("n", 255)}
	for _, n := range want {
		write(t, dir, n, n)
	}
	slices.Sort(want)
	if got := paths(run(t, Options{Root: dir})); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSameForAnyWorkers includes a folder large enough to be shared out.
func TestSameForAnyWorkers(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 * batch {
		write(t, dir, "flat/"+strconv.Itoa(i)+".go", strconv.Itoa(i))
		write(t, dir, strconv.Itoa(i%7)+"/"+strconv.Itoa(i%31)+"/x"+strconv.Itoa(i)+".c", "x")
	}
	calls, last := 0, 0
	one := run(t, Options{Root: dir, Workers: 1, Progress: func(n int) { calls, last = calls+1, n }})
	if len(one.Files) != 6*batch || calls < 2 || last != len(one.Files) {
		t.Errorf("%d files, progress told %d times, last %d", len(one.Files), calls, last)
	}
	for _, n := range []int{2, 16} {
		if many := run(t, Options{Root: dir, Workers: n}); !slices.EqualFunc(one.Files, many.Files, sameFile) {
			t.Errorf("%d workers find something else", n)
		}
	}
}

func TestFilters(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a.go", "a.py", "src/b.go", "src/gen/c.go", "src/gen/d.py", "docs/e.md", "vendor/v/f.go", "log/g.log"} {
		write(t, dir, f, f)
	}
	write(t, dir, ".gitignore", "*.log\nvendor/\n")
	write(t, dir, ".topoignore", "!vendor/\n/src/gen/*.py\n.*ignore\n")
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "a.go a.py docs/e.md src/b.go src/gen/c.go vendor/v/f.go"},
		{Options{Include: []string{"*.go"}}, "a.go src/b.go src/gen/c.go vendor/v/f.go"},
		{Options{Include: []string{"src/"}}, "src/b.go src/gen/c.go"},
		{Options{Include: []string{"src/", "!src/gen/"}}, "src/b.go"},
		{Options{Include: []string{"src/**/*.go", "/docs"}}, "docs/e.md src/b.go src/gen/c.go"},
		{Options{Exclude: []string{"src", "*.md"}}, "a.go a.py vendor/v/f.go"},
		{Options{Include: []string{"*.go"}, Exclude: []string{"/a.*"}}, "src/b.go src/gen/c.go vendor/v/f.go"},
		{Options{Include: []string{"*.log"}}, ""},
		{Options{Paths: []string{"src", "docs/e.md"}}, "docs/e.md src/b.go src/gen/c.go"},
		{Options{Paths: []string{"./src/gen/", filepath.Join(dir, "a.go")}}, "a.go src/gen/c.go"},
		{Options{Paths: []string{"log"}}, ""},
		{Options{Paths: []string{"log", "."}}, "a.go a.py docs/e.md src/b.go src/gen/c.go vendor/v/f.go"},
	} {
		c.o.Root = dir
		if got := strings.Join(paths(run(t, c.o)), " "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
	}
}

func TestRootErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "file", "x")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		o    Options
		want error
	}{
		{context.Background(), Options{Root: filepath.Join(dir, "none")}, ErrNoRoot},
		{context.Background(), Options{Root: filepath.Join(dir, "file")}, ErrRootIsFile},
		{context.Background(), Options{Root: dir, Paths: []string{"../x"}}, ErrOutside},
		{context.Background(), Options{Root: dir, Paths: []string{"/"}}, ErrOutside},
		{context.Background(), Options{Root: dir, Paths: []string{"none"}}, ErrNoPath},
		{context.Background(), Options{Root: dir, Paths: []string{"file/x"}}, ErrNoPath},
		{cancelled, Options{Root: dir}, context.Canceled},
	} {
		if _, err := Run(c.ctx, c.o); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.o, err, c.want)
		} else if e := (*Error)(nil); c.want != context.Canceled && (!errors.As(err, &e) || !e.Usage() || e.Advice == "" || !strings.Contains(err.Error(), e.Where)) {
			t.Errorf("%v says too little", err)
		}
	}
	if res := run(t, Options{Root: t.TempDir()}); len(res.Files) != 0 {
		t.Errorf("an empty root has %q", paths(res))
	}
}

func TestUnreadable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("permissions do not bind this user; run the tests as another one")
	}
	dir := t.TempDir()
	write(t, dir, "a", "x")
	write(t, dir, "d/b", "x")
	_ = os.Chmod(filepath.Join(dir, "a"), 0)
	_ = os.Chmod(filepath.Join(dir, "d"), 0)
	defer os.Chmod(filepath.Join(dir, "d"), 0o700)
	res := run(t, Options{Root: dir})
	if len(res.Files) != 1 || res.Files[0].Skipped != stream.SkipUnreadable || len(res.Problems) != 2 {
		t.Errorf("%+v %+v", res.Files, res.Problems)
	}
}

func TestSourceOfTree(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, dir, "a/b", "content")
	write(t, dir, "big", strings.Repeat("x", 100))
	write(t, outside, "secret", "secret")
	_ = os.Symlink(outside, filepath.Join(dir, "out"))
	_ = os.Symlink("a/b", filepath.Join(dir, "link"))
	src, err := OpenSource(context.Background(), dir, "", 50)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	buf := make([]byte, 3, 64)
	if got, err := src.ReadFile("a/b", buf); string(got) != "content" || err != nil || &got[0] != &buf[0] {
		t.Errorf("%q, %v", got, err)
	}
	for path, want := range map[string]error{"big": ErrTooLarge, "link": ErrNotRegular, "a": ErrNotRegular,
		"../x": ErrOutside, "/etc/passwd": ErrOutside, "": ErrOutside, "none": os.ErrNotExist, "a/b/c": nil, "out/secret": nil} {
		got, err := src.ReadFile(path, nil)
		if err == nil || len(got) != 0 || want != nil && !errors.Is(err, want) {
			t.Errorf("%q: %q, %v, want %v", path, got, err, want)
		}
	}
}

func TestSourceOfRev(t *testing.T) {
	_, dir := revRepo(t)
	src, err := OpenSource(context.Background(), dir, "HEAD", 4000)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for range 4 {
		go func() {
			var buf []byte
			for range 20 {
				var err error
				if buf, err = src.ReadFile("new\nline \xff", buf); err != nil || string(buf) != "odd name" {
					done <- errors.Join(err, errors.New("got "+string(buf)))
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for path, want := range map[string]error{"big": ErrTooLarge, "link": ErrNotRegular, "module": ErrNotRegular, "old.go": os.ErrNotExist} {
		if _, err := src.ReadFile(path, nil); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", path, err, want)
		}
	}
	if err := src.Close(); err != nil {
		t.Error(err)
	}
	if _, err := src.ReadFile("sub/x.go", nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after closing: %v", err)
	}
}
