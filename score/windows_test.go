package score

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/stream"
)

// places finds words of the query "alpha beta gamma", of weights 3, 2 and 1.
func places(text []byte) (out []signal.Place) {
	for i := range text {
		for k, w := range []string{"alpha", "beta", "gamma"} {
			if bytes.HasPrefix(text[i:], []byte(w)) {
				out = append(out, signal.Place{Start: i, End: i + len(w), Term: k, Weight: float64(3 - k)})
			}
		}
	}
	return out
}

func TestWindows(t *testing.T) {
	numbered := func(n int, special map[int]string) []byte {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			if s := special[i]; s != "" {
				fmt.Fprintf(&b, "%s\n", s)
			} else {
				fmt.Fprintf(&b, "line %d\n", i)
			}
		}
		return []byte(b.String())
	}
	long := strings.Repeat("x", 3000)
	for _, c := range []struct {
		name   string
		text   []byte
		within stream.Chunk
		size   int
		want   string // places of the windows, best first
	}{
		{"with context", numbered(100, map[int]string{50: "alpha beta"}), stream.Chunk{}, 1000, "27-73"},
		{"no room for context", numbered(100, map[int]string{50: "alpha beta"}), stream.Chunk{}, 16, "50-50"},
		{"some context", numbered(100, map[int]string{50: "alpha beta"}), stream.Chunk{}, 40, "48-51"},
		{"more of the query first", numbered(300, map[int]string{20: "beta", 150: "alpha gamma", 280: "gamma"}), stream.Chunk{}, 60, "148-151 18-20"},
		{"what is near touches", numbered(100, map[int]string{50: "alpha", 56: "beta"}), stream.Chunk{}, 2000, "27-79"},
		{"inside of a definition", numbered(100, map[int]string{5: "alpha beta", 50: "gamma"}), stream.Chunk{StartLine: 40, EndLine: 52}, 2000, "40-52"},
		{"nothing is the beginning", numbered(100, nil), stream.Chunk{}, 30, "1-4"},
		{"nothing inside", numbered(100, map[int]string{5: "alpha"}), stream.Chunk{StartLine: 40, EndLine: 90}, 16, "40-41"},
		{"too small", numbered(100, nil), stream.Chunk{}, 3, ""},
		{"nothing at all", nil, stream.Chunk{}, 100, ""},
		{"a long line", []byte(long + " alpha " + long), stream.Chunk{}, 100, "1:2955-3053"},
		{"part of a part", []byte(long + " alpha " + long), stream.Chunk{StartLine: 1, EndLine: 1, StartColumn: 2990, EndColumn: 3020}, 100, "1:2990-3020"},
		{"the beginning of a long line", []byte("a\n" + long), stream.Chunk{StartLine: 2, EndLine: 2}, 100, "2:1-100"},
		{"a long line is no context", []byte(long + "\nalpha\n" + long), stream.Chunk{}, 5000, "2-2"},
	} {
		var got []string
		for _, w := range cutWindows(c.text, places(c.text), c.within, c.size) {
			if w.StartColumn > 0 {
				got = append(got, fmt.Sprintf("%d:%d-%d", w.StartLine, w.StartColumn, w.EndColumn))
			} else {
				got = append(got, fmt.Sprintf("%d-%d", w.StartLine, w.EndLine))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, strings.Join(got, " "), c.want)
		}
	}
}

// checkWindows reports what breaks the promises of [Passages.Windows].
func checkWindows(t *testing.T, text []byte, within stream.Chunk, size int) {
	t.Helper()
	got := cutWindows(text, places(text), within, size)
	if again := cutWindows(text, places(text), within, size); !reflect.DeepEqual(got, again) {
		t.Fatalf("%v, then %v", got, again)
	}
	lo, hi := rangeOf(text, within)
	used := make([]bool, len(text)+1)
	total := 0
	for i, c := range got {
		from, to := rangeOf(text, c)
		if from < lo || to > hi || from >= to && c.StartColumn > 0 {
			t.Fatalf("window %+v (%d–%d) outside of %d–%d", c, from, to, lo, hi)
		}
		if utf8.Valid(text) && within.StartColumn == 0 && !utf8.Valid(text[from:to]) {
			t.Fatalf("window %+v cuts a character: %q", c, text[from:to])
		}
		for k := from; k < to; k++ {
			if used[k] {
				t.Fatalf("windows overlap: %+v", got)
			}
			used[k] = true
		}
		total += to - from
		if i > 0 && c.Score > got[i-1].Score || i == 0 && c.Score != 0 && c.Score != 1 {
			t.Fatalf("order of %+v", got)
		}
	}
	if total > size {
		t.Fatalf("%d bytes of at most %d: %+v", total, size, got)
	}
	if lo < hi && size >= minWindow && len(bytes.TrimSpace(text[lo:hi])) == hi-lo && len(got) == 0 {
		t.Fatalf("nothing of %d–%d in %d bytes", lo, hi, size)
	}
}

func TestWindowsKeepTheirPromises(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	words := []string{"alpha", "beta", "gamma", "word", "日本", "🙂", "\n", "\n", " ", "\r\n", strings.Repeat("y", 50), strings.Repeat("z ", 900)}
	for range 20000 {
		var b bytes.Buffer
		for range rng.IntN(1 + rng.IntN(200)) {
			b.WriteString(words[rng.IntN(len(words))])
		}
		var within stream.Chunk
		if rng.IntN(2) == 0 {
			within.StartLine = 1 + rng.IntN(20)
			within.EndLine = within.StartLine + rng.IntN(20)
		}
		checkWindows(t, b.Bytes(), within, rng.IntN(1+rng.IntN(3000)))
	}
}

func FuzzWindows(f *testing.F) {
	f.Add([]byte("a\nalpha beta\nb\n"), 1, 2, 0, 0, 20)
	f.Add([]byte(strings.Repeat("x", 2000)+"gamma"), 1, 1, 100, 2005, 90)
	f.Fuzz(func(t *testing.T, text []byte, start, end, from, to, size int) {
		if len(text) > 1<<14 || start < 0 || start > 1<<20 || end < start || end > 1<<20 || from < 0 || to < from || to > 1<<20 || size < 0 || size > 1<<20 {
			return
		}
		checkWindows(t, text, stream.Chunk{StartLine: start, EndLine: end, StartColumn: from, EndColumn: to}, size)
	})
}

func TestOutside(t *testing.T) {
	text := []byte("alpha\nf\nbeta\nend\ng\nend\nalpha beta gamma\nh\nend\n")
	defs := []stream.Chunk{{StartLine: 2, EndLine: 4}, {StartLine: 5, EndLine: 6}, {StartLine: 8, EndLine: 9}}
	got := outside(text, places(text), defs)
	if len(got) != 1 || got[0].StartLine > 7 || got[0].EndLine < 7 || got[0].Score != 1 {
		t.Errorf("%+v", got)
	}
	defs[1].EndLine = 7
	if got := outside(text, places(text), defs); got != nil {
		t.Errorf("more of it is inside, yet %+v", got)
	}
	if got := outside([]byte("f\nalpha\n\nalpha\n"), places([]byte("f\nalpha\n\nalpha\n")), []stream.Chunk{{StartLine: 1, EndLine: 2}}); got != nil {
		t.Errorf("as much is inside, yet %+v", got)
	}
}

// BenchmarkWindows gives MB/s of a text in which a word of the query is common.
func BenchmarkWindows(b *testing.B) {
	text := bytes.Repeat([]byte("some words and alpha, more words\n"), 1<<20/33)
	found := places(text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		cutWindows(text, found, stream.Chunk{}, 8000)
	}
}
