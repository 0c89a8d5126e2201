package files

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Bounds of a diff: above maxDiffed bytes comparing takes longer than it helps,
// and what a model has written itself it need not read in full.
const (
	maxDiffed    = 2 << 20
	maxDiffLines = 200
)

// diff is what changed in the file, as a unified diff, shortened.
func diff(rel, before, after string) string {
	if len(before)+len(after) > maxDiffed {
		return fmt.Sprintf("[%d bytes before, %d bytes now; too long for a diff]\n", len(before), len(after))
	}
	text := udiff.Unified("a/"+rel, "b/"+rel, before, after)
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD")
	return firstLines(text, maxDiffLines)
}

// firstLines keeps the first n lines and says how many follow.
func firstLines(text string, n int) string {
	at := 0
	for range n {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return text
		}
		at += i + 1
	}
	if rest := strings.Count(text[at:], "\n"); rest > 0 {
		return fmt.Sprintf("%s[… %d more lines …]\n", text[:at], rest)
	}
	return text
}
