package score

import (
	"context"
	"slices"
	"sort"

	"github.com/topo-dev/topo/stream"
)

// slack is the share of a budget that may stay unused where there is more to show.
const slack = 0.02

// filled reports whether what is left of the budget is not worth filling.
func (b *budget) filled() bool {
	left, limit := b.remaining(), b.limit()
	return left.bytes >= 0 && float64(left.bytes) <= slack*float64(limit.bytes) ||
		left.tokens >= 0 && float64(left.tokens) <= slack*float64(limit.tokens)
}

// grow spends what is left on the files that were cut, best first: whole, or with
// more of their chunks.
func (b *budget) grow() error {
	for i := range b.picked {
		if b.filled() {
			return nil
		}
		c := b.picked[i]
		if len(c.Chunks) == 0 {
			continue
		}
		share := b.limit().after(b.frame.plus(b.sections).minus(c.cost))
		ok, err := b.fit(&c, share)
		if err != nil {
			return err
		}
		if ok && c.cost.covers(b.picked[i].cost) {
			b.replace(i, c)
		}
	}
	return nil
}

// covers reports whether c is no less than d in both units.
func (c cost) covers(d cost) bool { return c.bytes >= d.bytes && c.tokens >= d.tokens }

// fill spends what is still left: on the next definitions of the files that were
// cut, then on other files.
func (b *budget) fill(ctx context.Context, rest []choice) error {
	for i := range b.picked {
		if b.filled() {
			return nil
		}
		if err := b.extend(i); err != nil {
			return err
		}
	}
	misses := 0
	for _, c := range rest {
		if b.filled() || b.full() || misses == maxTries {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		ok, err := b.take(c, 0)
		if err != nil {
			return err
		}
		misses++
		if ok {
			misses = 0
			if err := b.extend(len(b.picked) - 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// extend adds to the picked file i, when it was cut, as many of its next
// definitions as there is room for, and the first lines of the one after them.
func (b *budget) extend(i int) error {
	c := b.picked[i]
	if len(c.Chunks) == 0 {
		return nil
	}
	lines, err := b.sel.Sizer.Lines(c.File)
	if err != nil || lines == 0 {
		return err
	}
	if err := b.offer(&c); err != nil {
		return err
	}
	share := b.limit().after(b.frame.plus(b.sections).minus(c.cost))
	next := slices.DeleteFunc(slices.Clone(c.offered), func(k stream.Chunk) bool { return covered(c.Chunks, k) })
	next = append(next, stream.Chunk{Kind: KindWindow, StartLine: 1, EndLine: lines})
	n, err := b.largest(&c, len(next), share, func(n int) []stream.Chunk { return next[:n] })
	if err != nil {
		return err
	}
	if n == len(next) {
		c.Chunks = nil // all of it
		b.replace(i, c)
		return nil
	}
	part := next[n]
	if _, err = b.largest(&c, part.EndLine-part.StartLine, share, func(n int) []stream.Chunk {
		head := part
		head.EndLine = part.StartLine + n - 1
		return []stream.Chunk{head}
	}); err != nil {
		return err
	}
	c.Chunks = withoutShorter(c.Chunks)
	b.replace(i, c)
	return nil
}

// withoutShorter leaves out what is followed by more of the same definition.
func withoutShorter(chunks []stream.Chunk) []stream.Chunk {
	last := chunks[len(chunks)-1]
	return append(slices.DeleteFunc(slices.Clone(chunks[:len(chunks)-1]), func(c stream.Chunk) bool {
		return c.Name == last.Name && covered([]stream.Chunk{last}, c)
	}), last)
}

// largest gives c as many more chunks as share holds: more(n) for the largest n up
// to most, found by halving. It returns n.
func (b *budget) largest(c *choice, most int, share cost, more func(n int) []stream.Chunk) (n int, err error) {
	have := c.Chunks
	sort.Search(most, func(k int) bool {
		if err != nil {
			return true
		}
		var sum cost
		if sum, err = b.measureParts(c, have, more(k+1)...); err != nil || !sum.fitsIn(share) {
			return true
		}
		if k+1 > n {
			n, c.cost, c.Chunks = k+1, sum, append(have[:len(have):len(have)], more(k+1)...)
		}
		return false
	})
	return n, err
}
