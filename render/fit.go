package render

import (
	"context"
	"fmt"
	"io"
)

// minCut is the fewest lines of a document worth printing when it is cut.
const minCut = 3

// run is one call of Render.
type run struct {
	ctx    context.Context
	format *Format
	enc    encoder
	in     Input
	o      Options
}

func (r *run) docs() []*Doc {
	docs := make([]*Doc, len(r.in.Docs))
	for i := range r.in.Docs {
		d := r.in.Docs[i] // a copy: the caller's is not changed by Load
		docs[i] = &d
	}
	return distinct(docs, r.format.namesSame)
}

// stream writes without a limit, one document in memory at a time.
func (r *run) stream(w io.Writer) error {
	docs := r.docs()
	if _, err := w.Write(r.enc.open(docs)); err != nil {
		return err
	}
	var buf []byte
	for i, d := range docs {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if err := prepare(r.format, r.in.Load, d); err != nil {
			return err
		}
		s := r.enc.section(d, i)
		buf = s.text(buf[:0], len(s.lines))
		d.Content, d.Outline = nil, nil
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	_, err := w.Write(r.enc.close(docs, leftOut{}))
	return err
}

// cut is a place where the output may end: after n documents, the last of
// which is printed to the given line.
type cut struct{ n, lines int }

// fit returns the longest output within the limits that ends at a cut, and
// what it leaves out.
func (r *run) fit() ([]byte, leftOut, error) {
	docs := r.docs()
	secs, err := r.candidates(docs)
	if err != nil {
		return nil, leftOut{}, err
	}
	cuts := cutsOf(secs)
	if out, left := r.text(docs, secs, cuts[len(cuts)-1]); r.fits(out) {
		return out, left, nil
	}
	var best []byte
	var bestLeft leftOut
	lo, hi := 0, len(cuts)-1 // cuts[hi] is known not to fit
	for lo < hi {
		mid := (lo + hi) / 2
		if out, left := r.text(docs, secs, cuts[mid]); r.fits(out) {
			best, bestLeft, lo = out, left, mid+1
		} else {
			hi = mid
		}
	}
	if best != nil {
		return best, bestLeft, nil
	}
	// Cost is not quite monotone: the shortest output names the most files
	// left out. Try the first few cuts before giving up.
	for _, c := range cuts[:min(len(cuts), 8)] {
		if out, left := r.text(docs, secs, c); r.fits(out) {
			return out, left, nil
		}
	}
	frame, _ := r.text(docs, secs, cuts[0])
	return nil, leftOut{}, &BudgetError{r.format.Name, r.o.Counter.Count(frame), int64(len(frame))}
}

// candidates are the sections of the first documents, as many as could fit if
// the frame cost nothing; the last one may be over the limit.
func (r *run) candidates(docs []*Doc) ([]section, error) {
	var secs []section
	tokens, bytes := 0, int64(0)
	over := func() bool {
		return r.o.MaxBytes > 0 && bytes > r.o.MaxBytes ||
			r.o.MaxTokens > 0 && tokens > r.o.MaxTokens+r.o.MaxTokens/4+64
	}
	for i, d := range docs {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		if err := prepare(r.format, r.in.Load, d); err != nil {
			return nil, err
		}
		s := r.enc.section(d, i)
		tokens += r.o.Counter.Count(s.head)
		bytes += int64(len(s.head))
		for j, l := range s.lines {
			tokens += r.o.Counter.Count(l)
			bytes += int64(len(l))
			if over() {
				// The rest of this document cannot be printed.
				s.lines = s.lines[:j+1]
				return append(secs, s), nil
			}
		}
		secs = append(secs, s)
		if over() {
			return secs, nil
		}
	}
	return secs, nil
}

func cutsOf(secs []section) []cut {
	cuts := []cut{{0, 0}}
	for i := range secs {
		for k := minCut; k < len(secs[i].lines); k++ {
			cuts = append(cuts, cut{i + 1, k})
		}
		cuts = append(cuts, cut{i + 1, len(secs[i].lines)})
	}
	return cuts
}

// text is the whole output that ends at c, and what it leaves out.
func (r *run) text(docs []*Doc, secs []section, c cut) ([]byte, leftOut) {
	left := leftOut{limit: r.limit()}
	for _, d := range docs[c.n:] {
		left.docs = append(append(left.docs, d), d.same...)
	}
	out := r.enc.open(docs[:c.n])
	for i := 0; i < c.n; i++ {
		n := len(secs[i].lines)
		if i == c.n-1 && c.lines < secs[i].total {
			left.cut, n = docs[i], c.lines
		}
		out = secs[i].text(out, n)
	}
	return append(out, r.enc.close(docs[:c.n], left)...), left
}

func (r *run) fits(out []byte) bool {
	if r.o.MaxBytes > 0 && int64(len(out)) > r.o.MaxBytes {
		return false
	}
	return r.o.MaxTokens == 0 || r.o.Counter.Count(out) <= r.o.MaxTokens
}

func (r *run) limit() string {
	switch {
	case r.o.MaxTokens > 0 && r.o.MaxBytes > 0:
		return fmt.Sprintf("%d tokens and %d bytes", r.o.MaxTokens, r.o.MaxBytes)
	case r.o.MaxTokens > 0:
		return fmt.Sprintf("%d tokens", r.o.MaxTokens)
	}
	return fmt.Sprintf("%d bytes", r.o.MaxBytes)
}
