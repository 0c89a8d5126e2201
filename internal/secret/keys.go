package secret

import "bytes"

// minKey is the fewest base64 digits of a private key's body. The shortest in
// use, an Ed25519 key in PKCS #8, has 64.
const minKey = 40

// checkPEM looks for the body of a private key whose BEGIN line contains
// s.b[start:end]. The lines of BEGIN and END are left as they are. A key that is
// cut off ends with its last line.
func checkPEM(s *scanner, start, end int) {
	if begin := bytes.LastIndex(s.b[max(0, start-40):start], []byte("BEGIN ")); begin < 0 {
		return
	}
	b := s.b
	if rest := b[end:]; bytes.HasPrefix(rest, []byte(" BLOCK")) {
		end += len(" BLOCK")
	}
	dashes := end
	for end < len(b) && (b[end] == '-' || b[end] == ' ') {
		end++
	}
	if end-dashes < 4 {
		return
	}
	s.keyBody(end, "private-key")
}

// checkPuTTY looks for the lines that follow "Private-Lines:".
func checkPuTTY(s *scanner, _, end int) {
	line := bytes.IndexByte(s.b[end:min(len(s.b), end+16)], '\n')
	if line >= 0 {
		s.keyBody(end+line, "putty-private-key")
	}
}

// keyBody adds the lines from i as long as they can belong to a key: base64, and
// headers such as "DEK-Info: …". Each may be indented, quoted, a comment or
// joined to the next by the text \n.
func (s *scanner) keyBody(i int, rule string) {
	b := s.b
	if i < s.keysTo {
		return // a header of another key: its lines have been read
	}
	defer func() { s.keysTo = i }()
	first, last, digits := 0, 0, 0
	for i < len(b) {
		from, to, next := keyLine(b, i)
		if to-from > maxRun*2 {
			break
		}
		line := b[from:to]
		if len(line) > 0 && !isHeader(line) {
			if !isBase64(line) {
				break
			}
			if digits == 0 {
				first = from
			}
			digits += len(line)
			last = to
		}
		i = next
	}
	if digits >= minKey && !isPlaceholder(b[first:min(last, first+64)]) && entropy(b[first:last]) > 4 {
		s.add(first, last, rule, rankFormat)
	}
}

// keyLine returns the text of the line at b[i:] without what surrounds it, and
// where the next line begins.
func keyLine(b []byte, i int) (from, to, next int) {
	from = i
	for from < len(b) && bytes.IndexByte([]byte(" \t\r\"'`#*;,+|>"), b[from]) >= 0 {
		from++
	}
	if bytes.HasPrefix(b[from:], []byte("// ")) {
		from += 3
	}
	for to = from; to < len(b) && bytes.IndexByte([]byte(" \t\r\n\"'`\\,;<"), b[to]) < 0; to++ {
	}
	next = to
	for next < len(b) && bytes.IndexByte([]byte(" \t\r\"'`\\,;+)."), b[next]) >= 0 {
		next++
	}
	switch {
	case next < len(b) && b[next] == '\n':
		next++
	case next < len(b) && (b[next] == 'n' || b[next] == 'r') && b[next-1] == '\\':
		next++
	case to > from && to < len(b) && b[to-1] == ':':
		next = to + 1
		for next < len(b) && b[next] != '\n' && b[next] != '\\' && next < to+200 {
			next++
		}
	case next == from:
		next++
	}
	return from, to, next
}

// isHeader reports whether line is the name of a PEM header.
func isHeader(line []byte) bool { return line[len(line)-1] == ':' && len(line) < 40 }

// isBase64 reports whether line holds base64 digits only, in their order: padding
// and the checksum of an armor, "=njUN", come last.
func isBase64(line []byte) bool {
	for _, c := range line {
		if !isLetter(c) && !isDigit(c) && c != '+' && c != '/' && c != '=' {
			return false
		}
	}
	return true
}
