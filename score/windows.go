package score

import (
	"bytes"

	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/stream"
)

// KindWindow is the kind of a chunk that is a window of lines of a file without
// definitions, or a part of one long line.
const KindWindow = "window"

// Windows cuts a file, or the chunk within it, into windows of at most size bytes
// in all: those around the terms of the query, the best first, with some lines of
// context, none overlapping another. A line too long for that is cut around what
// it holds of the query; see [stream.Chunk].StartColumn. When it holds nothing of
// the query there is one window, the beginning, with score 0. A zero chunk means
// the whole file.
func (p *Passages) Windows(f stream.File, within stream.Chunk, size int) ([]stream.Chunk, error) {
	if p.text == nil || p.textOf != f.Path {
		id, err := lookup(p.corpus, f.Path)
		if err != nil || id < 0 {
			return nil, err
		}
		if p.text, err = p.corpus.Content(id, p.text); err != nil {
			return nil, err
		}
		p.textOf, p.places = f.Path, p.values.Places(p.text)
	}
	return cutWindows(p.text, p.places, within, size), nil
}

// Beginning is [Passages.Windows] without a query.
func Beginning(text []byte, within stream.Chunk, size int) []stream.Chunk {
	return cutWindows(text, nil, within, size)
}

const (
	// outsideBytes is about the size of the window of [outside].
	outsideBytes = 600
	// outsideLead is how much more of the query must be near there than inside of
	// definitions: a package clause or an import repeats a word of it often.
	outsideLead = 1.25
)

// outside is the window that holds most of the query outside of all definitions, if
// it holds clearly more than any inside of one; its score is 1.
func outside(text []byte, places []signal.Place, definitions []stream.Chunk) []stream.Chunk {
	covered := make([]bool, bytes.Count(text, []byte{'\n'})+2)
	for _, d := range definitions {
		for l := max(d.StartLine, 1); l <= d.EndLine && l < len(covered); l++ {
			covered[l] = true
		}
	}
	var free, inside []signal.Place
	line, at := 1, 0
	for _, p := range places {
		line, at = line+bytes.Count(text[at:p.Start], []byte{'\n'}), p.Start
		if covered[line] {
			inside = append(inside, p)
		} else {
			free = append(free, p)
		}
	}
	if densest(text, free) <= densest(text, inside)*outsideLead {
		return nil
	}
	return cutWindows(text, free, stream.Chunk{}, outsideBytes)[:1]
}

// densest is how much of the query is near each other anywhere in a text.
func densest(text []byte, places []signal.Place) float64 {
	w := &windower{text: text, hi: len(text), places: places}
	for _, p := range places {
		w.terms = max(w.terms, p.Term+1)
	}
	_, _, value := w.densest(focusBytes)
	return value
}

func cutWindows(text []byte, places []signal.Place, within stream.Chunk, size int) []stream.Chunk {
	w := &windower{text: text, room: size, seen: map[int]bool{}}
	w.lo, w.hi = rangeOf(text, within)
	if w.lo >= w.hi || size < minWindow {
		return nil
	}
	for _, p := range places {
		if p.Start >= w.lo && p.End <= w.hi && p.Weight > 0 {
			w.places = append(w.places, p)
			w.terms = max(w.terms, p.Term+1)
		}
	}
	w.choose()
	if len(w.out) == 0 {
		w.begin()
	}
	for i := range w.out {
		w.grow(i, wideLines, wideCut)
	}
	return w.chunks(within)
}

// rangeOf are the bytes of a chunk; all of the text for a zero one.
func rangeOf(text []byte, c stream.Chunk) (lo, hi int) {
	if c.StartLine > 0 {
		at := lineOffset(text, c.StartLine)
		if c.StartColumn > 0 {
			return min(at+c.StartColumn-1, len(text)), min(at+c.EndColumn, len(text))
		}
		lo, hi = at, at+lineOffset(text[at:], max(c.EndLine, c.StartLine)-c.StartLine+2)
	} else {
		hi = len(text)
	}
	for hi > lo && text[hi-1] == '\n' {
		hi--
	}
	return lo, hi
}

// lineOffset is where the nth line begins, counted from 1; the length of the text
// when it has fewer.
func lineOffset(text []byte, n int) int {
	at := 0
	for ; n > 1; n-- {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next + 1
	}
	return at
}
