package score

import (
	"fmt"
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
)

// Corpus is what a ranking asks about the files it ranks. Files are numbered
// from 0. [Deep] and [Lexical] implement it.
type Corpus interface {
	NumFiles() int
	// TotalLen is the number of terms in filename, symbols and body of all files.
	TotalLen() [3]uint64
	// FileLen is the number of terms in filename, symbols and body of one file.
	FileLen(id int) ([3]uint32, error)
	// Match returns the number of each path, -1 for one it does not know.
	Match(paths func(i int) string, n int) ([]int32, error)
	// DF is the number of files that hold the term.
	DF(term string) (int, error)
	// Each calls fn for every file that holds the term, with its frequency in
	// filename, symbols and body, in ascending order of files.
	Each(term string, fn func(id int, tf [3]uint32)) error
	// Chunks are the definitions in a file, in source order.
	Chunks(id int) ([]chunk.Chunk, error)
	// Content appends the file's text to buf[:0]; empty when it is not used.
	Content(id int, buf []byte) ([]byte, error)
}

// Structure is what a [Corpus] may know beyond the files' text.
type Structure interface {
	// PageRank of a file in the graph of imports; sums to 1 over all files, 0
	// when it is not known.
	PageRank(id int) float64
	// RecentCommits is the number of commits that touched the file within the
	// given seconds before the newest commit.
	RecentCommits(id int, seconds int64) (int, error)
}

// Deep is an index as a [Corpus] and a [Structure]. It is not safe for
// concurrent use; make one for each ranking.
type Deep struct {
	Index *index.Index

	buf    []uint32
	recent int // commits 0..recent-1 are within window
	window int64
}

// NumFiles implements [Corpus].
func (d *Deep) NumFiles() int { return d.Index.NumFiles() }

// TotalLen implements [Corpus].
func (d *Deep) TotalLen() [3]uint64 { return d.Index.TotalLen() }

// FileLen implements [Corpus].
func (d *Deep) FileLen(id int) ([3]uint32, error) { return d.Index.FileLen(id) }

// Match implements [Corpus]. It is fastest for paths in the order of the index.
func (d *Deep) Match(paths func(i int) string, n int) ([]int32, error) {
	out := make([]int32, n)
	next := 0
	for i := range out {
		path := paths(i)
		if next < d.Index.NumFiles() {
			same, err := d.Index.HasPath(next, path)
			if err != nil {
				return nil, err
			}
			if same {
				out[i] = int32(next)
				next++
				continue
			}
		}
		id, ok := d.Index.Lookup(path)
		if !ok {
			out[i] = -1
			continue
		}
		out[i] = int32(id)
		next = id + 1
	}
	return out, d.Index.Err()
}

// DF implements [Corpus].
func (d *Deep) DF(term string) (int, error) {
	p, ok, err := d.Index.Term(term)
	if err != nil || !ok {
		return 0, err
	}
	return p.DF, nil
}

// Each implements [Corpus].
func (d *Deep) Each(term string, fn func(id int, tf [3]uint32)) error {
	p, ok, err := d.Index.Term(term)
	if err != nil || !ok {
		return err
	}
	for {
		id, tf, ok := p.Next()
		if !ok {
			return p.Err()
		}
		fn(id, tf)
	}
}

// Chunks implements [Corpus].
func (d *Deep) Chunks(id int) ([]chunk.Chunk, error) { return d.Index.Chunks(id) }

// Content implements [Corpus].
func (d *Deep) Content(id int, buf []byte) ([]byte, error) { return d.Index.Content(id, buf) }

// PageRank implements [Structure].
func (d *Deep) PageRank(id int) float64 { return float64(d.Index.PageRank(id)) }

// RecentCommits implements [Structure].
func (d *Deep) RecentCommits(id int, seconds int64) (n int, err error) {
	if d.window != seconds {
		if err := d.findWindow(seconds); err != nil {
			return 0, err
		}
	}
	if d.recent == 0 {
		return 0, nil
	}
	if d.buf, err = d.Index.FileCommits(id, d.buf); err != nil {
		return 0, fmt.Errorf("history of file %d: %w", id, err)
	}
	for _, at := range d.buf {
		if int(at) < d.recent {
			n++
		}
	}
	return n, nil
}

// findWindow counts the commits within the window. Times need not descend
// strictly, and the walk goes on until the first commit outside.
func (d *Deep) findWindow(seconds int64) error {
	head, err := d.Index.HeadTime()
	if err != nil {
		return err
	}
	d.window, d.recent = seconds, 0
	for d.recent < d.Index.NumCommits() {
		t, err := d.Index.CommitTime(d.recent)
		if err != nil {
			return err
		}
		if t < head-seconds {
			break
		}
		d.recent++
	}
	return nil
}

// NumCommits implements [signal.History].
func (d *Deep) NumCommits() int { return d.Index.NumCommits() }

// CommitSubject implements [signal.History].
func (d *Deep) CommitSubject(i int) (string, error) {
	c, err := d.Index.Commit(i)
	return c.Subject, err
}

// FileCommits implements [signal.History].
func (d *Deep) FileCommits(id int, buf []uint32) ([]uint32, error) {
	return d.Index.FileCommits(id, buf)
}

// Imported implements [signal.Imports].
func (d *Deep) Imported(id int, buf []uint32) ([]uint32, error) { return d.Index.Imported(id, buf) }

// TermsWithPrefix implements [signal.Vocabulary].
func (d *Deep) TermsWithPrefix(prefix string, fn func(term string) bool) error {
	it := d.Index.TermsFrom(prefix)
	for it.Next() {
		t := string(it.Term())
		if !strings.HasPrefix(t, prefix) || !fn(t) {
			break
		}
	}
	return it.Err()
}
