package score

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/stream"
)

// goTree is n small Go files that share words.
func goTree(n int) (tree, []stream.File) {
	t := tree{}
	for i := range n {
		t[fmt.Sprintf("pkg/m%d/file_%d.go", i%7, i)] = fmt.Sprintf(
			"package m%d\n\n// evict%d removes a pod.\nfunc evictPod%d(memory int) int {\n\treturn memory * %d // node pressure %s\n}\n", i%7, i, i, i, strings.Repeat("filler ", i%11))
	}
	t["pkg/cache/cache.go"] = "package cache\n\ntype Cache struct{ pods map[string]int }\n\n// Evict drops the pod under memory pressure.\nfunc (c *Cache) Evict(pod string) { delete(c.pods, pod) }\n"
	files := t.files()
	for i := range files {
		sum := sha256.Sum256([]byte(t[files[i].Path]))
		files[i].Sha256, files[i].Language = hex.EncodeToString(sum[:]), "go"
	}
	return t, files
}

func openDeep(t testing.TB, in index.Input) *Deep {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	if _, err := index.Update(context.Background(), path, in); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return &Deep{Index: x}
}

// An index and a pass without one that parses every file are the same corpus.
func TestDeepEqualsLexical(t *testing.T) {
	tr, files := goTree(60)
	d := openDeep(t, index.Input{Files: files, Source: tr})
	for _, text := range []string{"evict pod", "memory pressure of a node in cache.go", "pkg/m3/file_10.go: evictPod10 fails", "zebra"} {
		q := mustQuery(t, text)
		l, err := NewLexical(context.Background(), files, q, LexicalOptions{Reader: tr, Parse: chunk.Parse, Candidates: len(files)})
		if err != nil {
			t.Fatal(err)
		}
		// A file that holds nothing of the query is no candidate, and its
		// symbols are not counted; that changes averages, never frequencies.
		for _, term := range q.Terms {
			a, b := map[int][3]uint32{}, map[int][3]uint32{}
			if err := d.Each(term.Text, func(id int, tf [3]uint32) { a[id] = tf }); err != nil {
				t.Fatal(err)
			}
			_ = l.Each(term.Text, func(id int, tf [3]uint32) { b[id] = tf })
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s: the index has %v, the pass %v", term.Text, a, b)
			}
		}
		for _, preset := range []string{"balanced", "thorough"} {
			o := Options{Query: q, Preset: preset}
			a, b := mustRank(t, d, files, o), mustRank(t, l, files, o)
			if paths(a[:5]) != paths(b[:5]) {
				t.Errorf("%q, %s: the index ranks %s, the pass %s", text, preset, paths(a[:5]), paths(b[:5]))
			}
		}
	}
}

func TestDeepMatchInAnyOrder(t *testing.T) {
	tr, files := goTree(30)
	d := openDeep(t, index.Input{Files: files, Source: tr})
	ask := []string{files[20].Path, "nope.go", files[3].Path, files[4].Path, "zz/zz.go", files[30].Path, files[0].Path}
	got, err := d.Match(func(i int) string { return ask[i] }, len(ask))
	if want := []int32{20, -1, 3, 4, -1, 30, 0}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Match = %v, %v, want %v", got, err, want)
	}
	p, err := NewPassages(d, mustQuery(t, "evict pod memory pressure"))
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := p.Of(stream.File{Path: "pkg/cache/cache.go", Language: "toy"})
	if err != nil || len(chunks) == 0 || chunks[0].Name != "Cache.Evict" || chunks[0].StartLine != 5 || chunks[0].Signature != "func (c *Cache) Evict(pod string)" {
		t.Errorf("passages %+v, %v", chunks, err)
	}
}

func TestRecency(t *testing.T) {
	tr, files := goTree(20)
	const day = 24 * 3600
	head := int64(2000 * day)
	commit := func(age int64, files ...string) index.Commit {
		return index.Commit{ID: fmt.Sprintf("%040d", age), Time: head - age*day, Subject: "x", Author: "a", Files: files}
	}
	d := openDeep(t, index.Input{Files: files, Source: tr, Head: strings.Repeat("0", 40), History: []index.Commit{
		commit(0, files[1].Path), commit(10, files[1].Path, files[2].Path), commit(90, files[3].Path),
		commit(91, files[4].Path), commit(400, files[1].Path, files[5].Path),
	}})
	for id, want := range []int{0, 2, 1, 1, 0, 0} {
		if got, err := d.RecentCommits(id, RecencyWindow); err != nil || got != want {
			t.Errorf("%s: %d recent commits, %v, want %d", files[id].Path, got, err, want)
		}
	}
	if got, _ := d.RecentCommits(5, 500*day); got != 1 {
		t.Errorf("another window finds %d commits, want 1", got)
	}
	out := mustRank(t, d, files, Options{Query: mustQuery(t, "evict pod"), Preset: "deep", Fusion: FusionRRF})
	for _, f := range out {
		if want := map[string]float64{files[1].Path: 2, files[2].Path: 1, files[3].Path: 1}[f.Path]; f.Signals[SignalGitRecency] != want {
			t.Errorf("%s has recency %v, want %v", f.Path, f.Signals[SignalGitRecency], want)
		}
	}
	empty := openDeep(t, index.Input{Files: files, Source: tr})
	if got, err := empty.RecentCommits(1, RecencyWindow); got != 0 || err != nil {
		t.Errorf("without history %d commits, %v", got, err)
	}
}

func BenchmarkDeepRank(b *testing.B) {
	tr, files := goTree(8000)
	d := openDeep(b, index.Input{Files: files, Source: tr})
	for name, text := range map[string]string{"ten": "evict pods under node memory pressure of cache by removes filler", "long": bugReport(3000)} {
		q := mustQuery(b, text)
		for _, preset := range []string{"balanced", "thorough"} {
			b.Run(name+"/"+preset, func(b *testing.B) {
				for b.Loop() {
					if _, err := Rank(context.Background(), d, files, Options{Query: q, Preset: preset}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
