package secret

import "bytes"

// Bounds that keep the work at each name constant.
const (
	maxBlank = 80  // blanks between a name and its value
	maxWrap  = 40  // what wraps a value, as in []byte("…")
	maxValue = 512 // a longer value is data
	nearSpan = 96  // how far before a name the provider may be named
)

// Lengths below which a value is too short to tell from a word.
const (
	minPassword = 8
	minToken    = 12
	minUnquoted = 10
)

// checkName looks for a value that is assigned to a name around the telling word
// s.b[start:end].
func checkName(s *scanner, start, end int) {
	n, ok := nameAround(s.b, start, end)
	if !ok || isMask(s.b, n.start, n.end) || isSegment(s.b, n.start) {
		return
	}
	at, form := operator(s.b, n)
	if form == noValue {
		return
	}
	v, ok := s.valueAt(n, at, form)
	if !ok || n.isMetadata(s.b) {
		return
	}
	if rule, rank := s.classify(n, v); rule != "" {
		s.add(v.start, v.end, rule, rank)
	}
}

// isMask reports whether the name is the first word of a mask.
func isMask(b []byte, start, end int) bool {
	return start > 0 && b[start-1] == '[' && bytes.HasPrefix(b[end:], []byte(": ")) && equalFold(b[start:end], "secret")
}

// isSegment reports whether the name at b[i:] is a part of a path.
func isSegment(b []byte, i int) bool {
	return i > 0 && b[i-1] == '/' && (i == 1 || b[i-2] != '/')
}

// classify returns what the value of a name is, and its rank, or "".
func (s *scanner) classify(n name, v value) (string, int) {
	if len(v.text) < minPassword || !isRandom(v.text, chancePassword) || isPlaceholder(v.text) {
		return "", 0
	}
	if rule := s.near(n, v.text); rule != "" {
		return rule, rankNear
	}
	if n.bare || isIdentifierForm(v.text) {
		return "", 0
	}
	text := v.text
	if plain := decoded(text); plain != nil && len(text) >= minUnquoted {
		text = plain
		if len(text) == 0 || isPlaceholder(text) {
			return "", 0
		}
	}
	switch limit := chanceOf(text, n.password); {
	case !v.quoted && (len(text) < minUnquoted || !isRandom(text, chanceUnquoted) || !hasDigit(text)):
		return "", 0
	case n.password && isRandom(text, limit):
		return "generic-password", rankGeneric
	case !n.password && len(v.text) >= minToken && isRandom(text, limit):
		return "generic-secret", rankGeneric
	}
	return "", 0
}

// chanceOf returns the bound of chance for text: what has blanks, or brackets in
// a token, is mostly prose or code.
func chanceOf(text []byte, password bool) int {
	switch {
	case bytes.IndexByte(text, ' ') >= 0, !password && bytes.ContainsAny(text, "()[]{}<>;,|"):
		return chanceSymbols
	case password:
		return chancePassword
	}
	return chanceToken
}

// near returns the rule of the provider that is named at or before the name n and
// whose secrets look like text.
func (s *scanner) near(n name, text []byte) string {
	var lower []byte
	for i := range s.nearby {
		p := &s.nearby[i]
		if !p.pattern.full(text) || entropy(text) < entropyToken {
			continue
		}
		if lower == nil {
			lower = bytes.ToLower(s.b[max(0, n.start-nearSpan):n.end])
		}
		if bytes.Contains(lower, []byte(p.word)) && isRandom(text, chanceToken) {
			return p.rule
		}
	}
	return ""
}

func hasDigit(text []byte) bool { return bytes.ContainsAny(text, "0123456789") }

// isIdentifierForm reports whether text has the form of what identifies but does
// not open anything, a UUID, a date, a path, a URL or a digest with its algorithm, or is
// written as escaped bytes.
func isIdentifierForm(text []byte) bool {
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		return true
	}
	if len(text) >= 10 && isDigit(text[0]) && isDigit(text[3]) && text[4] == '-' && text[7] == '-' {
		return true
	}
	for _, p := range [...]string{"sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha512:", "md5:", "{SHA}", "{SSHA}", "/", "./", "../", "arn:", "data:", "Basic ", "Bearer ", "vault:", "ENC["} {
		if bytes.HasPrefix(text, []byte(p)) {
			return true
		}
	}
	for _, p := range [...]string{"://", "$2a$", "$2b$", "$2y$", "$argon2", "$1$", "$5$", "$6$", "pbkdf2", `\x`, `\0`} {
		if bytes.Contains(text, []byte(p)) {
			return true
		}
	}
	return false
}
