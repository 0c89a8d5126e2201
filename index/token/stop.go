package token

// StopWords are the words that say nothing about what a text or a piece of
// code is about: the function words of English; many are keywords of
// every programming language too. Words that name things in code (new, not,
// get, all, off) stay. Sorted; do not change.
var StopWords = []string{
	"am", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by",
	"can", "could", "did", "didn", "do", "does", "doesn", "don", "for", "from",
	"had", "has", "have", "having", "he", "her", "his", "how", "if", "in",
	"into", "is", "isn", "it", "its", "me", "my", "of", "on", "or", "our",
	"she", "should", "so", "than", "that", "the", "their", "them", "then",
	"there", "these", "they", "this", "those", "to", "too", "us", "was", "wasn",
	"we", "were", "what", "when", "where", "which", "while", "who", "why",
	"will", "with", "would", "you", "your",
}

const (
	stopLen  = 6  // bytes of the longest stop word
	stopBits = 10 // of the table's size; sparse, so one look decides
)

// stops is an open-addressed table of packed stop words.
var stops = func() (t [1 << stopBits]uint64) {
	for _, w := range StopWords {
		key := pack([]byte(w))
		i := slot(key)
		for t[i] != 0 {
			i = (i + 1) % len(t)
		}
		t[i] = key
	}
	return t
}()

func isStop(term []byte) bool {
	if len(term) > stopLen {
		return false
	}
	key := pack(term)
	for i := slot(key); stops[i] != 0; i = (i + 1) % len(stops) {
		if stops[i] == key {
			return true
		}
	}
	return false
}

// pack puts up to eight bytes into one word. No term holds a zero byte, so
// that words of different length differ.
func pack(term []byte) (key uint64) {
	for _, c := range term {
		key = key<<8 | uint64(c)
	}
	return key
}

// slot spreads keys by Fibonacci hashing.
func slot(key uint64) int {
	return int(key * 0x9E3779B97F4A7C15 >> (64 - stopBits))
}
