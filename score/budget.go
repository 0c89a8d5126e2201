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

// budget keeps account of one selection.
type budget struct {
	sel   *Selection
	used  cost
	files int // taken so far
}

func (b *budget) spend(bytes int64, tokens int) {
	b.used.bytes += bytes
	b.used.tokens += tokens
}

func (b *budget) exhausted() bool {
	l := b.sel.Budget
	return l.MaxBytes > 0 && b.used.bytes >= l.MaxBytes || l.MaxTokens > 0 && b.used.tokens >= l.MaxTokens
}

// remaining is what is left of the budget; -1 in a unit without a limit.
func (b *budget) remaining() cost {
	l := b.sel.Budget
	c := cost{-1, -1}
	if l.MaxBytes > 0 {
		c.bytes = max(l.MaxBytes-b.used.bytes, 0)
	}
	if l.MaxTokens > 0 {
		c.tokens = max(l.MaxTokens-b.used.tokens, 0)
	}
	return c
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

func (b *budget) measure(f stream.File) (cost, error) {
	bytes, tokens, err := b.sel.Sizer.File(f)
	return cost{bytes, tokens}, err
}

// fit finds the form in which f is selected: whole, or by its best chunks.
func (b *budget) fit(f stream.File, others int) (stream.File, bool, error) {
	chunks := f.Chunks
	f.Chunks = nil
	share := b.fileShare(others)
	if b.mayFit(f, share) {
		c, err := b.measure(f)
		if err != nil {
			return f, false, err
		}
		if c.fitsIn(share) {
			return b.addFile(f, c), true, nil
		}
	}
	if len(chunks) == 0 && b.sel.Chunks != nil {
		var err error
		if chunks, err = b.sel.Chunks(f); err != nil {
			return f, false, err
		}
	}
	picked, c, err := b.pickChunks(f, chunks, share)
	if err != nil {
		return f, false, err
	}
	if len(picked) > 0 {
		f.Chunks = picked
		return b.addFile(f, c), true, nil
	}
	return f, false, nil
}

// mayFit spares the measure of a file whose text alone is far too long.
// Formats that print no content measure small: they are always measured.
func (b *budget) mayFit(f stream.File, share cost) bool {
	const most = 1 << 20
	return f.Size <= most || share.bytes > f.Size || int64(share.tokens) > f.Size/stream.CharsPerToken
}

func (b *budget) addFile(f stream.File, c cost) stream.File {
	b.spend(c.bytes, c.tokens)
	b.files++
	f.Tokens = c.tokens
	return f
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
func (b *budget) pickChunks(f stream.File, chunks []stream.Chunk, share cost) (picked []stream.Chunk, sum cost, err error) {
	const most = 24 // chunks tried; the rest is tail
	if len(chunks) == 0 || chunks[0].Score == 0 {
		picked, sum, err = b.windows(f, stream.Chunk{}, share)
		if err != nil || len(chunks) == 0 || len(picked) > 0 && picked[0].Score > 0 {
			return picked, sum, err
		}
		picked, sum = nil, cost{}
	}
	offered := orderByValue(chunks)
	for i, c := range offered[:min(len(offered), most)] {
		if covered(picked, c) {
			continue
		}
		f.Chunks = append(picked[:len(picked):len(picked)], c)
		n, err := b.measure(f)
		if err != nil {
			return nil, cost{}, err
		}
		if n.fitsIn(share) {
			picked, sum = f.Chunks, n
		} else if i == 0 && len(offered) > 1 {
			if picked, sum, err = b.windows(f, c, share.half()); err != nil {
				return nil, cost{}, err
			}
		}
	}
	if len(picked) == 0 {
		return b.windows(f, chunks[0], share)
	}
	return picked, sum, nil
}

// windows takes the most relevant windows of a chunk, or of the file for a zero
// one: as many bytes of them as share holds, found by halving.
func (b *budget) windows(f stream.File, within stream.Chunk, share cost) (picked []stream.Chunk, sum cost, err error) {
	const (
		tries = 9
		least = 64 // tokens; less is not worth a file after others
	)
	small := share.tokens >= 0 && share.tokens < least || share.bytes >= 0 && share.bytes < least*stream.CharsPerToken
	if b.sel.Windows == nil || small && b.files > 0 {
		return nil, cost{}, nil
	}
	low, high := 0, share.size()
	for n, size := 0, high; n < tries && size > low; n, size = n+1, (low+high)/2 {
		if f.Chunks, err = b.sel.Windows(f, within, size); err != nil {
			return nil, cost{}, err
		}
		if len(f.Chunks) == 0 {
			low = size
			continue
		}
		c, err := b.measure(f)
		if err != nil {
			return nil, cost{}, err
		}
		if c.fitsIn(share) {
			picked, sum, low = f.Chunks, c, size
		} else {
			high = size
		}
	}
	return picked, sum, nil
}

// grow spends what is left at the end on the files that were cut, best first:
// whole, or with more of their chunks.
func (b *budget) grow(picked, source []stream.File) error {
	const minTokens = 64 // tokens; less holds no definition
	for i := range picked {
		left := b.remaining()
		if left.tokens >= 0 && left.tokens < minTokens || left.bytes >= 0 && left.bytes < minTokens*stream.CharsPerToken {
			return nil
		}
		if len(picked[i].Chunks) == 0 {
			continue
		}
		old, err := b.measure(picked[i])
		if err != nil {
			return err
		}
		b.spend(-old.bytes, -old.tokens)
		f, ok, err := b.fit(source[i], 0)
		if err != nil {
			return err
		}
		if ok {
			picked[i] = f
		} else {
			b.spend(old.bytes, old.tokens)
		}
	}
	return nil
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
