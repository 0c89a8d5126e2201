package embed

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Batches is how many texts are sent in one request. The zero value of each
// field is its default.
type Batches struct {
	Texts   int // most of one request, 32
	Bytes   int // most of one request unless one text alone has more, 48 KiB
	Workers int // requests at a time, 2
}

func (b Batches) filled() Batches {
	if b.Texts <= 0 {
		b.Texts = 32
	}
	if b.Bytes <= 0 {
		b.Bytes = 48 << 10
	}
	if b.Workers <= 0 {
		b.Workers = 2
	}
	return b
}

// cut returns where each request ends.
func (b Batches) cut(texts []string) (ends []int) {
	count, size := 0, 0
	for i, t := range texts {
		if count > 0 && (count == b.Texts || size+len(t) > b.Bytes) {
			ends = append(ends, i)
			count, size = 0, 0
		}
		count++
		size += len(t)
	}
	if count > 0 {
		ends = append(ends, len(texts))
	}
	return ends
}

// All embeds many texts. It calls got, one call at a time, with the vectors of
// texts first, first+1, … as soon as they arrive, in no order. After a failure
// no further request is begun, and got still has what was under way; the error
// is the first one.
func All(ctx context.Context, e Embedder, texts []string, b Batches, got func(first int, vectors [][]float32) error) error {
	b = b.filled()
	var g errgroup.Group
	g.SetLimit(b.Workers)
	var mu sync.Mutex
	failed := false
	stopped := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return failed
	}
	first := 0
	for _, end := range b.cut(texts) {
		from := first
		first = end
		g.Go(func() error {
			if stopped() {
				return nil
			}
			vectors, err := e.Embed(ctx, texts[from:end], Document)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				err = checked(vectors, end-from)
			}
			if err == nil {
				err = got(from, vectors)
			}
			failed = failed || err != nil
			return err
		})
	}
	return g.Wait()
}
