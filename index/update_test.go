package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

var words = strings.Fields("evict pod node memory pressure manager HTTPServer readFile update_index größe kubelet x1 config.yaml the of")

// randomText is a source in the language of the file's extension, or near it.
func randomText(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("package p\n\nimport \"m/" + []string{"a", "b", "c"}[r.IntN(3)] + "\"\n")
	for range r.IntN(6) {
		fmt.Fprintf(&b, "// %s %s\nfunc %s%d() { %s }\n", words[r.IntN(len(words))], words[r.IntN(len(words))],
			words[r.IntN(5)], r.IntN(4), words[r.IntN(len(words))])
	}
	if r.IntN(20) == 0 {
		b.WriteString("\x00")
	}
	return b.String()
}

func randomPath(r *rand.Rand) string {
	exts := []string{".go", ".py", ".md", ".txt", "", "_test.go"}
	dirs := []string{"a/", "b/", "c/d/", "", "link/"}
	return dirs[r.IntN(len(dirs))] + string(rune('a'+r.IntN(12))) + exts[r.IntN(len(exts))]
}

// mutate changes a tree in one of the ways in which trees change.
func mutate(r *rand.Rand, t tree, earlier []tree) tree {
	next := maps.Clone(t)
	paths := slices.Sorted(maps.Keys(next))
	pick := func() string { return paths[r.IntN(len(paths))] }
	switch kind := r.IntN(8); {
	case kind == 0 && len(earlier) > 0: // switch back
		return maps.Clone(earlier[r.IntN(len(earlier))])
	case kind == 1 && len(paths) > 0: // rename
		p := pick()
		text := next[p]
		delete(next, p)
		next[randomPath(r)] = text
	case kind == 2 && len(paths) > 0: // copy
		next[randomPath(r)] = next[pick()]
	case kind <= 4 && len(paths) > 0: // delete some
		for range 1 + r.IntN(3) {
			delete(next, pick())
		}
	default: // add or change some
		for range 1 + r.IntN(4) {
			next[randomPath(r)] = randomText(r)
		}
	}
	return next
}

func randomHistory(r *rand.Rand, t tree) []Commit {
	var out []Commit
	for i := range r.IntN(3) {
		c := Commit{ID: fmt.Sprintf("%040x", r.Uint64()), Time: int64(1000 - i), Author: words[r.IntN(3)], Subject: words[r.IntN(9)]}
		for _, p := range slices.Sorted(maps.Keys(t)) {
			if r.IntN(4) == 0 {
				c.Files = append(c.Files, p)
			}
		}
		out = append(out, c)
	}
	return out
}

// TestUpdateEqualsRebuild walks through random changes: the updated index must
// have the bytes of one built from scratch, with whatever number of workers,
// with an evicted-entry cache or without, and with seeds.
func TestUpdateEqualsRebuild(t *testing.T) {
	walks, steps := 8, 20
	if slow() {
		walks, steps = 40, 60
	}
	for seed := range walks {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		dir := t.TempDir()
		path := filepath.Join(dir, "x.deep.idx")
		cur := tree{}
		var earlier []tree
		for step := range steps {
			earlier = append(earlier, cur)
			cur = mutate(r, cur, earlier)
			in := cur.input()
			in.Links, in.LinksVersion = linkByName, 1
			in.Graph, in.GraphVersion = graphOfAll, 1
			in.History = randomHistory(r, cur)
			in.Workers = 1 + r.IntN(4)
			if r.IntN(5) == 0 {
				os.Remove(evictedPath(path))
			}
			if r.IntN(5) == 0 {
				in.Seed = []string{filepath.Join(dir, "seed.deep.idx"), filepath.Join(dir, "none")}
			}
			got := updated(t, path, in)
			in.Workers, in.Seed, in.Force = 1, nil, true
			if want := build(t, in); !bytes.Equal(got, want) {
				t.Fatalf("walk %d step %d: updated index differs from a rebuilt one", seed, step)
			}
			if r.IntN(6) == 0 {
				os.WriteFile(filepath.Join(dir, "seed.deep.idx"), got, 0o644)
			}
			if err := open(t, path).Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// counting counts the contents that were read.
type counting struct {
	tree
	reads *int
}

func (c counting) ReadFile(path string, buf []byte) ([]byte, error) {
	*c.reads++
	return c.tree.ReadFile(path, buf)
}

func TestWhatIsReused(t *testing.T) {
	a, in := small()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	step := func(what string, now tree, parsed, removed int, unchanged bool) {
		t.Helper()
		reads := 0
		next := now.input()
		next.Source, next.Workers = counting{now, &reads}, 1
		s, err := Update(t.Context(), path, next)
		if err != nil {
			t.Fatal(what, err)
		}
		if s.Parsed != parsed || s.Removed != removed || s.Unchanged != unchanged || reads != parsed || s.Files != len(now) {
			t.Errorf("%s: %+v with %d reads, want %d parsed, %d removed, unchanged %v", what, s, reads, parsed, removed, unchanged)
		}
	}
	_ = in
	step("build", a, 9, 0, false) // 12 files: a binary, a link, one shared content
	step("again", a, 0, 0, true)
	b := maps.Clone(a)
	delete(b, "README.md")
	step("deletion only", b, 0, 1, false)
	step("deleted file is back", a, 0, 0, false)
	b = maps.Clone(a)
	b["cmd/main.go"] = b["main.go"]
	delete(b, "main.go")
	step("move", b, 0, 1, false)
	c := maps.Clone(a)
	c["main.go"] += "\nfunc New() {}\n"
	c["lib/a.py"] += "\nx = 1\n"
	step("another branch", c, 2, 1, false)
	step("back", a, 0, 0, false)
	step("there again", c, 0, 0, false)
	if x := open(t, path); x.Check() != nil {
		t.Error(x.Check())
	}
	d := maps.Clone(c)
	d["n.go"] = c["main.go"]
	step("copy", d, 0, 0, false)
}

func TestOnlyRoleOrHistoryChanged(t *testing.T) {
	_, in := small()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	first := updated(t, path, in)
	for what, change := range map[string]func(*Input){
		"role":     func(in *Input) { in.Files = slices.Clone(in.Files); in.Files[2].Role = stream.RoleDocs },
		"target":   func(in *Input) { in.Files = slices.Clone(in.Files); in.Files[4].Target = "elsewhere" },
		"head":     func(in *Input) { in.Head = "ff" },
		"history":  func(in *Input) { in.History = in.History[:2] },
		"links":    func(in *Input) { in.Links = nil },
		"linker":   func(in *Input) { in.LinksVersion++ },
		"language": func(in *Input) { in.Files = slices.Clone(in.Files); in.Files[8].Language = "text" },
	} {
		next := in
		change(&next)
		got := updated(t, path, next)
		if bytes.Equal(got, first) {
			t.Errorf("%s: the change was not saved", what)
		}
		if !bytes.Equal(got, build(t, next)) {
			t.Errorf("%s: differs from a rebuilt index", what)
		}
	}
	if got := updated(t, path, in); !bytes.Equal(got, first) {
		t.Error("going back gives other bytes")
	}
}

func TestUnchangedWritesNothing(t *testing.T) {
	_, in := small()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.deep.idx")
	updated(t, path, in)
	before, _ := os.Stat(path)
	os.Remove(path + ".lock")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	s, err := Update(t.Context(), path, in)
	after, _ := os.Stat(path)
	if err != nil || !s.Unchanged || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("%+v %v", s, err)
	}
	if _, err := os.Stat(path + ".lock"); err == nil {
		t.Error("took a lock for nothing")
	}
}

// TestDamagedIndexIsRebuilt damages every page of the old index in turn.
func TestDamagedIndexIsRebuilt(t *testing.T) {
	a, in := small()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	good := updated(t, path, in)
	a["new.go"] = "package main\n"
	next := a.input()
	want := build(t, next)
	for at := 0; at < len(good); at += 37 {
		bad := bytes.Clone(good)
		bad[at] ^= 0x40
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Update(t.Context(), path, next)
		if newer := (*VersionError)(nil); errors.As(err, &newer) {
			continue
		} else if err != nil {
			t.Fatalf("flip at %d: %v", at, err)
		}
		got, _ := os.ReadFile(path)
		if !bytes.Equal(got, want) {
			t.Fatalf("flip at %d of the old index shows in the new one", at)
		}
	}
}

// TestDamagedCacheIsIgnored damages the evicted-entry cache in every place.
func TestDamagedCacheIsIgnored(t *testing.T) {
	a, _ := small()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	want := updated(t, path, a.input())
	b := maps.Clone(a)
	b["main.go"] += "// changed\n"
	delete(b, "README.md")
	old := updated(t, path, b.input())
	cache, err := os.ReadFile(evictedPath(path))
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, at int, cache []byte) {
		t.Helper()
		os.WriteFile(path, old, 0o644)
		os.WriteFile(evictedPath(path), cache, 0o644)
		if got := updated(t, path, a.input()); !bytes.Equal(got, want) {
			t.Fatalf("%s of the cache at %d shows in the index", what, at)
		}
	}
	stride := 5
	if slow() {
		stride = 1
	}
	for at := 0; at < len(cache); at += stride {
		bad := bytes.Clone(cache)
		bad[at] ^= 0x21
		try("flip", at, bad)
	}
	for n := 0; n < len(cache); n += 7 * stride {
		try("truncation", n, cache[:n])
	}
}

func TestEvictedCacheIsBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.parked")
	var valid int64
	var records []evictedEntry
	block := make([]byte, 3<<20)
	for i := range 25 {
		fresh := appendEvicted(nil, key{sha: [32]byte{byte(i)}, lang: "go"}, 1, nil, block)
		if err := writeEvicted(name, valid, records, fresh); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		st, _ := f.Stat()
		records = nil
		valid = scanEvicted(f, st.Size(), func(r evictedEntry) { records = append(records, r) })
		f.Close()
		if st.Size() > evictedLimit || valid != st.Size() || len(records) == 0 {
			t.Fatalf("%d bytes, %d valid, %d records", st.Size(), valid, len(records))
		}
		if last := records[len(records)-1]; last.key.sha[0] != byte(i) {
			t.Fatalf("the newest record is lost")
		}
	}
}

func TestSeed(t *testing.T) {
	a, _ := small()
	dir := t.TempDir()
	updated(t, filepath.Join(dir, "head"), a.input())
	b := maps.Clone(a)
	b["main.go"] += "// older\n"
	delete(b, "lib/a.py")
	in := b.input()
	in.Seed = []string{filepath.Join(dir, "none"), filepath.Join(dir, "head")}
	s, err := Update(context.Background(), filepath.Join(dir, "rev"), in)
	if err != nil || s.Parsed != 1 {
		t.Errorf("%+v %v, want 1 parsed", s, err)
	}
	in.Seed = nil
	got, _ := os.ReadFile(filepath.Join(dir, "rev"))
	if !bytes.Equal(got, build(t, in)) {
		t.Error("a seed shows in the index")
	}
	if _, err := os.Stat(evictedPath(filepath.Join(dir, "rev"))); err == nil {
		t.Error("the seed's entries were evicted")
	}
}
