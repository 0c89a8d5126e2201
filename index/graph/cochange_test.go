package graph

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/topo-dev/topo/index"
)

// commits makes a history, each word of a line a file: "a.go b.go".
func commits(lists ...[]string) (out []index.Commit) {
	for i, files := range lists {
		out = append(out, index.Commit{ID: fmt.Sprintf("%040x", i), Time: int64(len(lists) - i), Files: files})
	}
	return out
}

// times repeats a commit.
func times(n int, files ...string) (out [][]string) {
	for range n {
		out = append(out, files)
	}
	return out
}

// many are n names of files.
func many(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("m%02d.txt", i))
	}
	return out
}

// cochangesOf are the co-changes of a tree of empty files, as "a b 0.9".
func cochangesOf(t *testing.T, history []index.Commit) (out []string) {
	m := memory{}
	for _, c := range history {
		for _, f := range c.Files {
			m[f] = []byte(f + "\n")
		}
	}
	delete(m, "gone.txt")
	in := m.input()
	in.History = history
	_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), in)
	for id := range g.NumNodes() {
		n, err := g.Node(id)
		if err != nil {
			t.Fatal(err)
		}
		edges, err := g.Out(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edges {
			if e.Kind == EdgeCoChanges {
				other, _ := g.Node(e.Other)
				out = append(out, fmt.Sprintf("%s %s %.1f", n.Name, other.Name, float64(e.Confidence)/100))
			}
		}
	}
	return out
}

func TestCoChanges(t *testing.T) {
	join := slices.Concat[[][]string]
	for name, c := range map[string]struct {
		history [][]string
		want    []string
	}{
		"two commits are chance": {times(2, "a.txt", "b.txt"), nil},
		"three are a habit":      {times(3, "a.txt", "b.txt"), []string{"a.txt b.txt 1.0", "b.txt a.txt 1.0"}},
		"the share decides, each way by itself": {join(times(3, "a.txt", "b.txt"), times(2, "a.txt"), times(20, "b.txt")),
			[]string{"a.txt b.txt 0.6"}},
		"a third is a hint":          {join(times(3, "a.txt", "b.txt"), times(6, "a.txt")), []string{"a.txt b.txt 0.3", "b.txt a.txt 1.0"}},
		"a sweep links nothing":      {times(9, many(31)...), nil},
		"files that are gone":        {times(5, "a.txt", "gone.txt"), nil},
		"a file twice in one commit": {times(5, "a.txt", "a.txt"), nil},
		"large commits count less": {join(times(3, append(many(18), "a.txt", "b.txt")...), times(3, "a.txt"), times(2, "b.txt")),
			[]string{"a.txt b.txt 0.3", "b.txt a.txt 0.3"}},
	} {
		got := cochangesOf(t, commits(c.history...))
		got = slices.DeleteFunc(got, func(s string) bool { return s[0] == 'm' || len(s) > 8 && s[6] == 'm' })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestCoChangesAgainstCounting compares random histories of small commits with
// the plainest way to count.
func TestCoChangesAgainstCounting(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 8))
		var history [][]string
		for range 5 + r.IntN(20) {
			var files []string
			for _, f := range []string{"a.txt", "b.txt", "c.txt", "d.txt"} {
				if r.IntN(3) > 0 {
					files = append(files, f)
				}
			}
			history = append(history, files)
		}
		var want []string
		for _, x := range []string{"a.txt", "b.txt", "c.txt", "d.txt"} {
			for _, y := range []string{"a.txt", "b.txt", "c.txt", "d.txt"} {
				both, all := 0, 0
				for _, files := range history {
					if slices.Contains(files, x) {
						all++
						if slices.Contains(files, y) {
							both++
						}
					}
				}
				for _, tier := range tiers {
					if x != y && both >= minSupport && 100*both >= int(tier)*all {
						want = append(want, fmt.Sprintf("%s %s %.1f", x, y, float64(tier)/100))
						break
					}
				}
			}
		}
		if got := cochangesOf(t, commits(history...)); !slices.Equal(got, want) {
			t.Errorf("seed %d: %q, want %q", seed, got, want)
		}
	}
}

func TestPartnersAreTheSurest(t *testing.T) {
	var history [][]string
	for i, f := range many(14) {
		history = append(history, times(3+i, "a.txt", f)...)
	}
	got := 0
	for _, s := range cochangesOf(t, commits(history...)) {
		if s[0] == 'a' {
			t.Errorf("%s: a.txt changes with none of them in 30 of 100 commits", s)
		}
		got++
	}
	if got != 14 {
		t.Errorf("%d files change with a.txt, want 14", got)
	}
	files := many(25)
	if n := len(cochangesOf(t, commits(times(4, files...)...))); n != 25*maxPartners {
		t.Errorf("%d edges among 25 files that always change together, want %d of each", n, maxPartners)
	}
}

func TestTogether(t *testing.T) {
	m := memory{"a.txt": []byte("a\n"), "b.txt": []byte("b\n")}
	in := m.input()
	in.History = commits(slices.Concat(times(3, "a.txt", "b.txt"), times(2, "a.txt"), times(4, "b.txt"), times(1, "a.txt", "b.txt"))...)
	_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), in)
	a, b := find(t, g, "a.txt").ID, find(t, g, "b.txt").ID
	if both, all, err := g.Together(a, b); both != 4 || all != 6 || err != nil {
		t.Errorf("a with b: %d of %d, %v", both, all, err)
	}
	if both, all, err := g.Together(b, a); both != 4 || all != 8 || err != nil {
		t.Errorf("b with a: %d of %d, %v", both, all, err)
	}
	if _, _, err := g.Together(a, -1); err == nil {
		t.Error("no error for a node that is not there")
	}
}

func TestReasons(t *testing.T) {
	for _, c := range []struct {
		kind EdgeKind
		sure Confidence
		want string
	}{{EdgeCalls, Resolved, "resolved"}, {EdgeCalls, KnownType, "known receiver type"}, {EdgeCalls, Dispatched, "through an interface"},
		{EdgeCalls, NameOnly, "name match only"}, {EdgeInherits, Resolved, "resolved"}, {EdgeInherits, Dispatched, "has its methods"},
		{EdgeCoChanges, Resolved, "changed in the same commits"}} {
		if got := c.kind.Reason(c.sure); got != c.want {
			t.Errorf("%v %d: %q, want %q", c.kind, c.sure, got, c.want)
		}
	}
}
