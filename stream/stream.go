package stream

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind tells the records of a stream apart: by the name in Record, or by the one
// key that only this kind has.
type Kind int

// Record kinds and the key of each.
const (
	KindOther   Kind = iota // another name, or none of the keys below: passed through
	KindHeader              // Version
	KindFile                // Path
	KindFooter              // TotalFiles
	KindFinding             // Detector
	KindSymbol              // Symbol
	KindEdge                // From
	KindEvent               // Event
)

// kindKeys is searched in order, because a finding or a symbol also has a Path.
var kindKeys = []struct {
	key  string
	kind Kind
}{
	{"Event", KindEvent}, {"Detector", KindFinding}, {"Symbol", KindSymbol}, {"From", KindEdge},
	{"Version", KindHeader}, {"TotalFiles", KindFooter}, {"Path", KindFile},
}

// MaxLine is the longest line a [Reader] accepts, in bytes. A record holds no
// file content, so a longer line is an attack or a mistake.
const MaxLine = 16 << 20

// StreamError is a defect of the stream itself: what and where.
type StreamError struct {
	Line int    // 1-based; 0 when the stream as a whole is meant
	Msg  string // what is wrong and what to do
}

func (e *StreamError) Error() string {
	if e.Line == 0 {
		return "stream: " + e.Msg
	}
	return "stream: line " + strconv.Itoa(e.Line) + ": " + e.Msg
}

type field struct {
	key string
	raw json.RawMessage
}

// Record is one line of a stream: its fields in their order, known or not.
type Record struct {
	Kind   Kind
	fields []field
	line   []byte // the line as read, nil once a field was changed
	file   *File  // decoded, when the reader has checked it
}

// NewRecord makes a record of v, a [Header], [File], [Footer] or any other
// value that marshals to a JSON object.
func NewRecord(v any) (Record, error) {
	raw, err := Marshal(v)
	if err != nil {
		return Record{}, err
	}
	return parseRecord(raw)
}

// Header decodes the record as a header.
func (r *Record) Header() (h Header, err error) { err = json.Unmarshal(r.bytes(), &h); return }

// File decodes the record as a file.
func (r *Record) File() (f File, err error) {
	if r.file != nil {
		return *r.file, nil
	}
	err = json.Unmarshal(r.bytes(), &f)
	return
}

// Footer decodes the record as a footer.
func (r *Record) Footer() (f Footer, err error) { err = json.Unmarshal(r.bytes(), &f); return }

// Set replaces the fields that v knows and keeps all others, in their order.
// A field that v leaves out because it is empty is removed.
func (r *Record) Set(v any) error {
	fresh, err := NewRecord(v)
	if err != nil {
		return err
	}
	known := knownKeys(v)
	out := r.fields[:0:0]
	seen := map[string]bool{}
	for _, f := range r.fields {
		if i := fresh.find(f.key); i >= 0 {
			out = append(out, fresh.fields[i])
			seen[f.key] = true
		} else if !known[f.key] {
			out = append(out, f)
		}
	}
	for _, f := range fresh.fields {
		if !seen[f.key] {
			out = append(out, f)
		}
	}
	r.fields, r.line, r.file, r.Kind = out, nil, nil, fresh.Kind
	return nil
}

func knownKeys(v any) map[string]bool {
	switch v.(type) {
	case File, *File:
		return fileKeys
	case Header, *Header:
		return headerKeys
	}
	return nil
}

var (
	headerKeys = keySet("Version", "Query", "Preset", "Budget", "MinScore", "Root", "Within", "Rev", "Fingerprint", "Index", "Scoring")
	fileKeys   = keySet("Path", "PathBase64", "Score", "Tokens", "Language", "Role", "Size", "Sha256", "Skipped", "Target", "Signals", "Chunks")
)

func keySet(keys ...string) map[string]bool {
	m := make(map[string]bool, len(keys))
	for _, k := range keys {
		m[k] = true
	}
	return m
}

func (r *Record) find(key string) int {
	for i := range r.fields {
		if r.fields[i].key == key {
			return i
		}
	}
	return -1
}

func (r *Record) bytes() []byte {
	if r.line == nil {
		var b bytes.Buffer
		b.WriteByte('{')
		for i, f := range r.fields {
			if i > 0 {
				b.WriteByte(',')
			}
			key, _ := marshal(f.key)
			b.Write(key)
			b.WriteByte(':')
			b.Write(f.raw)
		}
		b.WriteByte('}')
		r.line = b.Bytes()
	}
	return r.line
}

// marshal is json.Marshal without the escaping of <, > and &, which only
// matters inside HTML and makes code hard to read.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// parseRecord splits an object into its fields. json.Valid does the judging, so
// that the splitting can be a plain scan for the ends of keys and values.
func parseRecord(line []byte) (Record, error) {
	line = bytes.TrimSpace(line)
	if !json.Valid(line) {
		if dec := json.NewDecoder(bytes.NewReader(line)); dec.Decode(new(json.RawMessage)) == nil {
			return Record{}, errors.New("more than one JSON value on the line")
		}
		return Record{}, errors.New("not JSON")
	}
	if line[0] != '{' {
		return Record{}, errors.New("a record must be a JSON object")
	}
	r := Record{line: line, fields: make([]field, 0, 12)}
	for i := skipSpace(line, 1); line[i] != '}'; {
		end := valueEnd(line, i)
		var key string
		if err := json.Unmarshal(line[i:end], &key); err != nil {
			return Record{}, errors.New("not JSON")
		}
		i = skipSpace(line, skipSpace(line, end)+1) // past the colon
		end = valueEnd(line, i)
		r.fields = append(r.fields, field{key, line[i:end]})
		if i = skipSpace(line, end); line[i] == ',' {
			i = skipSpace(line, i+1)
		}
	}
	r.Kind = r.kind()
	return r, nil
}

func skipSpace(b []byte, i int) int {
	for b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n' {
		i++
	}
	return i
}

// valueEnd is the end of the value that starts at b[i], in valid JSON.
func valueEnd(b []byte, i int) int {
	depth := 0
	for ; ; i++ {
		switch b[i] {
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // ends a number, true, false or null before it
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
}

// Reader reads a stream and checks its frame: a header of a readable version
// first, a footer last, every line an object, every path inside the root.
type Reader struct {
	br     *bufio.Reader
	line   int
	headed bool
	footed bool
}

// NewReader returns a Reader on r.
func NewReader(r io.Reader) *Reader { return &Reader{br: bufio.NewReaderSize(r, 1<<16)} }

// Line is the number of the line read last, 1-based.
func (r *Reader) Line() int { return r.line }

// Next returns the next record. It returns io.EOF after the footer and a
// [*StreamError] on any defect.
func (r *Reader) Next() (Record, error) {
	for {
		line, err := r.readLine()
		if err == io.EOF {
			return Record{}, r.end()
		} else if err != nil {
			return Record{}, err
		}
		r.line++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		return r.record(line)
	}
}

func (r *Reader) record(line []byte) (Record, error) {
	if !utf8.Valid(line) {
		return Record{}, r.errorf("not UTF-8")
	}
	rec, err := parseRecord(line)
	switch {
	case err != nil:
		return Record{}, r.errorf("%v: %s", err, excerpt(line))
	case r.footed:
		return Record{}, r.errorf("a record after the footer; join streams by their file records only")
	case !r.headed && rec.Kind != KindHeader:
		return Record{}, r.errorf(`the first record must be a header with "Version"; is this a topo stream?`)
	}
	r.headed = true
	switch rec.Kind {
	case KindHeader:
		err = r.checkHeader(&rec)
	case KindFile:
		err = r.checkFile(&rec)
	case KindFooter:
		if _, ferr := rec.Footer(); ferr != nil {
			err = r.errorf("footer: %v", ferr)
		}
		r.footed = true
	}
	return rec, err
}

func (r *Reader) checkHeader(rec *Record) error {
	h, err := rec.Header()
	if err != nil {
		return r.errorf("header: %v", err)
	}
	major, _, ok := strings.Cut(h.Version, ".")
	n, err := strconv.Atoi(major)
	if !ok || err != nil {
		return r.errorf("version %q is not of the form MAJOR.MINOR", h.Version)
	}
	if n > 0 {
		return r.errorf("stream version %s is newer than %s, which this topo reads; update topo", h.Version, StreamVersion)
	}
	return nil
}

func (r *Reader) checkFile(rec *Record) error {
	f, err := rec.File()
	if err != nil {
		return r.errorf("file record: %v", err)
	}
	if err := CheckPath(f.Path); err != nil {
		return r.errorf("%v", err)
	}
	rec.file = &f
	return nil
}

func (r *Reader) end() error {
	switch {
	case r.line == 0:
		return &StreamError{Msg: "empty input; a stream starts with a header, as written by topo scan"}
	case !r.footed:
		return &StreamError{Line: r.line, Msg: "the stream ends without a footer; the stage before this one failed or was cut short"}
	}
	return io.EOF
}

func (r *Reader) errorf(format string, args ...any) error {
	return &StreamError{Line: r.line, Msg: fmt.Sprintf(format, args...)}
}

func (r *Reader) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := r.br.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > MaxLine:
			r.line++
			return nil, r.errorf("longer than %d bytes", MaxLine)
		case err == bufio.ErrBufferFull:
		case err == io.EOF && len(line) > 0, err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		default:
			return nil, err
		}
	}
}

func excerpt(line []byte) string {
	const limit = 60
	if len(line) > limit {
		return strconv.Quote(string(line[:limit])) + "…"
	}
	return strconv.Quote(string(line))
}

// CheckPath reports whether p, a slash-separated path of a stream, stays
// inside the root.
func CheckPath(p string) error {
	switch {
	case p == "":
		return errors.New("empty path")
	case strings.IndexByte(p, 0) >= 0:
		return fmt.Errorf("path %q holds a NUL byte", p)
	case path.IsAbs(p) || p != path.Clean(p) || p == ".." || strings.HasPrefix(p, "../"):
		return fmt.Errorf("path %q leaves the root or is not in its shortest form", p)
	}
	return nil
}

// Writer writes a stream.
type Writer struct{ bw *bufio.Writer }

// NewWriter returns a Writer on w. Call [Writer.Flush] at the end.
func NewWriter(w io.Writer) *Writer { return &Writer{bufio.NewWriterSize(w, 1<<16)} }

// Record writes one record as a line.
func (w *Writer) Record(r *Record) error {
	if _, err := w.bw.Write(r.bytes()); err != nil {
		return err
	}
	return w.bw.WriteByte('\n')
}

// Write writes v, a [Header], [File], [Footer] or any value that marshals to
// a JSON object, as a line.
func (w *Writer) Write(v any) error {
	if f, ok := v.(*File); ok {
		if line, ok := f.appendPlain(w.bw.AvailableBuffer()); ok {
			_, err := w.bw.Write(append(line, '\n'))
			return err
		}
	}
	raw, err := Marshal(v)
	if err != nil {
		return err
	}
	if _, err := w.bw.Write(raw); err != nil {
		return err
	}
	return w.bw.WriteByte('\n')
}

// Flush writes what is buffered.
func (w *Writer) Flush() error { return w.bw.Flush() }

// fileWire is File as it stands in the stream.
type fileWire struct {
	Path       string
	PathBase64 string `json:",omitempty"`
	Score      float64
	Tokens     int
	Language   string
	Role       Role
	Size       int64              `json:",omitempty"`
	Sha256     string             `json:",omitempty"`
	Skipped    string             `json:",omitempty"`
	Target     string             `json:",omitempty"`
	Signals    map[string]float64 `json:",omitempty"`
	Chunks     []Chunk            `json:",omitempty"`
}

// MarshalJSON implements the escape of paths described at [File.Path].
func (f File) MarshalJSON() ([]byte, error) {
	w := fileWire{f.Path, "", f.Score, f.Tokens, f.Language, f.Role, f.Size, f.Sha256, f.Skipped, f.Target, f.Signals, f.Chunks}
	if !utf8.ValidString(f.Path) {
		w.PathBase64 = base64.StdEncoding.EncodeToString([]byte(f.Path))
		w.Path = strings.ToValidUTF8(f.Path, "\uFFFD")
	}
	return marshal(w)
}

// UnmarshalJSON reverses [File.MarshalJSON].
func (f *File) UnmarshalJSON(b []byte) error {
	var w fileWire
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	if w.PathBase64 != "" {
		raw, err := base64.StdEncoding.DecodeString(w.PathBase64)
		if err != nil {
			return fmt.Errorf("PathBase64: %w", err)
		}
		w.Path = string(raw)
	}
	*f = File{w.Path, w.Score, w.Tokens, w.Language, w.Role, w.Size, w.Sha256, w.Skipped, w.Target, w.Signals, w.Chunks}
	return nil
}
