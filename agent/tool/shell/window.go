package shell

import (
	"fmt"
	"io"
	"strings"
)

// keep is how many bytes are kept of the beginning of an output, and again of
// its end.
const keep = 4 << 20

// window keeps the beginning and the end of what is written.
type window struct {
	head []byte
	tail []byte // a ring once it is full
	next int    // where the next byte of the ring goes
	lost int64  // bytes that are kept no more
}

func (w *window) readFrom(r io.Reader) {
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		w.write(buf[:n])
		if err != nil {
			return // the end, or the time to wait for it is over
		}
	}
}

func (w *window) write(p []byte) {
	if room := keep - len(w.head); room > 0 {
		n := min(room, len(p))
		w.head = append(w.head, p[:n]...)
		p = p[n:]
	}
	if room := keep - len(w.tail); room > 0 {
		n := min(room, len(p))
		w.tail = append(w.tail, p[:n]...)
		p = p[n:]
	}
	w.lost += int64(len(p))
	for len(p) > 0 {
		n := copy(w.tail[w.next:], p)
		w.next = (w.next + n) % keep
		p = p[n:]
	}
}

func (w *window) String() string {
	var b strings.Builder
	b.Write(w.head)
	if w.lost > 0 {
		fmt.Fprintf(&b, "\n[… %d bytes were not kept …]\n", w.lost)
	}
	b.Write(w.tail[w.next:])
	b.Write(w.tail[:w.next])
	return b.String()
}

// readableOutput makes what a program drew on a terminal readable as text: no escape
// sequences, and only the last state of a line that was drawn over, such as a
// progress bar.
func readableOutput(s string) string {
	if strings.ContainsRune(s, 0x1b) {
		s = stripEscapes(s)
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if strings.ContainsRune(s, '\r') {
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			line = strings.TrimRight(line, "\r")
			lines[i] = line[strings.LastIndexByte(line, '\r')+1:]
		}
		s = strings.Join(lines, "\n")
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

func stripEscapes(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, 0x1b)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i+escapeLen(s[i:]):]
	}
}

// escapeLen is the length of the escape sequence that s begins with (ECMA-48: a
// control sequence ends with a byte from @ to ~, a string with BEL or ESC \).
func escapeLen(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 {
				return i
			}
		}
		return len(s)
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(s); i++ {
			switch {
			case s[i] == 0x07:
				return i + 1
			case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			case s[i] == '\n':
				return i // no string goes over lines: it was cut
			}
		}
		return len(s)
	}
	return 2
}
