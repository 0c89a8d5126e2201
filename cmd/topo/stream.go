package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/topo-dev/topo/stream"
)

// stream is a whole stream in memory. A stage takes one and returns one; a
// command reads the first from standard input and writes the last to standard
// output, and quick hands them on.
type wholeStream struct {
	header stream.Header
	items  []item // in order
	footer stream.Footer

	list []stream.File // the file records when there are no others and none was read

	// indexed says that the files are those that the index shows: nothing was
	// scanned, and nothing is to be brought up to date.
	indexed bool

	// The frame as read, which may have fields that this build does not know.
	headerRec, footerRec *stream.Record
}

// item is one record between header and footer.
type item struct {
	rec  *stream.Record // as read; nil when made by this process
	file *stream.File   // nil for a record of another kind
	set  bool           // file was changed since it was read
}

// newStream makes a stream of files.
func newStream(h stream.Header, files []stream.File, scanned int) *wholeStream {
	s := &wholeStream{header: h, items: make([]item, len(files)), list: files}
	s.header.Version = stream.StreamVersion
	for i := range files {
		s.items[i].file = &files[i]
	}
	s.footer.ScannedFiles = scanned
	s.total()
	return s
}

// files lists the file records, not to be written to.
func (s *wholeStream) files() []stream.File {
	if s.list != nil {
		return s.list
	}
	out := make([]stream.File, 0, len(s.items))
	for _, it := range s.items {
		if it.file != nil {
			out = append(out, *it.file)
		}
	}
	return out
}

// replace puts files, a part of the stream's own in a new order, in the place
// of its file records. The other records follow them in their order.
func (s *wholeStream) replace(files []stream.File) {
	recs := make(map[string]*stream.Record)
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
func (s *wholeStream) total() {
	s.footer.TotalFiles, s.footer.TotalTokens = 0, 0
	for _, it := range s.items {
		if it.file != nil {
			s.footer.TotalFiles++
			s.footer.TotalTokens += it.file.Tokens
		}
	}
}

// write writes the stream. Records that were not changed go out as they came.
func (s *wholeStream) write(w io.Writer) error {
	out := stream.NewWriter(w)
	if err := writeFrame(out, s.headerRec, s.header); err != nil {
		return err
	}
	for i := range s.items {
		if err := s.items[i].write(out); err != nil {
			return err
		}
	}
	if err := writeFrame(out, s.footerRec, s.footer); err != nil {
		return err
	}
	return out.Flush()
}

func (it *item) write(out *stream.Writer) error {
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
func writeFrame(out *stream.Writer, rec *stream.Record, v any) error {
	if rec == nil {
		return out.Write(v)
	}
	if err := rec.Set(v); err != nil {
		return err
	}
	return out.Record(rec)
}

// errNoStream says that standard input was empty.
var errNoStream = errors.New("no stream")

// readStream reads a whole stream, or errNoStream when r is empty. Nothing of
// a stream that turns out to be defective is used.
func readStream(ctx context.Context, r io.Reader) (*wholeStream, error) {
	in := stream.NewReader(r)
	s := &wholeStream{}
	seen := map[string]int{}
	for {
		rec, err := in.Next()
		if err == io.EOF {
			s.total()
			return s, nil
		} else if err != nil {
			if in.Line() == 0 && ctx.Err() == nil && isStreamError(err) {
				return nil, errNoStream
			}
			return nil, err
		}
		if err := s.add(&rec, in.Line(), seen); err != nil {
			return nil, err
		}
	}
}

func isStreamError(err error) bool {
	var s *stream.StreamError
	return errors.As(err, &s)
}

// add puts one record as read in its place.
func (s *wholeStream) add(rec *stream.Record, line int, seen map[string]int) (err error) {
	switch rec.Kind {
	case stream.KindHeader:
		if s.headerRec != nil {
			return &stream.StreamError{Line: line, Msg: "a second header; join streams by their file records only"}
		}
		s.headerRec = rec
		s.header, err = rec.Header()
	case stream.KindFooter:
		s.footerRec = rec
		s.footer, err = rec.Footer()
	case stream.KindFile:
		var f stream.File
		if f, err = rec.File(); err != nil {
			return err
		}
		if first, twice := seen[f.Path]; twice {
			return &stream.StreamError{Line: line, Msg: fmt.Sprintf("path %q was given in line %d already; keep one of the two", f.Path, first)}
		}
		seen[f.Path] = line
		s.items = append(s.items, item{rec: rec, file: &f})
	default:
		s.items = append(s.items, item{rec: rec})
	}
	return err
}

// waitNotice is how long a command waits for its standard input before it
// says what it waits for: some programs start others with a pipe that they
// never write to.
const waitNotice = 3 * time.Second

// input reads the stream on standard input; nil when there is none.
func (f *factory) input(ctx context.Context) (*wholeStream, error) {
	if !f.inStream {
		return nil, nil
	}
	first := time.AfterFunc(waitNotice, func() {
		f.notef("waiting for a stream on standard input; give </dev/null when there is none")
	})
	defer first.Stop()
	s, err := readStream(ctx, &notifying{f.stdin(ctx), func() { first.Stop() }})
	if errors.Is(err, errNoStream) {
		return nil, nil
	}
	return s, err
}

// required is input for commands that cannot do without.
func (f *factory) required(ctx context.Context, example string) (*wholeStream, error) {
	s, err := f.input(ctx)
	if err == nil && s == nil {
		return nil, usagef("stream: nothing on standard input; pipe one in, as in: %s", example)
	}
	return s, err
}

// notifying calls got at every read that returns.
type notifying struct {
	r   io.Reader
	got func()
}

func (n *notifying) Read(p []byte) (int, error) {
	k, err := n.r.Read(p)
	n.got()
	return k, err
}
