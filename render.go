package topo

import (
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
}

// alreadySelected is a minimum score that no file misses: what was selected once is
// not to be cut again by score.
const alreadySelected = -1

// Render prints the files of the stream with their contents, those that were indexed
// or scanned; a file that has changed since is marked. With a budget the selection is
// made again to fit it, and the output never costs more.
func (r *Repo) Render(ctx context.Context, w io.Writer, s *stream.Stream, o RenderOptions) error {
	files := s.Files()
	r.allow(files)
	l := r.loader(ctx, s.Header.Query)
	l.showSecrets = o.ShowSecrets
	ro, err := renderOptions(o.Budget.Tokenizer)
	if err != nil {
		return err
	}
	format := o.Format
	if format == "" {
		format = render.DefaultFormat
	}
	ro.LineNumbers, ro.Color, ro.Null, ro.OnLeftOut = o.LineNumbers, o.Color, o.Null, r.o.Report.note
	ro.MaxTokens, ro.MaxBytes = o.Budget.MaxTokens, o.Budget.MaxBytes
	if ro.MaxTokens > 0 || ro.MaxBytes > 0 {
		sizer, err := render.NewSizer(format, ro, l.load)
		if err != nil {
			return fault.Of(fault.Usage, err)
		}
		files, err = score.Select(ctx, files, score.Selection{
			Header: s.Header, Budget: o.Budget, MinScore: alreadySelected, Sizer: sizer,
			Chunks: l.best, Windows: l.windows, OnEmpty: r.o.Report.note})
		if err != nil {
			return err
		}
	}
	masked := 0
	load := func(d *render.Doc) error {
		err := l.load(d)
		masked += d.Masked
		return err
	}
	in := render.Input{Header: s.Header, Footer: s.Footer, Load: load, Docs: make([]render.Doc, len(files))}
	for i := range files {
		in.Docs[i].File = files[i]
	}
	err = render.Render(ctx, w, format, in, ro)
	if masked > 0 {
		r.o.Report.note(english.Count(masked, "secret") + " masked; --show-secrets prints them")
	}
	var small *render.BudgetError
	if errors.As(err, &small) {
		return fault.Of(fault.Usage, err)
	}
	return err
}
