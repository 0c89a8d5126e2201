package wire

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Canonical writes JSON in the one form that this module sends and stores:
// without white space between tokens, and with the five characters that
// encoding/json escapes for the sake of HTML and JavaScript as themselves. A
// transcript that went through a file thus gives the same bytes on the wire as
// one that did not. What is not valid JSON is returned as it is.
func Canonical(raw []byte) []byte {
	var buf bytes.Buffer
	if json.Compact(&buf, raw) != nil {
		return raw
	}
	b := buf.Bytes()
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' { // in JSON only a string holds one
			out = append(out, b[i])
			continue
		}
		if i+6 <= len(b) && b[i+1] == 'u' {
			if s, ok := plain[string(bytes.ToLower(b[i+2:i+6]))]; ok {
				out = append(out, s...)
				i += 5
				continue
			}
		}
		out = append(out, b[i], b[i+1])
		i++
	}
	return out
}

var plain = map[string]string{"003c": "<", "003e": ">", "0026": "&", "2028": "\u2028", "2029": "\u2029"}

// Name puts an underscore for every character that the APIs do not take in the
// name of a tool or the id of a call: what is no ASCII letter, digit, underscore
// or hyphen.
func Name(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, s)
}
