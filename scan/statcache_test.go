package scan

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/stream"
)

// TestStatCacheIsUsed puts a false hash into the cache: it comes back exactly
// when the file was not read.
func TestStatCacheIsUsed(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(t.TempDir(), "stat")
	write(t, dir, "a.go", "package a\n")
	write(t, dir, "b.bin", "\x00")
	o := Options{Root: dir, StatCache: cache}
	first := run(t, o)
	false1 := func(age time.Duration, change func(*cachedStat)) string {
		c := loadStatCache(cache, classifierID())
		if c == nil || len(c.files) != 2 {
			t.Fatalf("cache %+v", c)
		}
		r := c.files["a.go"]
		r.sha = [32]byte{1}
		change(r)
		data := appendStatCache(nil, classifierID(), r.stat.ctime+age.Nanoseconds(), []cachedFile{{"a.go", *r}, {"b.bin", *c.files["b.bin"]}})
		if err := os.WriteFile(cache, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return run(t, o).Files[0].Sha256
	}
	real := first.Files[0].Sha256
	if got := false1(time.Hour, func(*cachedStat) {}); !strings.HasPrefix(got, "0100") {
		t.Errorf("an unchanged file was read: %s", got)
	}
	if got := false1(0, func(*cachedStat) {}); got != real {
		t.Errorf("a suspect entry was believed: %s", got)
	}
	for name, change := range map[string]func(*cachedStat){
		"size":  func(r *cachedStat) { r.stat.size++ },
		"mtime": func(r *cachedStat) { r.stat.mtime-- },
		"ctime": func(r *cachedStat) { r.stat.ctime++ },
		"inode": func(r *cachedStat) { r.stat.inode++ },
		"mode":  func(r *cachedStat) { r.stat.mode ^= 1 },
	} {
		if got := false1(time.Hour, change); got != real {
			t.Errorf("another %s was not noticed", name)
		}
	}
}

// TestStatCacheFollowsTheTree changes the tree at random and compares a scan
// with the cache to one without.
func TestStatCacheFollowsTheTree(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(t.TempDir(), "stat")
	names := []string{"a.go", "b/c.py", "b/d", "e.h"}
	for i := range 60 {
		name := names[i*7%len(names)]
		switch i % 5 {
		case 0:
			_ = os.Remove(filepath.Join(dir, name))
		case 1:
			write(t, dir, name, "x\x00"+strings.Repeat("y", i%3))
		default:
			write(t, dir, name, "same size "+string(rune('a'+i%26)))
		}
		o := Options{Root: dir, StatCache: cache}
		if i%6 == 5 {
			o.Paths = []string{"."}
			o.Include = []string{"*.go", "b"}
		}
		got := run(t, o)
		o.StatCache = ""
		if want := run(t, o); !slices.EqualFunc(got.Files, want.Files, sameFile) {
			t.Fatalf("step %d: with the cache %+v, without %+v", i, got.Files, want.Files)
		}
	}
}

func sameFile(a, b stream.File) bool {
	return a.Path == b.Path && a.Size == b.Size && a.Sha256 == b.Sha256 && a.Language == b.Language &&
		a.Role == b.Role && a.Skipped == b.Skipped && a.Target == b.Target && a.Tokens == b.Tokens
}

func TestStatCacheDamage(t *testing.T) {
	r := cachedStat{fileStat{size: 3, mtime: 5, ctime: 6, inode: 7, mode: 8}, [32]byte{9}, "go", stream.RoleImpl, ""}
	b := r
	b.language, b.skipped = "", stream.SkipBinary
	files := []cachedFile{{"a", r}, {"b/\xff", b}}
	data := appendStatCache(nil, 42, 1000, files)
	c, err := parseStatCache(data, 42)
	if err != nil || c.time != 1000 || len(c.files) != 2 || *c.files["a"] != r || *c.files["b/\xff"] != b {
		t.Fatalf("round trip: %+v, %v", c, err)
	}
	if _, err := parseStatCache(data, 43); err == nil {
		t.Error("the cache of another classifier is taken")
	}
	for i := range data {
		if _, err := parseStatCache(data[:i], 42); err == nil {
			t.Fatalf("cut at %d is taken", i)
		}
		bad := bytes.Clone(data)
		bad[i] ^= 1
		if _, err := parseStatCache(bad, 42); err == nil {
			t.Fatalf("a flipped bit at %d is taken", i)
		}
	}
}

func TestStatCacheUnwritable(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a", "x")
	if res := run(t, Options{Root: dir, StatCache: filepath.Join(dir, "none", "stat")}); len(res.Files) != 1 {
		t.Errorf("files %q", paths(res))
	}
	// A directory in its place.
	if res := run(t, Options{Root: dir, StatCache: dir}); len(res.Files) != 1 {
		t.Errorf("files %q", paths(res))
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*tmp*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func FuzzStatCache(f *testing.F) {
	r := cachedStat{fileStat{size: 3}, [32]byte{9}, "go", stream.RoleImpl, ""}
	f.Add(appendStatCache(nil, 42, 1000, []cachedFile{{"a", r}})[:])
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = parseStatCache(data, 42)
		// Also behind a checksum that is right.
		if len(data) > 8 {
			_, _ = parseStatCache(sealed(data[:len(data)-8]), 42)
		}
	})
}
