package scan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestHistoryFrom grows a history with branches and merges: whatever is known
// of it, the answer is that of asking git for all.
func TestHistoryFrom(t *testing.T) {
	needGit(t)
	home, dir := t.TempDir(), t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	git(t, home, dir, "init", "-q", "-b", "main")
	branches := []string{"main"}
	for n := range 30 {
		name := fmt.Sprintf("f%d", rng.IntN(6))
		write(t, dir, name, fmt.Sprint(n))
		git(t, home, dir, "add", ".")
		git(t, home, dir, "commit", "-qm", fmt.Sprintf("change %d\n\nof %s", n, name))
		switch rng.IntN(4) {
		case 0:
			branches = append(branches, fmt.Sprintf("b%d", n))
			git(t, home, dir, "checkout", "-q", "-b", branches[len(branches)-1])
		case 1:
			git(t, home, dir, "merge", "-q", "-s", "ours", "-m", "merge", branches[rng.IntN(len(branches))])
		case 2:
			git(t, home, dir, "checkout", "-q", branches[rng.IntN(len(branches))])
		}
	}
	var all []Commit
	for _, b := range branches {
		all = append(all, history(t, dir, b, 0)...)
	}
	for _, b := range branches {
		for _, max := range []int{0, 3, 12} {
			want := history(t, dir, b, max)
			for _, share := range []float64{0, 0.5, 0.9, 1} {
				var known []Commit
				for _, c := range all {
					if rng.Float64() < share {
						known = append(known, c)
					}
				}
				rng.Shuffle(len(known), func(i, j int) { known[i], known[j] = known[j], known[i] })
				got, err := HistoryFrom(context.Background(), dir, b, max, known)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, %d at most, %d known:\n%v\nwant\n%v", b, max, len(known), got, want)
				}
			}
		}
	}
}
