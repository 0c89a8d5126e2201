package render

import (
	"fmt"

	"github.com/topo-dev/topo/stream"
)

// Sizer measures what [Render] will print, to make a selection that
// fits a budget. Costs add up: the sum of the frame and of every file is never
// less than the cost of the whole output, but for a few tokens of a
// vocabulary, which the guard of Render covers.
//
// A Sizer is not safe for concurrent use.
type Sizer struct {
	format *Format
	o      Options
	load   func(*Doc) error
	enc    encoder
	last   *Doc // the Doc measured last: its content is used again
}

// NewSizer returns a Sizer for a format and options as given to [Render], with
// load as in [Input.Load].
func NewSizer(format string, o Options, load func(*Doc) error) (*Sizer, error) {
	f, err := Lookup(format)
	if err != nil {
		return nil, err
	}
	if o.Counter == nil {
		o.Counter = Bytes{}
	}
	return &Sizer{format: f, o: o, load: load, enc: f.encoder(stream.Header{}, stream.Footer{}, &o)}, nil
}

// Frame is the cost of the output without any file: its bytes and tokens.
func (s *Sizer) Frame(h stream.Header) (bytes int64, tokens int) {
	// Totals are not known yet; no number is longer than these.
	big := stream.Footer{TotalFiles: 1 << 30, TotalTokens: 1 << 40, ScannedFiles: 1 << 30}
	enc := s.format.encoder(h, big, &s.o)
	some := []*Doc{{File: stream.File{Tokens: big.TotalTokens}}}
	frame := append(enc.open(nil), enc.close(some, leftOut{})...)
	return int64(len(frame)), s.o.Counter.Count(frame)
}

// File is what f adds to the output: the parts in f.Chunks, or all of it when
// there are none. The error is that of load.
func (s *Sizer) File(f stream.File) (bytes int64, tokens int, err error) {
	d, err := s.doc(f)
	if err != nil {
		return 0, 0, err
	}
	sec := s.enc.section(d, 1)
	text := sec.text(nil, len(sec.lines))
	// Its line in the tree, with its folder's, as if it were the only file.
	with, without := s.enc.open([]*Doc{d}), s.enc.open(nil)
	if len(with) > len(without) {
		text = append(text, with[len(without):]...)
	}
	return int64(len(text)), s.o.Counter.Count(text), nil
}

// doc loads the content of f unless it is the file measured last.
func (s *Sizer) doc(f stream.File) (*Doc, error) {
	if s.last == nil || s.last.File.Path != f.Path {
		d := &Doc{File: f}
		if err := prepare(s.format, s.load, d); err != nil {
			return nil, fmt.Errorf("measure: %w", err)
		}
		s.last = d
	}
	s.last.File = f
	return s.last, nil
}
