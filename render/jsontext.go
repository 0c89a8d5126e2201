package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// marshal is json.Marshal without the escaping of <, > and &, which only
// matters inside HTML and makes code hard to read.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return escapeUnsafe(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// escapeUnsafe escapes what encoding/json leaves in a string although a
// terminal may act on it. Outside strings JSON is ASCII.
func escapeUnsafe(raw []byte) []byte {
	if bytes.IndexFunc(raw, func(r rune) bool { return unsafeRune(r, 2) }) < 0 {
		return raw
	}
	var out []byte
	for _, r := range string(raw) {
		if unsafeRune(r, 2) {
			out = appendJSONRune(out, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// appendJSONText appends text as the inside of a JSON string. Characters that
// [appendSafe] replaces are escaped instead: the reader gets the
// content exactly and a terminal gets no command; bytes that are not UTF-8
// become U+FFFD.
func appendJSONText(b, text []byte) []byte {
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= 0x20 && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if n > 1 && !unsafeRune(r, n) {
			i += n
			continue
		}
		b = append(b, text[start:i]...)
		b = appendJSONRune(b, r)
		i += n
		start = i
	}
	return append(b, text[start:]...)
}

func appendJSONRune(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	case utf8.RuneError:
		return append(b, "\uFFFD"...)
	}
	if r > 0xffff { // a surrogate pair
		r -= 0x10000
		return fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Appendf(b, `\u%04x`, r)
}
