package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Stream is a whole stream in memory, as a stage takes and returns it.
type Stream struct {
	Header Header
	Footer Footer

	// Indexed says that the files are those that an index holds: nothing was
	// scanned, and nothing is to be brought up to date.
	Indexed bool

	items []item // in order
	list  []File // the file records when there are no others and none was read

	// The frame as read, which may have fields that this build does not know.
	headerRec, footerRec *Record
}

// item is one record between header and footer.
type item struct {
	rec  *Record // as read; nil when made by this process
	file *File   // nil for a record of another kind
	set  bool    // file was changed since it was read
}

// New makes a stream of files. It keeps the slice. scanned is the number of
// files that the scan saw.
func New(h Header, files []File, scanned int) *Stream {
	s := &Stream{Header: h, items: make([]item, len(files)), list: files}
	s.Header.Version = StreamVersion
	for i := range files {
		s.items[i].file = &files[i]
	}
	s.Footer.ScannedFiles = scanned
	s.total()
	return s
}

// Files lists the file records, which must not be changed.
func (s *Stream) Files() []File {
	if s.list != nil {
		return s.list
	}
	out := make([]File, 0, len(s.items))
	for _, it := range s.items {
		if it.file != nil {
			out = append(out, *it.file)
		}
	}
	return out
}

// Replace puts files, a part of the stream's own in a new order, in the place
// of its file records. The other records follow them in their order.
func (s *Stream) Replace(files []File) {
	recs := make(map[string]*Record)
	var others []item
	for _, it := range s.items {
		switch {
		case it.file == nil:
			others = append(others, it)
		case it.rec != nil:
			recs[it.file.Path] = it.rec
		}
	}
	items := make([]item, 0, len(files)+len(others))
	for i := range files {
		items = append(items, item{rec: recs[files[i].Path], file: &files[i], set: true})
	}
	s.items, s.list = append(items, others...), nil
	if len(others)+len(recs) == 0 {
		s.list = files
	}
	s.total()
}

// total brings the footer up to date.
func (s *Stream) total() {
	s.Footer.TotalFiles, s.Footer.TotalTokens = 0, 0
	for _, it := range s.items {
		if it.file != nil {
			s.Footer.TotalFiles++
			s.Footer.TotalTokens += it.file.Tokens
		}
	}
}

// Write writes the stream. Records that were not changed go out as they came.
func (s *Stream) Write(w io.Writer) error {
	out := NewWriter(w)
	if err := writeFrame(out, s.headerRec, s.Header); err != nil {
		return err
	}
	for i := range s.items {
		if err := s.items[i].write(out); err != nil {
			return err
		}
	}
	if err := writeFrame(out, s.footerRec, s.Footer); err != nil {
		return err
	}
	return out.Flush()
}

func (it *item) write(out *Writer) error {
	switch {
	case it.rec == nil:
		return out.Write(it.file)
	case it.set:
		if err := it.rec.Set(*it.file); err != nil {
			return err
		}
	}
	return out.Record(it.rec)
}

// writeFrame writes a header or footer into the record it was read from.
func writeFrame(out *Writer, rec *Record, v any) error {
	if rec == nil {
		return out.Write(v)
	}
	if err := rec.Set(v); err != nil {
		return err
	}
	return out.Record(rec)
}

// ErrEmpty is the error of [Read] for an input without a byte.
var ErrEmpty = errors.New("no stream")

// Read reads a whole stream. The error is [ErrEmpty], a [*StreamError], or
// what r or ctx report. Nothing of a defective stream is returned.
func Read(ctx context.Context, r io.Reader) (*Stream, error) {
	in := NewReader(r)
	s := &Stream{}
	seen := map[string]int{}
	for {
		rec, err := in.Next()
		if err == io.EOF {
			s.total()
			return s, nil
		} else if err != nil {
			var defect *StreamError
			if in.Line() == 0 && ctx.Err() == nil && errors.As(err, &defect) {
				return nil, ErrEmpty
			}
			return nil, err
		}
		if err := s.add(&rec, in.Line(), seen); err != nil {
			return nil, err
		}
	}
}

// add puts one record as read in its place.
func (s *Stream) add(rec *Record, line int, seen map[string]int) (err error) {
	switch rec.Kind {
	case KindHeader:
		if s.headerRec != nil {
			return &StreamError{Line: line, Msg: "a second header; join streams by their file records only"}
		}
		s.headerRec = rec
		s.Header, err = rec.Header()
	case KindFooter:
		s.footerRec = rec
		s.Footer, err = rec.Footer()
	case KindFile:
		var f File
		if f, err = rec.File(); err != nil {
			return err
		}
		if first, twice := seen[f.Path]; twice {
			return &StreamError{Line: line, Msg: fmt.Sprintf("path %q was given in line %d already; keep one of the two", f.Path, first)}
		}
		seen[f.Path] = line
		s.items = append(s.items, item{rec: rec, file: &f})
	default:
		s.items = append(s.items, item{rec: rec})
	}
	return err
}
