package fresh

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/internal/zst"
)

// historyMark begins a remembered history: it changes with what is remembered
// of a commit. After it come the head, the number of commits and the commits. A
// text is its length and its bytes. A text that was written before, by author or path, is
// its position among those written so far, from 1; a new one is 0 and the text.
const historyMark = "topo history 2\n"

// Bounds of a remembered history: it lies in a folder that others may write.
const (
	maxHistoryFile = 256 << 20 // bytes, unpacked
	maxText        = 64 << 10
)

func writeHistory(head string, commits []index.Commit) func(io.Writer) error {
	return func(w io.Writer) error {
		h := historyWriter{w: bufio.NewWriterSize(w, 1<<16), written: map[string]uint64{}}
		_, _ = h.w.WriteString(historyMark)
		h.text(head)
		h.number(uint64(len(commits)))
		for _, c := range commits {
			h.text(c.ID)
			h.number(uint64(c.Time))
			h.name(c.Author)
			h.text(c.Subject)
			h.number(uint64(len(c.Files)))
			for _, f := range c.Files {
				h.name(f)
			}
		}
		return h.w.Flush() // and the error of any write before
	}
}

type historyWriter struct {
	w       *bufio.Writer
	written map[string]uint64
}

func (h *historyWriter) number(n uint64) {
	_, _ = h.w.Write(binary.AppendUvarint(h.w.AvailableBuffer(), n))
}

func (h *historyWriter) text(s string) {
	s = s[:min(len(s), maxText)]
	h.number(uint64(len(s)))
	_, _ = h.w.WriteString(s)
}

func (h *historyWriter) name(s string) {
	at := h.written[s]
	if h.number(at); at == 0 {
		h.written[s] = uint64(len(h.written) + 1)
		h.text(s)
	}
}

// readHistory reads what was remembered, nothing where that is not whole.
func readHistory(name string) (head string, commits []index.Commit) {
	file, err := os.Open(name)
	if err != nil {
		return "", nil
	}
	defer file.Close()
	z, err := zst.NewReader(file, maxHistoryFile)
	if err != nil {
		return "", nil
	}
	defer z.Close()
	return parseHistory(z)
}

func parseHistory(r io.Reader) (head string, commits []index.Commit) {
	h := historyReader{r: bufio.NewReaderSize(r, 1<<16)}
	mark := make([]byte, len(historyMark))
	if _, err := io.ReadFull(h.r, mark); err != nil || string(mark) != historyMark {
		return "", nil
	}
	head = h.text()
	for n := h.number(); n > 0 && h.err == nil; n-- {
		c := index.Commit{ID: h.text(), Time: int64(h.number()), Author: h.name(), Subject: h.text()}
		for k := h.number(); k > 0 && h.err == nil; k-- {
			c.Files = append(c.Files, h.name())
		}
		commits = append(commits, c)
	}
	if h.err != nil {
		return "", nil
	}
	return head, commits
}

// historyReader reads until the first error, after which all is empty.
type historyReader struct {
	r    *bufio.Reader
	read []string
	buf  []byte
	err  error
}

var errHistory = errors.New("not a remembered history")

func (h *historyReader) number() uint64 {
	if h.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(h.r)
	if err != nil {
		h.err = err
		return 0
	}
	return n
}

func (h *historyReader) text() string {
	n := h.number()
	if n > maxText {
		h.err = errHistory
	}
	if h.err != nil {
		return ""
	}
	if uint64(cap(h.buf)) < n {
		h.buf = make([]byte, n)
	}
	if _, h.err = io.ReadFull(h.r, h.buf[:n]); h.err != nil {
		return ""
	}
	return string(h.buf[:n])
}

func (h *historyReader) name() string {
	at := h.number()
	switch {
	case h.err != nil:
		return ""
	case at == 0:
		s := h.text()
		h.read = append(h.read, s)
		return s
	case at > uint64(min(len(h.read), math.MaxInt)):
		h.err = errHistory
		return ""
	}
	return h.read[at-1]
}
