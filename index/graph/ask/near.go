package ask

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// NearMost is how many near matches are named at most.
const NearMost = 5

// Nearest are the names most like name: first those that hold it or are held
// by it, then those that a few typing mistakes lead to. Names are compared by
// their last parts as well, without regard to case.
func Nearest(name string, names iter.Seq[string]) []string {
	type match struct {
		name string
		far  int
	}
	want := strings.ToLower(name)
	last := want[strings.LastIndexAny(want, "./:")+1:]
	most := max(1, len([]rune(last))/3)
	var found []match
	seen := map[string]bool{}
	for n := range names {
		have := strings.ToLower(n)
		tail := have[strings.LastIndexAny(have, "./:")+1:]
		if seen[n] || last == "" || len(tail) > len(last)+2*most && !strings.Contains(tail, last) {
			continue
		}
		far := distance(last, tail, most)
		switch {
		case far <= most:
		case len(last) >= 3 && strings.Contains(tail, last):
			far = most + len(tail) - len(last)
		default:
			continue
		}
		if have != want && last != want { // the parts before the last count a little
			far = 4*far + min(3, distance(want, have, 3))
		} else {
			far *= 4
		}
		seen[n] = true
		found = append(found, match{n, far})
	}
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, m := range found[:min(NearMost, len(found))] {
		out = append(out, m.name)
	}
	return out
}

// distance is the number of insertions, deletions, replacements and swaps of
// neighbours between two words, or more than most when it is more than most.
func distance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > most || -d > most || len(x) > 128 || len(y) > 128 {
		return most + 1
	}
	var rows [3][130]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(y) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
