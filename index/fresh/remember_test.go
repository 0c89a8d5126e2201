package fresh

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/internal/atomicfile"
)

func someCommits(n int) (commits []index.Commit) {
	rng := rand.New(rand.NewPCG(3, 4))
	paths := []string{"a.go", "b/c d.go", "\n", "d/\xff", strings.Repeat("long/", 900)}
	for range n {
		c := index.Commit{ID: strings.Repeat("0123456789abcdef"[rng.IntN(16):][:1], 40), Time: rng.Int64() - rng.Int64(),
			Author: []string{"Ann", "", "Björn"}[rng.IntN(3)], Subject: strings.Repeat("word ", rng.IntN(9))}
		for range rng.IntN(4) {
			c.Files = append(c.Files, paths[rng.IntN(len(paths))])
		}
		commits = append(commits, c)
	}
	return commits
}

func TestRemember(t *testing.T) {
	for _, n := range []int{0, 1, 500} {
		want := someCommits(n)
		name := filepath.Join(t.TempDir(), "x.history.zst")
		if err := atomicfile.Write(name, writeHistory("head", want)); err != nil {
			t.Fatal(err)
		}
		if head, got := readHistory(name); head != "head" || !reflect.DeepEqual(got, want) {
			t.Errorf("%d commits come back as %d of %q", n, len(got), head)
		}
	}
	if head, got := readHistory("missing"); head != "" || got != nil {
		t.Errorf("a file that is not there: %q, %v", head, got)
	}
}

// TestRememberCut: a history that is cut short is none at all.
func TestRememberCut(t *testing.T) {
	var b bytes.Buffer
	if err := writeHistory("head", someCommits(20))(&b); err != nil {
		t.Fatal(err)
	}
	for n := range b.Len() {
		if head, got := parseHistory(bytes.NewReader(b.Bytes()[:n])); head != "" || got != nil {
			t.Fatalf("%d of %d bytes: %q, %d commits", n, b.Len(), head, len(got))
		}
	}
}

func FuzzRemembered(f *testing.F) {
	for _, n := range []int{0, 1, 5} {
		var b bytes.Buffer
		if err := writeHistory("head", someCommits(n))(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		head, commits := parseHistory(bytes.NewReader(data))
		if head == "" {
			return
		}
		var b bytes.Buffer
		if err := writeHistory(head, commits)(&b); err != nil {
			t.Fatal(err)
		}
		if again, same := parseHistory(&b); again != head || !reflect.DeepEqual(same, commits) {
			t.Error("what was read is written as something else")
		}
	})
}
