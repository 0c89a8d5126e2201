package score

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/stream"
)

// Sizes of windows, in bytes unless said otherwise.
const (
	maxWindows = 6
	// windowShare drops windows that hold less than this share of what the best
	// one holds of the query; terms shown before count repeatShare.
	windowShare = 0.3
	repeatShare = 0.25
	focusBytes  = 400 // within which terms of the query are near each other
	longLine    = 1200
	contextLine = 400 // the longest line shown as context
	nearLines   = 3   // of context on each side, before other windows are looked for
	wideLines   = 20  // of context on each side, when room is left
	headLines   = 120 // shown of a text that holds nothing of the query
	nearCut     = 240 // of a line that is cut
	wideCut     = 600
	minWindow   = 16
)

// windower cuts one stretch of a text.
type windower struct {
	text   []byte
	lo, hi int // the stretch
	room   int // bytes left
	places []signal.Place
	terms  int          // more than the number of any
	seen   map[int]bool // terms shown
	out    []window
}

// window is text[from:to], without the last line break.
type window struct {
	from, to int
	value    float64
}

// choose takes the stretches that hold most of the query, one after the other.
func (w *windower) choose() {
	best := 0.0
	for len(w.out) < maxWindows && w.room >= minWindow {
		i, j, value := w.densest(min(w.room, focusBytes))
		if value <= 0 || value < best*windowShare {
			return
		}
		best = max(best, value)
		w.take(i, j, value)
	}
}

// densest finds the places i to j, at most width bytes apart and with no window
// between, whose terms weigh most; the first and shortest of them.
func (w *windower) densest(width int) (i, j int, value float64) {
	count, weight := make([]int, w.terms), make([]float64, w.terms)
	sum, from := 0.0, 0
	drop := func() {
		p := w.places[from]
		if count[p.Term]--; count[p.Term] == 0 {
			sum -= weight[p.Term]
		}
		from++
	}
	for k, p := range w.places {
		for from < k && (p.End-w.places[from].Start > width || w.apart(w.places[from].Start, p.Start)) {
			drop()
		}
		if count[p.Term]++; count[p.Term] == 1 {
			weight[p.Term] = p.Weight
			if w.seen[p.Term] {
				weight[p.Term] *= repeatShare
			}
			sum += weight[p.Term]
		}
		for from < k && count[w.places[from].Term] > 1 {
			drop()
		}
		if sum > value*(1+1e-9) || sum >= value*(1-1e-9) && p.End-w.places[from].Start < w.places[j].End-w.places[i].Start {
			i, j, value = from, k, sum
		}
	}
	return i, j, value
}

// apart reports whether a window lies between two offsets.
func (w *windower) apart(a, b int) bool {
	return slices.ContainsFunc(w.out, func(o window) bool { return o.from >= a && o.from < b })
}

// take makes a window of the lines of the places i to j, or of the line that
// weighs most, or of a part of it.
func (w *windower) take(i, j int, value float64) {
	limit := min(w.room, longLine)
	from, to := w.lineStart(w.places[i].Start), w.lineEnd(w.places[j].End)
	if to-from > limit {
		i, j = w.heaviestLine(i, j)
		if from, to = w.lineStart(w.places[i].Start), w.lineEnd(w.places[j].End); to-from > limit {
			from, to = w.places[i].Start, min(w.places[j].End, w.places[i].Start+w.room)
		}
	}
	w.room -= to - from + 1
	w.out = append(w.out, window{w.runeUp(from), w.runeDown(to), value})
	others := w.room / 2 // is kept for other windows
	w.room -= others
	w.grow(len(w.out)-1, nearLines, nearCut)
	w.room += others
	got := w.out[len(w.out)-1]
	w.places = slices.DeleteFunc(w.places, func(p signal.Place) bool {
		shown := p.Start < got.to && p.End > got.from
		if shown {
			w.seen[p.Term] = true
		}
		return shown
	})
}

// heaviestLine are the first and last of the places i to j on the line whose terms
// weigh most.
func (w *windower) heaviestLine(i, j int) (first, last int) {
	best := -1.0
	for a := i; a <= j; {
		end, b, sum := w.lineEnd(w.places[a].Start), a, 0.0
		terms := map[int]bool{}
		for ; b <= j && w.places[b].Start < end; b++ {
			if p := w.places[b]; !terms[p.Term] {
				terms[p.Term] = true
				sum += p.Weight
			}
		}
		if sum > best {
			first, last, best = a, max(a, b-1), sum
		}
		a = max(b, a+1)
	}
	return first, last
}

// begin takes the beginning of the stretch.
func (w *windower) begin() {
	at, end := w.lo, w.lo
	for n := 0; n < headLines && at < w.hi; n++ {
		stop := w.lineEnd(at)
		if stop-w.lo > w.room || stop-at > longLine {
			break
		}
		end, at = stop, stop+1
	}
	if end == w.lo {
		end = w.runeDown(min(w.lo+min(w.room, wideCut), w.hi))
	}
	w.room -= end - w.lo
	w.out = append(w.out, window{w.lo, end, 0})
}

// grow adds context to a window while there is room: lines on both sides, or the
// text around it when it is part of a line.
func (w *windower) grow(i, lines, cut int) {
	o := &w.out[i]
	if o.from != w.lineStart(o.from) || o.to != w.lineEnd(o.to) {
		pad := min(max(cut-(o.to-o.from), 0), max(w.room, 0)) / 2
		from, to := max(o.from-pad, w.lineStart(o.from)), min(o.to+pad, w.lineEnd(o.to))
		if !w.taken(i, from, o.from) {
			w.room -= o.from - from
			o.from = w.runeUp(from)
		}
		if !w.taken(i, o.to, to) {
			w.room -= to - o.to
			o.to = w.runeDown(to)
		}
		return
	}
	if o.value == 0 {
		return // the beginning has all that it may have
	}
	up, down := true, true
	for n := 0; n < lines && (up || down); n++ {
		if up = up && o.from > w.lo; up {
			from := w.lineStart(o.from - 1)
			if up = w.affords(o.from-from) && !w.taken(i, from, o.from); up {
				w.room -= o.from - from
				o.from = from
			}
		}
		if down = down && o.to < w.hi; down {
			to := w.lineEnd(o.to + 1)
			if down = w.affords(to-o.to) && !w.taken(i, o.to, to); down {
				w.room -= to - o.to
				o.to = to
			}
		}
	}
}

func (w *windower) affords(n int) bool { return n <= min(w.room, contextLine) }

// taken reports whether another window than i has a part of [from, to).
func (w *windower) taken(i, from, to int) bool {
	for k, o := range w.out {
		if k != i && o.from < to && o.to > from {
			return true
		}
	}
	return false
}

// lineStart and lineEnd bound the line of an offset, within the stretch.
func (w *windower) lineStart(at int) int {
	return w.lo + bytes.LastIndexByte(w.text[w.lo:max(at, w.lo)], '\n') + 1
}

func (w *windower) lineEnd(at int) int {
	if at >= w.hi {
		return w.hi
	}
	if n := bytes.IndexByte(w.text[at:w.hi], '\n'); n >= 0 {
		return at + n
	}
	return w.hi
}

// runeUp and runeDown move an offset to the start of a rune.
func (w *windower) runeUp(at int) int {
	for n := 0; n < utf8.UTFMax && at < w.hi && !utf8.RuneStart(w.text[at]); n++ {
		at++
	}
	return at
}

func (w *windower) runeDown(at int) int {
	for n := 0; n < utf8.UTFMax && at > w.lo && at < w.hi && !utf8.RuneStart(w.text[at]); n++ {
		at--
	}
	return at
}

// chunks are the windows as they are in the stream, best first.
func (w *windower) chunks(within stream.Chunk) []stream.Chunk {
	best := 0.0
	for _, o := range w.out {
		best = max(best, o.value)
	}
	out := make([]stream.Chunk, 0, len(w.out))
	for _, o := range w.out {
		if o.from >= o.to {
			continue
		}
		c := stream.Chunk{Kind: cmp.Or(within.Kind, KindWindow), Name: within.Name, Signature: within.Signature}
		c.StartLine = bytes.Count(w.text[:o.from], []byte{'\n'}) + 1
		c.EndLine = c.StartLine + bytes.Count(w.text[o.from:o.to], []byte{'\n'})
		start := bytes.LastIndexByte(w.text[:o.from], '\n') + 1
		if o.from > start || o.to < len(w.text) && w.text[o.to] != '\n' {
			c.StartColumn, c.EndColumn = o.from-start+1, o.to-start
		}
		if best > 0 {
			c.Score = math.Round(o.value/best*1e6) / 1e6
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b stream.Chunk) int { return cmp.Compare(b.Score, a.Score) })
	return out
}
