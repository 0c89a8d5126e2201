package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrLine means that a server sent a line that is longer than the limit.
var ErrLine = errors.New("a line of the answer is too long")

// Lines reads the lines of a stream. A line ends in LF, CR LF or CR; a byte
// order mark before the first is skipped. A reader that waits for the LF of a CR
// LF would hold back an event, so the LF is skipped when it comes.
type Lines struct {
	r      *bufio.Reader
	max    int
	buf    []byte
	begun  bool
	skipLF bool
}

// NewLines reads lines of at most limit bytes.
func NewLines(r io.Reader, limit int) *Lines {
	return &Lines{r: bufio.NewReaderSize(r, 16<<10), max: limit}
}

// Next returns a line without its end, valid until the next call. At the end of
// the stream it returns what is left, if anything, and then io.EOF.
func (l *Lines) Next() ([]byte, error) {
	if err := l.skipBOM(); err != nil {
		return nil, err
	}
	l.buf = l.buf[:0]
	for {
		done, err := l.fill()
		switch {
		case err == io.EOF && len(l.buf) > 0:
			return l.buf, nil
		case err != nil:
			return nil, err
		case len(l.buf) > l.max:
			return nil, fmt.Errorf("%w: more than %d bytes", ErrLine, l.max)
		case done:
			return l.buf, nil
		}
	}
}

// skipBOM skips a byte order mark. It waits for no more bytes than the mark has.
func (l *Lines) skipBOM() error {
	if l.begun {
		return nil
	}
	l.begun = true
	for n, want := range []byte("\ufeff") {
		b, err := l.r.Peek(n + 1)
		if len(b) <= n || b[n] != want {
			if err == io.EOF {
				err = nil
			}
			return err
		}
	}
	_, err := l.r.Discard(3)
	return err
}

// fill appends what is buffered up to the end of the line.
func (l *Lines) fill() (done bool, err error) {
	if _, err := l.r.Peek(1); err != nil {
		return false, err
	}
	b, _ := l.r.Peek(l.r.Buffered())
	if l.skipLF {
		l.skipLF = false
		if b[0] == '\n' {
			_, err := l.r.Discard(1)
			return false, err
		}
	}
	end := bytes.IndexAny(b, "\r\n")
	if end < 0 {
		l.buf = append(l.buf, b...)
		_, err := l.r.Discard(len(b))
		return false, err
	}
	l.buf = append(l.buf, b[:end]...)
	l.skipLF = b[end] == '\r'
	_, err = l.r.Discard(end + 1)
	return true, err
}
