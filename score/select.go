package score

import (
	"context"
	"fmt"

	"github.com/topo-dev/topo/stream"
)

// Sizer measures what render will print: budgets are about the output.
// Costs add up: the sum of the frame and the files is at least the whole.
type Sizer interface {
	// Frame is the cost of the output without the sections of the files, which it
	// may list.
	Frame(h stream.Header, files []stream.File) (bytes int64, tokens int)
	// File is the cost of the section of f: of the parts in f.Chunks, or of all of
	// it when there are none, and of naming the files with the same content.
	File(f stream.File, same []stream.File) (bytes int64, tokens int, err error)
	// Lines is how many lines f has; 0 when they are not printed.
	Lines(f stream.File) (int, error)
}

// Defaults of a selection.
const (
	// DefaultTop is how many files are selected when no budget is given.
	DefaultTop = 20
	// tailShare drops files below this share of the best score, unless a
	// minimum score is given: by then at most one signal still supports a file.
	tailShare = 0.3
	// wholeShare is the share of what remains of the budget that one file may
	// take: three files in a row never get more than about two thirds.
	wholeShare = 1.0 / 3
	// minShare keeps the share of one file from shrinking below what holds a
	// function, in tokens.
	minShare = 400
	// maxTries is how many files in a row may turn out not to fit: thousands of
	// files are not measured for a budget that is used up.
	maxTries = 25
	// chunkShare drops definitions below this share of the file's best. It is
	// that low because scores are odds: a tenth of what fixes changed is below.
	chunkShare = 0.01
)

// Selection is what to select.
type Selection struct {
	Header   stream.Header // of the output
	Budget   stream.Budget // MaxBytes, MaxTokens and Top; zero means no limit
	MinScore float64       // files below it are left out; 0 means the default tail cut
	// Sizer measures; needed when MaxBytes or MaxTokens is given.
	Sizer Sizer
	// Chunks gives the definitions of a file, most relevant first, when the
	// record has none. It is called only for files that do not fit whole.
	Chunks func(f stream.File) ([]stream.Chunk, error)
	// Windows cuts a file, or one chunk of it, into its most relevant windows of
	// at most size bytes in all, as [Passages.Windows] does. It is called for
	// what has no definitions or is itself too large.
	Windows func(f stream.File, within stream.Chunk, size int) ([]stream.Chunk, error)
	// OnEmpty is told, in one line, that the budget holds nothing of the files
	// that there are.
	OnEmpty func(note string)
}

func (s *Selection) check() error {
	switch {
	case s.Budget.MaxBytes < 0 || s.Budget.MaxTokens < 0 || s.Budget.Top < 0:
		return fmt.Errorf("a budget must not be negative (got %d bytes, %d tokens, %d files)", s.Budget.MaxBytes, s.Budget.MaxTokens, s.Budget.Top)
	case s.limited() && s.Sizer == nil:
		return fmt.Errorf("select: a budget of bytes or tokens needs a sizer")
	}
	return nil
}

func (s *Selection) limited() bool { return s.Budget.Limited() }

// Select takes files in order, best first, and returns those that the budget
// holds, in the same order. A file that is to be printed in parts has them in
// Chunks; one to be printed whole has none. Under a budget Tokens becomes what
// the file costs rendered; 0 for one whose content is that of a file before it: it
// is named there.
//
// The sum of the frame and of all selected files never exceeds the budget. No
// file takes more than a third of what remains while there are others: one too
// large for that is printed by its most relevant definitions, or by windows of
// lines where it has none and where they are too large themselves. When not even
// a window fits, smaller files after it may. What is left at the end is filled with
// more of the files that were cut.
func Select(ctx context.Context, files []stream.File, s Selection) ([]stream.File, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	files = s.filter(files)
	if !s.limited() {
		out := make([]stream.File, len(files))
		for i, f := range files {
			f.Chunks = nil
			out[i] = f
		}
		return out, nil
	}
	b := budget{sel: &s}
	b.frame = b.frameWith()
	rest, err := b.takeInOrder(ctx, distinct(files))
	if err != nil {
		return nil, err
	}
	if err := b.grow(); err != nil {
		return nil, err
	}
	if err := b.fill(ctx, rest); err != nil {
		return nil, err
	}
	out := b.selected(files)
	if len(out) == 0 && len(files) > 0 && s.OnEmpty != nil {
		s.OnEmpty(s.emptyNote(files))
	}
	return out, nil
}

// takeInOrder selects files until the budget is used up, and returns the others.
func (b *budget) takeInOrder(ctx context.Context, files []choice) (rest []choice, err error) {
	misses := 0
	for i, c := range files {
		if b.full() || misses == maxTries || b.exhausted() {
			return append(rest, files[i:]...), nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ok, err := b.take(c, len(files)-i-1)
		if err != nil {
			return nil, err
		}
		misses++
		if ok {
			misses = 0
		} else {
			rest = append(rest, c)
		}
	}
	return rest, nil
}

// emptyNote tells that nothing was selected and what would help.
func (s *Selection) emptyNote(files []stream.File) string {
	limit, flag := fmt.Sprintf("%d tokens", s.Budget.MaxTokens), "--max-tokens"
	if s.Budget.MaxTokens == 0 {
		limit, flag = fmt.Sprintf("%d bytes", s.Budget.MaxBytes), "--max-bytes"
	}
	what := fmt.Sprintf("%q", files[0].Path)
	if n := len(files); n > 1 {
		what = fmt.Sprintf("any of %d files, the best %s", n, what)
	}
	return fmt.Sprintf("nothing selected: a budget of %s holds no part of %s; raise %s", limit, what, flag)
}

// MinScoreFor is the score below which files are left out when the best one has
// the score best. It suits [Options].MinScore: a ranking that only feeds this
// selection need not hold what is left out.
func (s *Selection) MinScoreFor(best float64) float64 {
	if s.MinScore != 0 {
		return s.MinScore
	}
	return best * tailShare
}

// filter applies everything but the cost.
func (s *Selection) filter(files []stream.File) []stream.File {
	best := 0.0
	for i := range files {
		best = max(best, files[i].Score)
	}
	minScore := s.MinScoreFor(best)
	top := s.Budget.Top
	if top == 0 && !s.limited() {
		top = DefaultTop
	}
	out := make([]stream.File, 0, min(len(files), 1024))
	for _, f := range files {
		if f.Score < minScore || f.Score == 0 && minScore == 0 && s.MinScore == 0 && s.Header.Query != "" {
			continue
		}
		if top > 0 && len(out) == top && !s.limited() {
			break
		}
		out = append(out, f)
	}
	return out
}
