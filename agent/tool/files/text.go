package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/topo-dev/topo/agent/spill"
)

// Bounds of what is read and shown, in bytes.
const (
	maxWhole = 16 << 20            // a file up to here is held in memory and can be edited
	maxLine  = 2_000               // of a line that is shown
	maxShown = spill.Limit - 4<<10 // of one answer, which is then never cut again
	sniffed  = 8_000               // what is read to distinguish text from binary, as git does
)

const utf8BOM = "\uFEFF"

var errBinary = errors.New("the file is binary")

// binary reports whether the beginning of a file is not text, by git's rule: a
// NUL byte says so. UTF-16 with its mark is text.
func binary(data []byte) bool {
	data = data[:min(len(data), sniffed)]
	return encoding(data) != "UTF-16" && bytes.IndexByte(data, 0) >= 0
}

// encoding names how the text is encoded, as far as its beginning tells.
func encoding(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}), bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return "UTF-16"
	case bytes.HasPrefix(data, []byte(utf8BOM)):
		return "UTF-8 with a byte order mark"
	}
	return "UTF-8"
}

// decode16 turns UTF-16 with its mark into UTF-8. An odd last byte is dropped.
func decode16(data []byte) []byte {
	hi, lo := 1, 0
	if data[0] == 0xFE {
		hi, lo = 0, 1
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		units = append(units, uint16(data[i+hi])<<8|uint16(data[i+lo]))
	}
	return []byte(string(utf16.Decode(units)))
}

func binaryError(data []byte, size int64) error {
	return fmt.Errorf("%w (%s, %d bytes); read shows text only", errBinary, http.DetectContentType(data), size)
}

// view is a range of lines made readable.
type view struct {
	text  strings.Builder
	last  int  // the last line shown
	lines int  // how many lines there are; of those read when more is set
	more  bool // the input was not read to its end
	cut   int  // lines that were cut
	full  bool // the answer is full before the range ended
	notes []string
}

// lines shows the lines from offset on. When whole is set the input is read to
// its end, to know the number of lines.
func lines(r io.Reader, offset, limit int, whole bool) (*view, error) {
	v := &view{}
	in := bufio.NewReaderSize(r, 64<<10)
	crlf, bad := false, false
	for {
		line, long, err := readLine(in)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		v.lines++
		if v.lines < offset {
			continue
		}
		if v.lines >= offset+limit || v.full {
			if v.more = !whole; v.more {
				break
			}
			continue
		}
		if bytes.HasSuffix(line, []byte("\r")) {
			line, crlf = line[:len(line)-1], true
		}
		if v.lines == 1 {
			line = bytes.TrimPrefix(line, []byte(utf8BOM))
		}
		if v.full = v.text.Len()+len(line) > maxShown && v.text.Len() > 0; v.full {
			continue
		}
		bad = bad || !utf8.Valid(line) && !long
		v.add(line, long)
	}
	if crlf {
		v.notes = append(v.notes, "lines end in CRLF")
	}
	if bad {
		v.notes = append(v.notes, "bytes that are not UTF-8 are shown as \uFFFD")
	}
	return v, nil
}

func (v *view) add(line []byte, long bool) {
	v.last = v.lines
	fmt.Fprintf(&v.text, "%d\t%s", v.lines, strings.ToValidUTF8(string(line), "\uFFFD"))
	if long {
		v.cut++
		v.text.WriteString(" […]")
	}
	v.text.WriteByte('\n')
}

// readLine reads a line without its newline, at most maxLine bytes of it; long
// reports that there was more. The last line needs no newline.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		room := maxLine + len("\r\n") - len(line)
		line = append(line, part[:min(len(part), max(room, 0))]...)
		long = long || len(part) > max(room, 0)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) > 0:
		case err != nil:
			return nil, false, err
		}
		if !long {
			line = bytes.TrimSuffix(line, []byte("\n"))
		}
		if trimmed := bytes.TrimSuffix(line, []byte("\r")); len(trimmed) > maxLine {
			line, long = line[:maxLine], true
		}
		if long {
			line = line[:runeEnd(line)]
		}
		return line, long, nil
	}
}

// runeEnd is the length of b without a rune that its end cuts in two.
func runeEnd(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return i
			}
			break
		}
	}
	return len(b)
}
