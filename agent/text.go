package agent

import (
	"cmp"
	"strings"

	"github.com/topo-dev/topo/agent/spill"
)

func compare(a, b string) int { return cmp.Compare(a, b) }

// maxResult is how much of a call's output the model reads when nothing else
// cares for it, in bytes.
const maxResult = 32 << 10

// excerpt is text cut to limit bytes, with a line between its head and its tail
// that says how much is missing.
func excerpt(text string, limit int) string { return spill.Cap(text, "", limit) }

// firstLine is the first line of s, cut to n characters.
func firstLine(s string, n int) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
