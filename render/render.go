package render

import (
	"context"
	"fmt"
	"io"

	"github.com/topo-dev/topo/stream"
)

// Input is what one call of [Render] prints.
type Input struct {
	Header stream.Header
	Docs   []Doc         // in the order in which they are printed, most relevant first
	Footer stream.Footer // its totals are replaced by those of what was printed

	// Load fills Content (and Outline, Stale, Missing) of a Doc whose Content
	// is nil. It is called at most once for a Doc, in order, by formats that
	// need content, and not for files that a budget rules out before. Nil
	// means that every Doc is complete.
	Load func(*Doc) error
}

// Doc is one file to print.
type Doc struct {
	File    stream.File
	Content []byte
	// Spans are the lines to print; nil means those of File.Chunks, or the
	// whole file when it has no chunks.
	Spans []Span
	// Outline holds every definition of the file. Those outside the spans are
	// printed by signature.
	Outline []stream.Chunk
	Stale   bool   // the file changed since Content was indexed
	Masked  int    // credentials in Content that were replaced by their kind
	Missing string // why there is no Content to print; empty when there is

	// A file with the content of an earlier one is not printed again: it is among
	// the same of that one, or has its path in sameAs.
	same   []*Doc
	sameAs string
}

// Span is a range of lines, 1-based and inclusive.
type Span struct{ Start, End int }

// Options is how to print. The zero value prints everything, plainly.
type Options struct {
	MaxTokens   int     // of the whole output, by Counter; 0 means no limit
	MaxBytes    int64   // of the whole output; 0 means no limit
	Counter     Counter // nil means that of [DefaultTokenizer] with MaxTokens, else bytes/4
	LineNumbers bool    // before each line of content
	Scores      bool    // in the header of each file
	Color       bool    // human format only
	Null        bool    // paths format only: end each with a zero byte
	// Outline is how many signatures of what is left out are printed for one
	// file: 0 means what a quarter of the code shown holds, 24 at the most;
	// negative means none.
	Outline int
	// Fence gives the identifier that names a language in a code fence. Nil
	// means the canonical name of the language.
	Fence func(language string) string
	// OnLeftOut receives, once and in one line, what a budget left out; the
	// output says it too, but in the paths format. Nil means that it is not needed.
	OnLeftOut func(note string)
}

// BudgetError says that not even the frame of the output fits.
type BudgetError struct {
	Format     string
	NeedTokens int   // tokens of the empty frame
	NeedBytes  int64 // bytes of the empty frame
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("render: the budget is too small for format %s, whose empty frame takes %d tokens (%d bytes); raise it",
		e.Format, e.NeedTokens, e.NeedBytes)
}

// Render writes in to w in the given format. The error is a [*BudgetError]
// when the budget does not hold the empty frame, an unknown format, or what
// Load, w or ctx report.
func Render(ctx context.Context, w io.Writer, format string, in Input, o Options) error {
	f, err := Lookup(format)
	if err != nil {
		return err
	}
	if o.MaxTokens < 0 || o.MaxBytes < 0 {
		return fmt.Errorf("render: a budget must not be negative (got %d tokens, %d bytes)", o.MaxTokens, o.MaxBytes)
	}
	if err := o.setCounter(); err != nil {
		return err
	}
	o.Counter = remember(o.Counter)
	r := &run{ctx: ctx, format: f, enc: f.encoder(in.Header, in.Footer, &o), in: in, o: o}
	if o.MaxTokens == 0 && o.MaxBytes == 0 {
		return r.stream(w)
	}
	out, left, err := r.fit()
	if err != nil {
		return err
	}
	if !left.none() && o.OnLeftOut != nil {
		o.OnLeftOut(left.note())
	}
	_, err = w.Write(out)
	return err
}

// prepare gives the Doc its content, when the format prints any.
func prepare(f *Format, load func(*Doc) error, d *Doc) error {
	if !f.NeedsContent || d.Content != nil || d.Missing != "" || load == nil {
		return nil
	}
	if d.File.Skipped != "" || d.sameAs != "" {
		return nil
	}
	if err := load(d); err != nil {
		return fmt.Errorf("render: content of %q: %w", d.File.Path, err)
	}
	return nil
}
