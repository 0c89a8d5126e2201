package score

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

func newLexical(t testing.TB, tr tree, q *Query, o LexicalOptions) *Lexical {
	t.Helper()
	o.Reader = tr
	l, err := NewLexical(context.Background(), tr.files(), q, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// When every file is a candidate, the pass knows what a full count knows.
func TestLexicalAgainstFake(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 100 {
		tr := randomTree(rng)
		q := mustQuery(t, "evict memory_pressure parseURL retry nowhere")
		f, l := newFake(tr), newLexical(t, tr, q, LexicalOptions{Parse: toyParse, Workers: 1 + rng.IntN(4)})
		for _, term := range q.Terms {
			a, b := map[int][3]uint32{}, map[int][3]uint32{}
			_ = f.Each(term.Text, func(id int, tf [3]uint32) { a[id] = tf })
			_ = l.Each(term.Text, func(id int, tf [3]uint32) { b[id] = tf })
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: counted %v, want %v", term.Text, b, a)
			}
			if n, _ := l.DF(term.Text); n != len(a) {
				t.Fatalf("%s: DF %d, want %d", term.Text, n, len(a))
			}
		}
		for id := range f.paths {
			want, _ := f.FileLen(id)
			got, _ := l.FileLen(id)
			if want[0] != got[0] || want[2] != got[2] {
				t.Fatalf("%s: lengths %v, want %v", f.paths[id], got, want)
			}
			if l.chunks[id] != nil && want[1] != got[1] {
				t.Fatalf("%s: %d symbols, want %d", f.paths[id], got[1], want[1])
			}
		}
	}
}

func TestLexicalParsesCandidatesOnly(t *testing.T) {
	tr := tree{}
	for i := range 50 {
		tr[fmt.Sprintf("f%02d.toy", i)] = fmt.Sprintf("def evict%d\nevict %s\nend\n", i, strings.Repeat("filler ", i))
	}
	q := mustQuery(t, "evict")
	l := newLexical(t, tr, q, LexicalOptions{Parse: toyParse, Candidates: 7})
	if len(l.chunks) != 7 {
		t.Errorf("%d files are parsed, want 7", len(l.chunks))
	}
	if got := mustRank(t, l, tr.files(), Options{Query: q}); got[0].Path != "f00.toy" {
		t.Errorf("%s is first", got[0].Path)
	}
	chunks, err := l.Chunks(49)
	if err != nil || len(chunks) != 1 {
		t.Errorf("a file that was no candidate has chunks %v, %v", chunks, err)
	}
}

func TestLexicalSkippedAndMissing(t *testing.T) {
	tr := tree{"a.toy": "evict", "b.toy": "evict"}
	files := append(tr.files(), stream.File{Path: "evict/gone.toy"}, stream.File{Path: "evict/blob.toy", Skipped: stream.SkipBinary})
	q := mustQuery(t, "evict")
	l, err := NewLexical(context.Background(), files, q, LexicalOptions{Reader: tr, Parse: toyParse})
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := l.DF("evict"); n != 4 {
		t.Errorf("%d files hold the term, want 4: a path counts without content", n)
	}
	if b, err := l.Content(2, nil); len(b) != 0 || err != nil {
		t.Errorf("content of a missing file: %q, %v", b, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewLexical(ctx, files, q, LexicalOptions{Reader: tr}); err == nil {
		t.Error("a cancelled pass gave a corpus")
	}
}

func TestLexicalMatchInAnyOrder(t *testing.T) {
	tr := tree{"a.toy": "x1", "b.toy": "x1", "c.toy": "x1"}
	l := newLexical(t, tr, mustQuery(t, "x1"), LexicalOptions{})
	ask := []string{"c.toy", "nope", "a.toy", "b.toy", "zz"}
	got, err := l.Match(func(i int) string { return ask[i] }, len(ask))
	if want := []int32{2, -1, 0, 1, -1}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Match = %v, %v, want %v", got, err, want)
	}
}

// benchTree is n files of some ten kilobytes.
func benchTree(n int) tree {
	rng := rand.New(rand.NewPCG(1, 1))
	t := tree{}
	var body strings.Builder
	for range 40 {
		for _, s := range randomTree(rng) {
			body.WriteString(s)
		}
	}
	text := body.String()
	for i := range n {
		from := strings.Index(text[rng.IntN(len(text)/2):], "def")
		cut := text[from:min(len(text), from+8000)]
		t[fmt.Sprintf("pkg/m%d/file%d.toy", i%97, i)] = cut[:strings.LastIndex(cut, "end\n")+4]
	}
	return t
}

func BenchmarkLexical(b *testing.B) {
	tr := benchTree(1000)
	files := tr.files()
	q := mustQuery(b, "evict pods under node memory pressure")
	size := int64(0)
	for _, f := range files {
		size += f.Size
	}
	b.SetBytes(size)
	for b.Loop() {
		if _, err := NewLexical(context.Background(), files, q, LexicalOptions{Reader: tr}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkRank(b *testing.B, query string) {
	tr := tree{}
	for i := range 8000 {
		tr[fmt.Sprintf("pkg/module%d/sub%d/file_%d.toy", i%97, i%13, i)] = "evict pod node memory pressure number word goroutine the manager priority"
	}
	files := tr.files()
	q := mustQuery(b, query)
	l, err := NewLexical(context.Background(), files, q, LexicalOptions{Reader: tr})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Rank(context.Background(), l, files, Options{Query: q}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRank8000(b *testing.B) {
	benchmarkRank(b, "evict pods under node memory pressure by priority of number word")
}
func BenchmarkRank8000LongQuery(b *testing.B) { benchmarkRank(b, bugReport(3000)) }
