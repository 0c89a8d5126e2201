package topo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// RenderOptions say how a selection is printed. The zero value prints everything as
// Markdown.
type RenderOptions struct {
	Format      string // one of [render.Formats]; empty is Markdown
	Budget      Budget // of the output; Top does not count
	LineNumbers bool   // before each line
	Color       bool
	ShowSecrets bool // print credentials as they are instead of masking them
	Null        bool // format paths: each path ends with a zero byte
	// OnCut is called, at most once, when the budget does not hold the selection
	// as it is. Nil means that it is not needed.
	OnCut func()
}

// alreadySelected is a minimum score that no file misses: what was selected once is
// not to be cut again by score.
const alreadySelected = -1

// Render prints the files of the stream with their contents, those that were indexed
// or scanned; a file that has changed since is marked. The output never costs more
// than the budget. A selection that was made for that budget is printed as it is; with
// a budget of bytes alone so is one that fits. Otherwise the selection is made again.
func (r *Repo) Render(ctx context.Context, w io.Writer, s *stream.Stream, o RenderOptions) error {
	files := s.Files()
	r.allow(files)
	l := r.loader(ctx, s.Header.Query)
	l.showSecrets = o.ShowSecrets
	ro, err := renderOptions(o.Budget)
	if err != nil {
		return err
	}
	p := printing{loader: l, load: l.load, stream: s, format: cmp.Or(o.Format, render.DefaultFormat), options: ro}
	p.options.LineNumbers, p.options.Color, p.options.Null, p.options.OnLeftOut = o.LineNumbers, o.Color, o.Null, r.o.Report.note
	b := o.Budget
	if b.MaxTokens == 0 && b.MaxBytes > 0 {
		if out, ok, err := p.within(ctx, files, b.MaxBytes); err != nil || ok {
			return errors.Join(err, write(w, out))
		}
	}
	p.options.MaxTokens, p.options.MaxBytes = b.MaxTokens, b.MaxBytes
	if b.Limited() && !o.selected(s.Header.Budget) {
		if files, err = p.selectAgain(ctx, files, b, r.o.Report.note); err != nil {
			return err
		}
		if o.OnCut != nil {
			o.OnCut()
		}
	}
	return p.print(ctx, w, files)
}

// selected reports whether a selection with budget b is one for what is printed.
func (o *RenderOptions) selected(b Budget) bool {
	want := withTokenizer(o.Budget)
	b.Top, want.Top = 0, 0
	return b == want && cmp.Or(o.Format, render.DefaultFormat) == render.DefaultFormat && !o.LineNumbers && !o.ShowSecrets
}

// printing is one call of Render.
type printing struct {
	*loader
	load    func(*render.Doc) error
	stream  *stream.Stream
	format  string
	options render.Options
}

func (p *printing) print(ctx context.Context, w io.Writer, files []stream.File) error {
	masked := 0
	load := func(d *render.Doc) error {
		err := p.load(d)
		masked += d.Masked
		return err
	}
	in := render.Input{Header: p.stream.Header, Footer: p.stream.Footer, Load: load, Docs: make([]render.Doc, len(files))}
	for i := range files {
		in.Docs[i].File = files[i]
	}
	err := render.Render(ctx, w, p.format, in, p.options)
	if masked > 0 && !errors.Is(err, errOverLimit) {
		p.r.o.Report.note(english.Count(masked, "secret") + " masked; --show-secrets prints them")
	}
	var small *render.BudgetError
	if errors.As(err, &small) {
		return fault.Of(fault.Usage, err)
	}
	return err
}

// selectAgain makes the selection fit the budget.
func (p *printing) selectAgain(ctx context.Context, files []stream.File, b Budget, note func(string)) ([]stream.File, error) {
	sizer, err := render.NewSizer(p.format, p.options, p.load)
	if err != nil {
		return nil, fault.Of(fault.Usage, err)
	}
	p.load = sizer.Load
	return score.Select(ctx, files, score.Selection{Header: p.stream.Header, Budget: b, MinScore: alreadySelected,
		Sizer: sizer, Chunks: p.best, Windows: p.windows, OnEmpty: note})
}

// errOverLimit ends an output that is over its limit.
var errOverLimit = errors.New("over the limit")

// limitedBuffer refuses what would make it longer than limit bytes.
type limitedBuffer struct {
	bytes.Buffer
	limit int64
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if int64(b.Len()+len(p)) > b.limit {
		return 0, errOverLimit
	}
	return b.Buffer.Write(p)
}

// within is the output with all that is in the files; ok reports whether it has no
// more bytes than limit.
func (p *printing) within(ctx context.Context, files []stream.File, limit int64) (out []byte, ok bool, err error) {
	b := &limitedBuffer{limit: limit}
	err = p.print(ctx, b, files)
	if errors.Is(err, errOverLimit) {
		return nil, false, nil
	}
	return b.Bytes(), err == nil, err
}

func write(w io.Writer, out []byte) error {
	_, err := w.Write(out)
	return err
}
