package secret

import (
	"bytes"
	"encoding/base64"
	"math"
)

// Bounds of chance, in the unit of pairScore summed over a value. Words score
// above zero. Of a thousand random passwords of 12 letters and digits six score
// above the first bound, of a thousand tokens of 20 one above that of tokens.
const (
	chancePassword = -4
	chanceUnquoted = -6
	chanceToken    = -8
	chanceSymbols  = -30
)

// entropyToken is the Shannon entropy, in bits for each byte, below which a token
// of a known format is a filler. Of 100,000 random strings of 32 hexadecimal digits, the
// poorest alphabet, the lowest has 2.85.
const entropyToken = 2.5

// isRandom reports whether value looks like the work of a generator rather than
// like words, numbers or a filler.
func isRandom(value []byte, limit int) bool {
	score, letters, digits := 0, 0, 0
	for i, c := range value {
		switch {
		case isLetter(c):
			letters++
		case isDigit(c):
			digits++
		}
		if i > 0 {
			score += pairScore(value[i-1], c)
		}
	}
	return letters >= 2 && score <= limit && distinct(value)*3 >= min(len(value), 24) && !isSequence(value)
}

// distinct counts the different bytes of value.
func distinct(value []byte) int {
	var seen [256]bool
	n := 0
	for _, c := range value {
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// entropy is the Shannon entropy of value in bits for each byte.
func entropy(value []byte) float64 {
	var count [256]int
	for _, c := range value {
		count[c]++
	}
	bits, total := 0.0, float64(len(value))
	for _, n := range count {
		if n > 0 {
			share := float64(n) / total
			bits -= share * math.Log2(share)
		}
	}
	return bits
}

// isSequence reports whether half of value counts up, down or repeats, as in
// 0123456789abcdef, or its second half repeats the first.
func isSequence(value []byte) bool {
	steps := 0
	for i := 1; i < len(value); i++ {
		if d := int(value[i]) - int(value[i-1]); -1 <= d && d <= 1 {
			steps++
		}
	}
	half := len(value) / 2
	return steps*2 >= len(value) || half >= 4 && bytes.Equal(value[:half], value[half:2*half])
}

// fillers are parts of values that documents and tests use instead of secrets.
var fillers = [...]string{
	"example", "sample", "placeholder", "changeme", "change_me", "change-me", "dummy",
	"redacted", "xxxx", "****", "your_", "your-", "yourkey", "yourtoken", "yourapi",
	"insert", "replace", "notreal", "not-real", "not_real", "1234567", "abcdefg", "qwerty", "foobar",
	"eyjzdwiioiixmjm0nty3odkwi", // the claims of the token that JWT documentation shows
}

// isPlaceholder reports whether value says that it is none.
func isPlaceholder(value []byte) bool {
	lower := make([]byte, len(value))
	for i, c := range value {
		lower[i] = toLower(c)
	}
	for _, f := range fillers {
		if bytes.Contains(lower, []byte(f)) {
			return true
		}
	}
	return isTemplate(value) || bytes.HasSuffix(value, []byte("..."))
}

// isTemplate reports whether value is filled in from elsewhere: a variable, a
// format, an expression of a template.
func isTemplate(value []byte) bool {
	for _, mark := range [...]string{"${", "{{", "$(", "<%", "%(", "#{", "%{"} {
		if bytes.Contains(value, []byte(mark)) {
			return true
		}
	}
	first, last := value[0], value[len(value)-1]
	return first == '<' && last == '>' || first == '{' && last == '}' || first == '[' && last == ']' ||
		first == '%' && last == '%' || first == '$' && isVariable(value[1:]) ||
		len(value) == 2 && first == '%'
}

func isVariable(name []byte) bool {
	for _, c := range name {
		if !isWord(c) || isLower(c) && isDigit(name[0]) {
			return false
		}
	}
	return true
}

// isFiller reports whether the part of a token that its format leaves open is no
// secret.
func isFiller(open []byte) bool {
	return len(open) == 0 || len(open) >= 16 && entropy(open) < entropyToken || isSequence(open) || isPlaceholder(open)
}

// decoded returns the text that value is in base64, or nil. Kubernetes and Docker
// write secrets so, and what is a word inside is no secret outside.
func decoded(value []byte) []byte {
	enc := base64.StdEncoding
	if len(value)%4 != 0 {
		enc = base64.RawStdEncoding
	}
	out, err := enc.DecodeString(string(value))
	if err != nil || len(out) == 0 {
		return nil
	}
	for _, c := range out {
		if (c < ' ' || c > '~') && c != '\n' && c != '\r' && c != '\t' {
			return nil
		}
	}
	return out
}
