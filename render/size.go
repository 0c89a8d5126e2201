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
	docs   map[string]*Doc // measured, by path
	size   int             // bytes of their contents
}

// maxKept bounds the contents that a Sizer keeps, in bytes.
const maxKept = 32 << 20

// NewSizer returns a Sizer for a format and options as given to [Render], with
// load as in [Input.Load].
func NewSizer(format string, o Options, load func(*Doc) error) (*Sizer, error) {
	f, err := Lookup(format)
	if err != nil {
		return nil, err
	}
	if err := o.setCounter(); err != nil {
		return nil, err
	}
	o.Counter = remember(o.Counter)
	return &Sizer{format: f, o: o, load: load, enc: f.encoder(stream.Header{}, stream.Footer{}, &o), docs: map[string]*Doc{}}, nil
}

// Frame is the cost of the output without the sections of files: its bytes and
// tokens. The tree in it lists the files.
func (s *Sizer) Frame(h stream.Header, files []stream.File) (bytes int64, tokens int) {
	// Totals are not known yet; no number is longer than these.
	big := stream.Footer{TotalFiles: 1 << 30, TotalTokens: 1 << 40, ScannedFiles: 1 << 30}
	enc := s.format.encoder(h, big, &s.o)
	some := []*Doc{{File: stream.File{Tokens: big.TotalTokens}}}
	listed := make([]*Doc, len(files))
	for i := range files {
		listed[i] = &Doc{File: files[i]}
	}
	frame := append(enc.open(listed), enc.close(some, leftOut{})...)
	return int64(len(frame)), s.o.Counter.Count(frame)
}

// File is the cost of the section of f: of the parts in f.Chunks, or of all of it
// when there are none, and of naming the files with the same content.
func (s *Sizer) File(f stream.File, same []stream.File) (bytes int64, tokens int, err error) {
	d, err := s.doc(f)
	if err != nil {
		return 0, 0, err
	}
	all := []*Doc{d}
	for _, f := range same {
		all = append(all, &Doc{File: f})
	}
	var text []byte
	for i, d := range distinct(all, s.format.namesSame) {
		sec := s.enc.section(d, i+1)
		text = sec.text(text, len(sec.lines))
	}
	return int64(len(text)), s.o.Counter.Count(text), nil
}

// Lines is how many lines f has; 0 when the format does not print them.
func (s *Sizer) Lines(f stream.File) (int, error) {
	d, err := s.doc(f)
	if err != nil {
		return 0, err
	}
	return len(splitLines(d.Content)), nil
}

// Load is [Input.Load] for what was measured: a content is not loaded again.
func (s *Sizer) Load(d *Doc) error {
	full, err := s.doc(d.File)
	if err == nil {
		d.Content, d.Outline, d.Stale, d.Masked, d.Missing = full.Content, full.Outline, full.Stale, full.Masked, full.Missing
	}
	return err
}

// doc is f with its content, which is loaded once.
func (s *Sizer) doc(f stream.File) (*Doc, error) {
	kept, ok := s.docs[f.Path]
	if !ok {
		kept = &Doc{File: f}
		if err := prepare(s.format, s.load, kept); err != nil {
			return nil, fmt.Errorf("measure: %w", err)
		}
		if s.size += len(kept.Content); s.size > maxKept {
			clear(s.docs)
			s.size = len(kept.Content)
		}
		s.docs[f.Path] = kept
	}
	d := *kept
	d.File = f
	return &d, nil
}
