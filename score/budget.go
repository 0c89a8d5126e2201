package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/topo-dev/topo/stream"
)

// cost is what a part of the output costs in both units.
type cost struct {
	bytes  int64
	tokens int
}

func (c cost) plus(d cost) cost  { return cost{c.bytes + d.bytes, c.tokens + d.tokens} }
func (c cost) minus(d cost) cost { return cost{c.bytes - d.bytes, c.tokens - d.tokens} }

// after is what is left of a limit once c is spent; a unit without a limit stays
// without one.
func (limit cost) after(c cost) cost {
	if limit.bytes >= 0 {
		limit.bytes = max(limit.bytes-c.bytes, 0)
	}
	if limit.tokens >= 0 {
		limit.tokens = max(limit.tokens-c.tokens, 0)
	}
	return limit
}

// choice is a file that is selected or may be.
type choice struct {
	stream.File                // in the form in which it is printed
	source      stream.File    // as it was ranked
	same        []stream.File  // later files with the same content: they are named
	cost        cost           // of its section
	offered     []stream.Chunk // its definitions, once they were asked for
}

// budget keeps account of one selection. What is used is the frame, which lists the
// files, and their sections.
type budget struct {
	sel      *Selection
	frame    cost
	sections cost
	picked   []choice
}

// limit is the budget; -1 in a unit without a limit.
func (b *budget) limit() cost {
	c := cost{-1, -1}
	if n := b.sel.Budget.MaxBytes; n > 0 {
		c.bytes = n
	}
	if n := b.sel.Budget.MaxTokens; n > 0 {
		c.tokens = n
	}
	return c
}

// remaining is what is left of the budget; -1 in a unit without a limit.
func (b *budget) remaining() cost { return b.limit().after(b.frame.plus(b.sections)) }

func (b *budget) exhausted() bool {
	left := b.remaining()
	return left.bytes == 0 || left.tokens == 0
}

// frameWith is the cost of the frame that lists the picked files and more.
func (b *budget) frameWith(more ...stream.File) cost {
	files := make([]stream.File, 0, len(b.picked)+len(more))
	for i := range b.picked {
		files = append(files, b.picked[i].File)
	}
	bytes, tokens := b.sel.Sizer.Frame(b.sel.Header, append(files, more...))
	return cost{bytes, tokens}
}

// fitsIn reports whether c fits in limit.
func (c cost) fitsIn(limit cost) bool {
	return (limit.bytes < 0 || c.bytes <= limit.bytes) && (limit.tokens < 0 || c.tokens <= limit.tokens)
}

// half is half of what a limit holds.
func (c cost) half() cost {
	if c.bytes > 0 {
		c.bytes /= 2
	}
	if c.tokens > 0 {
		c.tokens /= 2
	}
	return c
}

// size is more bytes of text than a limit holds.
func (c cost) size() int {
	const most = 8 // bytes that a token may stand for, in long words
	size := int64(math.MaxInt32)
	if c.bytes >= 0 {
		size = min(size, c.bytes)
	}
	if c.tokens >= 0 {
		size = min(size, int64(c.tokens)*most)
	}
	return int(size)
}

// fileShare is what the next file may take when others follow it.
func (b *budget) fileShare(others int) cost {
	left := b.remaining()
	if others == 0 {
		return left
	}
	s := left
	if left.bytes >= 0 {
		s.bytes = min(left.bytes, max(int64(float64(left.bytes)*wholeShare), minShare*stream.CharsPerToken))
	}
	if left.tokens >= 0 {
		s.tokens = min(left.tokens, max(int(float64(left.tokens)*wholeShare), minShare))
	}
	return s
}

// measure is the cost of the section of c.
func (b *budget) measure(c *choice) (cost, error) {
	bytes, tokens, err := b.sel.Sizer.File(c.File, c.same)
	return cost{bytes, tokens}, err
}

// take selects c if there is room for it. others is how many files follow.
func (b *budget) take(c choice, others int) (bool, error) {
	frame := b.frameWith(c.File)
	share := b.fileShare(others).after(frame.minus(b.frame))
	c.same = b.nameable(c.same, share)
	ok, err := b.fit(&c, share)
	if ok {
		b.add(c, frame)
	}
	return ok, err
}

func (b *budget) add(c choice, frame cost) {
	b.frame, b.sections = frame, b.sections.plus(c.cost)
	b.picked = append(b.picked, c)
}

// replace gives the picked file i another form.
func (b *budget) replace(i int, c choice) {
	b.sections = b.sections.minus(b.picked[i].cost).plus(c.cost)
	b.picked[i] = c
}

// fit finds the form in which c is selected: whole, or by its best chunks.
func (b *budget) fit(c *choice, share cost) (ok bool, err error) {
	c.Chunks = nil
	if b.mayFit(c.File, share) {
		if c.cost, err = b.measure(c); err != nil || c.cost.fitsIn(share) {
			return err == nil, err
		}
	}
	if err := b.offer(c); err != nil {
		return false, err
	}
	picked, sum, err := b.pickChunks(c, share)
	if err != nil || len(picked) == 0 {
		return false, err
	}
	c.Chunks, c.cost = picked, sum
	return true, nil
}

// offer finds the definitions of c.
func (b *budget) offer(c *choice) (err error) {
	if c.offered == nil {
		c.offered = c.source.Chunks
	}
	if c.offered == nil && b.sel.Chunks != nil {
		c.offered, err = b.sel.Chunks(c.source)
	}
	return err
}

// mayFit spares the measure of a file whose text alone is far too long.
// Formats that print no content measure small: they are always measured.
func (b *budget) mayFit(f stream.File, share cost) bool {
	const most = 1 << 20
	return f.Size <= most || share.bytes > f.Size || int64(share.tokens) > f.Size/stream.CharsPerToken
}

// orderByValue is the order in which definitions get room: the best
// one, then the others by score over the root of their length, since two short
// ones often answer more than the long one that they make room for. Those far
// less relevant than the best are left out.
func orderByValue(chunks []stream.Chunk) []stream.Chunk {
	n := 1
	for n < len(chunks) && chunks[n].Score > 0 && chunks[n].Score >= chunks[0].Score*chunkShare {
		n++
	}
	out := slices.Clone(chunks[:n])
	value := func(c stream.Chunk) float64 { return c.Score / math.Sqrt(float64(max(c.EndLine-c.StartLine, 0)+1)) }
	slices.SortStableFunc(out[1:], func(a, b stream.Chunk) int { return cmp.Compare(value(b), value(a)) })
	return out
}

// pickChunks takes the chunks that fit in share, in the order of their worth,
// skipping those that do not. Of the best one, when it is too large, windows are
// taken: with half of share while there are others. A file without chunks, or
// whose chunks hold nothing of the query where other lines do, is cut into windows.
func (b *budget) pickChunks(c *choice, share cost) (picked []stream.Chunk, sum cost, err error) {
	const most = 24 // chunks tried; the rest is tail
	chunks := c.offered
	if len(chunks) == 0 || chunks[0].Score == 0 {
		picked, sum, err = b.windows(c, nil, stream.Chunk{}, share)
		if err != nil || len(chunks) == 0 || len(picked) > 0 && picked[0].Score > 0 {
			return picked, sum, err
		}
		picked, sum = nil, cost{}
	}
	offered := orderByValue(chunks)
	for i, k := range offered[:min(len(offered), most)] {
		if covered(picked, k) {
			continue
		}
		n, err := b.measureParts(c, picked, k)
		if err != nil {
			return nil, cost{}, err
		}
		if n.fitsIn(share) {
			picked, sum = append(picked[:len(picked):len(picked)], k), n
		} else if i == 0 && len(offered) > 1 {
			if picked, sum, err = b.windows(c, nil, k, share.half()); err != nil {
				return nil, cost{}, err
			}
		}
	}
	if len(picked) == 0 {
		return b.windows(c, nil, chunks[0], share)
	}
	return picked, sum, nil
}

// measureParts is the cost of the section of c with these chunks.
func (b *budget) measureParts(c *choice, have []stream.Chunk, more ...stream.Chunk) (cost, error) {
	parts := *c
	parts.Chunks = append(have[:len(have):len(have)], more...)
	return b.measure(&parts)
}

// windows takes, besides the chunks that it has, the most relevant windows of a
// chunk, or of the file for a zero one: as many bytes of them as share holds, found
// by halving.
func (b *budget) windows(c *choice, have []stream.Chunk, within stream.Chunk, share cost) (picked []stream.Chunk, sum cost, err error) {
	const (
		tries     = 9
		minTokens = 64 // less is not worth a file after others
	)
	small := share.tokens >= 0 && share.tokens < minTokens || share.bytes >= 0 && share.bytes < minTokens*stream.CharsPerToken
	if b.sel.Windows == nil || small && len(b.picked) > 0 && len(have) == 0 {
		return nil, cost{}, nil
	}
	low, high := 0, share.size()
	for n, size := 0, high; n < tries && size > low; n, size = n+1, (low+high)/2 {
		windows, err := b.sel.Windows(c.source, within, size)
		if err != nil {
			return nil, cost{}, err
		}
		if len(windows) == 0 {
			low = size
			continue
		}
		n, err := b.measureParts(c, have, windows...)
		if err != nil {
			return nil, cost{}, err
		}
		if n.fitsIn(share) {
			picked, sum, low = append(have[:len(have):len(have)], windows...), n, size
		} else {
			high = size
		}
	}
	return picked, sum, nil
}

// covered reports whether a picked chunk prints all of c.
func covered(picked []stream.Chunk, c stream.Chunk) bool {
	for _, p := range picked {
		if p.StartColumn == 0 && p.StartLine <= c.StartLine && c.EndLine <= p.EndLine {
			return true
		}
	}
	return false
}
