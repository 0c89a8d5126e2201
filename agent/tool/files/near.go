package files

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Bounds of the search for what was meant. The text that is looked for comes
// from a model and the file from the repository: neither may make it slow.
const (
	maxNearLines  = 100_000 // of the file
	maxNearOld    = 400     // lines of the text that is looked for
	maxVotes      = 2_000_000
	maxNearDiff   = 60  // lines of the answer
	minSimilarity = 0.5 // of the best line, when no line is the same but for whitespace
)

// notFound says where the nearest text is and how it differs.
func notFound(s source, old string) error {
	have := strings.Split(s.text, "\n")
	if len(have) > maxNearLines {
		have = have[:maxNearLines]
	}
	want := strings.Split(strings.TrimSuffix(old, "\n"), "\n")
	if len(want) > maxNearOld {
		want = want[:maxNearOld]
	}
	if n := numbered(want); n {
		return errors.New("old_text is not in the file: it holds the line numbers that read prints; leave them out")
	}
	at, ok := align(have, want)
	if !ok {
		at, ok = mostSimilar(have, want)
	}
	if !ok {
		return errors.New("old_text is not in the file, and nothing like it; read the file again")
	}
	first, last := max(at, 0), min(at+len(want), len(have))
	near := have[first:last]
	if sameButSpace(near, want) {
		return fmt.Errorf("old_text is not in the file; lines %d to %d differ from it in whitespace only (· is a space, → a tab):\n%s",
			first+1, last, spaceDiff(near, want))
	}
	text := udiff.Unified("old_text", "file", strings.Join(want, "\n")+"\n", strings.Join(near, "\n")+"\n")
	_, text, _ = strings.Cut(text, "+++ file\n")
	return fmt.Errorf("old_text is not in the file; the nearest is at lines %d to %d (- is old_text, + is the file):\n%s",
		first+1, last, firstLines(strings.ToValidUTF8(text, "\uFFFD"), maxNearDiff))
}

// numbered reports whether each line begins as read prints it.
func numbered(want []string) bool {
	for _, line := range want {
		n, _, ok := strings.Cut(line, "\t")
		if !ok || n == "" || strings.Trim(n, "0123456789") != "" {
			return false
		}
	}
	return true
}

// align finds the place where most lines are the same but for whitespace: each
// pair of equal lines votes for the place it puts the text at, which may be
// before the beginning of the file. The first of the best counts.
func align(have, want []string) (best int, ok bool) {
	at := map[string][]int{}
	for i, line := range want {
		if key := withoutSpace(line); len(key) > 1 {
			at[key] = append(at[key], i)
		}
	}
	votes, cast := map[int]int{}, 0
	most := 0
	for j, line := range have {
		for _, i := range at[withoutSpace(line)] {
			place := j - i
			votes[place]++
			if n := votes[place]; n > most || n == most && place < best {
				best, most = place, n
			}
			if cast++; cast > maxVotes {
				return best, true
			}
		}
	}
	return best, most > 0
}

// mostSimilar finds the place by the one line of the text that is most telling, its
// longest, and the line of the file that shares most pairs of letters with it.
func mostSimilar(have, want []string) (at int, ok bool) {
	longest := 0
	for i := range want {
		if len(withoutSpace(want[i])) > len(withoutSpace(want[longest])) {
			longest = i
		}
	}
	target := pairs(withoutSpace(want[longest]))
	best, most := -1, minSimilarity
	for j, line := range have {
		if l := similarity(target, pairs(withoutSpace(line))); l > most {
			best, most = j, l
		}
	}
	return best - longest, best >= 0
}

// pairs counts the pairs of neighbouring bytes of a line's beginning.
func pairs(s string) map[[2]byte]int {
	s = s[:min(len(s), 300)]
	m := make(map[[2]byte]int, len(s))
	for i := 0; i+1 < len(s); i++ {
		m[[2]byte{s[i], s[i+1]}]++
	}
	return m
}

// similarity is Dice's coefficient of two bags: 1 for equal ones, 0 for disjoint.
func similarity(a, b map[[2]byte]int) float64 {
	shared, total := 0, 0
	for p, n := range a {
		shared += min(n, b[p])
		total += n
	}
	for _, n := range b {
		total += n
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(shared) / float64(total)
}

// withoutSpace drops all whitespace.
func withoutSpace(s string) string {
	if !strings.ContainsAny(s, " \t\r\v\f\u00a0") {
		return s
	}
	return strings.Join(strings.Fields(s), "")
}

func sameButSpace(a, b []string) bool {
	return withoutSpace(strings.Join(a, " ")) == withoutSpace(strings.Join(b, " "))
}

// spaceDiff shows the first lines that differ, with their whitespace visible.
func spaceDiff(have, want []string) string {
	var b strings.Builder
	shown := 0
	for i := range max(len(have), len(want)) {
		h, w := lineOf(have, i), lineOf(want, i)
		if h == w {
			continue
		}
		if shown++; shown > maxNearDiff/2 {
			b.WriteString("[… more lines differ …]\n")
			break
		}
		fmt.Fprintf(&b, "- %s\n+ %s\n", visible(w), visible(h))
	}
	return b.String()
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

var spaces = strings.NewReplacer(" ", "·", "\t", "→", "\u00a0", "⍽", "\r", "␍")

// visible marks the whitespace where lines differ in it most: at both ends, and
// anything but single spaces between words.
func visible(line string) string { return clip(spaces.Replace(line), 200) }
