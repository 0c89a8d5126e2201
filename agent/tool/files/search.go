package files

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/topo-dev/topo/agent"
)

// hit is one line of an answer.
type hit struct {
	line  int    // 1-based
	text  string // shortened
	match bool   // or context
}

// found is what was found in a file.
type found struct {
	hits  []hit
	count int // lines that match
}

// matches finds the lines of a text that match. Lines end at newlines; a
// carriage return before one is not part of the line. Hits are kept up to the
// limit, all matching lines are counted.
func (q *query) matches(data []byte) (f found) {
	if encoding(data) == "UTF-16" {
		data = decode16(data)
	} else {
		data = bytes.TrimPrefix(data, []byte(utf8BOM))
	}
	s := scanner{data: data}
	shown := 0 // the last line that is among the hits
	for s.next(q.needle) {
		if at := q.re.FindIndex(s.line); at != nil {
			if f.count++; f.count <= q.limit && q.output != "files" && q.output != "count" {
				f.hits, shown = q.addHit(f.hits, &s, at, shown)
			}
			if q.output == "files" {
				return f
			}
		}
	}
	return f
}

// scanner walks the lines of a text.
type scanner struct {
	data     []byte
	from, to int // of the line in data, without its end
	after    int // where the next line begins
	n        int // number of the line
	line     []byte
}

// next goes to the next line, or to the next that holds the needle.
func (s *scanner) next(needle []byte) bool {
	if s.after >= len(s.data) {
		return false
	}
	if len(needle) > 0 {
		i := bytes.Index(s.data[s.after:], needle)
		if i < 0 {
			return false
		}
		skip := s.data[s.after : s.after+i]
		s.n += bytes.Count(skip, []byte("\n"))
		s.after += bytes.LastIndexByte(skip, '\n') + 1
	}
	s.n++
	s.from = s.after
	s.to, s.after = lineEnd(s.data, s.from)
	s.line = s.data[s.from:s.to]
	return true
}

// lineEnd returns where the line that begins at from ends, and where the next
// one begins.
func lineEnd(data []byte, from int) (to, next int) {
	i := bytes.IndexByte(data[from:], '\n')
	if i < 0 {
		return len(data), len(data)
	}
	to, next = from+i, from+i+1
	if to > from && data[to-1] == '\r' {
		to--
	}
	return to, next
}

// addHit adds a matching line with the lines before and after it. A line that
// is there already as context of the one before becomes a match.
func (q *query) addHit(hits []hit, s *scanner, at []int, shown int) ([]hit, int) {
	if s.n <= shown {
		for i := len(hits) - 1; i >= 0 && hits[i].line >= s.n; i-- {
			if hits[i].line == s.n {
				hits[i] = hit{s.n, excerpt(s.line, at), true}
			}
		}
	} else {
		first := max(s.n-q.around, shown+1)
		start := s.from
		for n := s.n; n > first; n-- {
			start = bytes.LastIndexByte(s.data[:start-1], '\n') + 1
		}
		for n := first; n < s.n; n++ {
			to, next := lineEnd(s.data, start)
			hits = append(hits, hit{n, excerpt(s.data[start:to], nil), false})
			start = next
		}
		hits = append(hits, hit{s.n, excerpt(s.line, at), true})
		shown = s.n
	}
	start := s.after
	for n := s.n + 1; n <= s.n+q.around && start < len(s.data); n++ {
		to, next := lineEnd(s.data, start)
		if n > shown {
			hits = append(hits, hit{n, excerpt(s.data[start:to], nil), false})
			shown = n
		}
		start = next
	}
	return hits, shown
}

// maxExcerpt is how many bytes of a line are shown.
const maxExcerpt = 300

// excerpt shows a line, of a long one the part around the match.
func excerpt(line []byte, at []int) string {
	if len(line) <= maxExcerpt {
		return strings.ToValidUTF8(string(line), "\uFFFD")
	}
	from := 0
	if at != nil {
		from = max(0, min(at[0]-maxExcerpt/3, len(line)-maxExcerpt))
	}
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	part := line[from:min(from+maxExcerpt, len(line))]
	text := strings.ToValidUTF8(string(part[:runeEnd(part)]), "\uFFFD")
	if from > 0 {
		text = "[…]" + text
	}
	if from+len(part) < len(line) {
		text += "[…]"
	}
	return text
}

// batch is how many files are searched before their matches are reported, so
// that a search with many matches ends early.
const batch = 64

// search goes through the files in their order, several at once.
func (t *tools) search(ctx context.Context, names []string, q *query, single bool, r *report) error {
	for len(names) > 0 && !r.full() {
		part := names[:min(batch, len(names))]
		names = names[len(part):]
		results := make([]found, len(part))
		errs := make([]error, len(part))
		var next sync.Mutex
		at := 0
		var wg sync.WaitGroup
		for range min(runtime.GOMAXPROCS(0), len(part)) {
			wg.Go(func() {
				for {
					next.Lock()
					i := at
					at++
					next.Unlock()
					if i >= len(part) || ctx.Err() != nil {
						return
					}
					results[i], errs[i] = t.searchFile(part[i], q, single)
				}
			})
		}
		wg.Wait()
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, name := range part {
			if errs[i] != nil {
				if single {
					return errs[i]
				}
				r.skipped++
			}
			r.file(name, results[i])
		}
	}
	r.cut = r.cut || len(names) > 0
	return nil
}

func (t *tools) searchFile(name string, q *query, single bool) (found, error) {
	data, err := t.w.ReadBytes(name, maxWhole)
	if err != nil {
		return found{}, err
	}
	if binary(data) {
		if single {
			return found{}, fmt.Errorf("%s: %w", name, binaryError(data, int64(len(data))))
		}
		return found{}, nil
	}
	return q.matches(t.masked(data)), nil
}

func readBounded(r io.Reader, max int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, max))
}

// report is the answer in the making.
type report struct {
	q       *query
	b       strings.Builder
	shown   int // matching lines, or files when only they are listed
	files   int // files that match, of those searched
	skipped int // files that could not be read
	cut     bool
}

func (r *report) full() bool { return r.shown >= r.q.limit || r.b.Len() > maxShown }

func (r *report) file(name string, f found) {
	if f.count == 0 {
		return
	}
	if r.full() {
		r.cut = true
		return
	}
	r.files++
	switch r.q.output {
	case "files":
		r.b.WriteString(oneLine(name) + "\n")
		r.shown++
	case "count":
		fmt.Fprintf(&r.b, "%s: %d\n", oneLine(name), f.count)
		r.shown++
	default:
		r.lines(name, f)
	}
}

// lines writes the lines of one file, a blank line between files, "--" between
// lines that do not follow each other.
func (r *report) lines(name string, f found) {
	if r.b.Len() > 0 {
		r.b.WriteByte('\n')
	}
	fmt.Fprintf(&r.b, "%s\n", oneLine(name))
	last, matched := 0, 0
	for _, h := range f.hits {
		if h.match && r.full() {
			break
		}
		if r.q.around > 0 && last > 0 && h.line > last+1 {
			r.b.WriteString("--\n")
		}
		last = h.line
		mark := "-"
		if h.match {
			mark = ":"
			r.shown++
			matched++
		}
		fmt.Fprintf(&r.b, "%d%s %s\n", h.line, mark, h.text)
	}
	r.cut = r.cut || matched < f.count
}

// answer ends the report. files is how many were to be searched.
func (r *report) answer(files int) agent.Output {
	if r.files == 0 {
		out := agent.Output{Text: fmt.Sprintf("No match in %d files.\n", files)}
		if files == 0 {
			out.Text = "There is no file to search.\n"
			out.Hints = []string{"Check path and glob; files that git ignores are left out."}
		}
		return out
	}
	if r.cut {
		fmt.Fprintf(&r.b, "\n[only the first %d are shown; narrow pattern, path or glob, or raise limit]\n", r.shown)
	}
	return agent.Output{Text: r.b.String()}
}
