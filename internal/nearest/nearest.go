// Package nearest finds the name that somebody meant when they wrote another.
//
// What always holds: the answer is one of the candidates or empty, it does not
// depend on anything but the arguments, and the work is bounded however long the
// word is.
package nearest

// maxWord is the longest word, in bytes, that is compared. Names of fields,
// tools and files are shorter; a longer word is hostile or no name at all.
const maxWord = 256

// Of returns the candidate with the fewest edits from word, the first of equals,
// or "" when none is near enough to be what was meant: more than a third of its
// letters would have to change. Case is ignored.
func Of(word string, candidates []string) string {
	best, least := "", maxWord
	for _, c := range candidates {
		d := Distance(fold(word), fold(c))
		if d < least && d <= max(1, max(len(word), len(c))/3) {
			best, least = c, d
		}
	}
	return best
}

// Distance is the number of insertions, deletions, substitutions and swaps of
// neighbours that turn a into b, by bytes (optimal string alignment). Of words
// over 256 bytes it is the longer length.
func Distance(a, b string) int {
	if len(a) > maxWord || len(b) > maxWord {
		return max(len(a), len(b))
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, above, row = above, row, before
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j]+cost, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

// fold normalizes a name: lower case ASCII, with _ for -. It makes old-text and
// old_text equal.
func fold(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case c >= 'A' && c <= 'Z':
			b[i] = c + 'a' - 'A'
		case c == '-':
			b[i] = '_'
		}
	}
	return string(b)
}
