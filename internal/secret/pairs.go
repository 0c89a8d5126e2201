package secret

// pairs says how much more often than by chance one letter follows another in
// words of source code: row and column are the letters, 'e' is chance, each step
// a factor of two ('a' at most a sixteenth, 'i' at least sixteen times). Counted
// over the 53,000 distinct words of the Kubernetes module, webpack, Docker and
// Python's library.
const pairs = "" +
	"dgggcdfbfbehfgbfbhgheeddeb" +
	"fddcfcbbfcbfccecaeecebbada" +
	"gcedgdcgeaffdchdafegecbada" +
	"fddehecbgbbeddfdbeedecbbca" +
	"geghffecebcgfhefehhhdeefeb" +
	"ecddefbbgaaeccfcaeeeebaaca" +
	"eccbgbcdeabdcdecafeddbbabb" +
	"fbccfbabfabcccfbadcedaaaca" +
	"fegffefbcbcgfigfcfggceadae" +
	"caaadaaabaaaaacaaacacaaaaa" +
	"dbbcfbbbeaacbcccabdccbbaba" +
	"gcdehdcbgacgcdgdadfefcbbfa" +
	"gecdgccafacdecffacecebbbca" +
	"gdfggegcfbdddegdadgheecacb" +
	"eeffceebebdgfhffahffgefdba" +
	"gcddgccefacfccfeagefedbada" +
	"aaabaaaaaaacaaaabbbbeaaaaa" +
	"gdfehdebgadefegebfgfedcaea" +
	"fcfdhdcfgadeddffddghfddbea" +
	"gdfehecfhaceddgecgffecdcfb" +
	"eeededdaeaaffgceafffaaabab" +
	"fbdbgbbaeaaccbdcabdcaababa" +
	"ebbbebaceabbbddbaddbaaaaaa" +
	"cbcbdcabdaabcabeabbeaaabba" +
	"cbccdbbacaadddceacedaaaaaa" +
	"caaaeaaacaaaaabaaaaabaaaab"

// pairScore is positive for two bytes that words hold next to each other and
// negative for two that random text does. The values for digits and symbols were
// set by the recall of random values and the alarms in repositories.
func pairScore(a, b byte) int {
	la, lb := isLetter(a), isLetter(b)
	switch {
	case la && lb:
		if isLower(a) && !isLower(b) {
			return -3 // camel case has one in each word
		}
		return int(pairs[int(a|0x20-'a')*26+int(b|0x20-'a')]) - 'e'
	case la && isDigit(b), isDigit(a) && lb:
		return -2
	case isDigit(a) && isDigit(b):
		if d := int(b) - int(a); -1 <= d && d <= 1 {
			return 1
		}
		return -1
	case isWordSeparator(a) || isWordSeparator(b):
		return 0
	}
	return -1
}

func isLetter(c byte) bool { c |= 0x20; return 'a' <= c && c <= 'z' }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

func isWordSeparator(c byte) bool {
	switch c {
	case '_', '-', '.', '/', ':', ' ', ',':
		return true
	}
	return false
}
