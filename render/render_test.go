package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

// randomDoc is a file of random lines with random definitions, some of them
// chosen.
func randomDoc(r *rand.Rand, i int) Doc {
	words := []string{"func", "return", "if err != nil {", "}", "\t", "名前", "```", "]]>", "~~~", "\x1b[0m", "\xff", "x", ":=", "// a comment", "\r"}
	var b bytes.Buffer
	lines := r.Intn(200)
	for range lines {
		for range r.Intn(8) {
			b.WriteString(words[r.Intn(len(words))])
			b.WriteByte(' ')
		}
		b.WriteByte('\n')
	}
	d := Doc{Content: append([]byte{}, b.Bytes()...), Stale: r.Intn(9) == 0}
	d.File = stream.File{
		Path: fmt.Sprintf("dir%d/sub/file%d.go", r.Intn(4), i), Language: "go", Role: stream.Roles[r.Intn(len(stream.Roles))],
		Score: r.Float64(), Size: int64(b.Len()), Tokens: stream.EstimateTokens(int64(b.Len())),
	}
	for no := 1; no+12 < lines; no += 1 + r.Intn(15) {
		c := stream.Chunk{Kind: "function", Name: fmt.Sprint("f", no), StartLine: no, EndLine: no + r.Intn(12), Signature: fmt.Sprintf("func f%d(a, b int) error", no)}
		d.Outline = append(d.Outline, c)
		if r.Intn(4) == 0 {
			d.File.Chunks = append(d.File.Chunks, c)
		}
	}
	if r.Intn(2) == 0 {
		d.File.Chunks = nil
	}
	return d
}

func randomInput(r *rand.Rand) Input {
	in := Input{Header: stream.Header{Version: "0.3", Query: strings.Repeat("why ", r.Intn(100)), Preset: "balanced"}}
	in.Footer.ScannedFiles = r.Intn(10000)
	for i := range r.Intn(12) {
		in.Docs = append(in.Docs, randomDoc(r, i))
	}
	return in
}

func counters(t testing.TB) map[string]Counter {
	return map[string]Counter{"bytes": nil, "cl100k": counterOf(t, "cl100k"), "o200k": counterOf(t, "o200k")}
}

// Whatever the selection, the guard holds and uses what it may: when anything
// is left out, the next few lines would not have fitted.
func TestNeverOverBudget(t *testing.T) {
	byName := counters(t)
	r := rand.New(rand.NewSource(3))
	for range 60 {
		in := randomInput(r)
		for _, f := range Formats() {
			for name, c := range byName {
				o := Options{Counter: c, LineNumbers: r.Intn(2) == 0, Scores: r.Intn(2) == 0}
				if r.Intn(2) == 0 {
					o.MaxTokens = 1 + r.Intn(4000)
				} else {
					o.MaxBytes = int64(1 + r.Intn(16000))
				}
				var b bytes.Buffer
				err := Render(context.Background(), &b, f.Name, in, o)
				var small *BudgetError
				if errors.As(err, &small) {
					if b.Len() > 0 {
						t.Fatalf("%s: error, but %d bytes were written", f.Name, b.Len())
					}
					if small.NeedTokens <= o.MaxTokens && o.MaxTokens > 0 {
						t.Fatalf("%s/%s: %v, but the budget is %d", f.Name, name, err, o.MaxTokens)
					}
					continue
				} else if err != nil {
					t.Fatal(err)
				}
				checkOutput(t, f.Name, in, o, b.String())
			}
		}
	}
}

// What the sizer says is never less than what render prints, and little more.
func TestSizerIsTight(t *testing.T) {
	byName := counters(t)
	r := rand.New(rand.NewSource(4))
	said, spent := map[string]int{}, map[string]int{}
	for range 40 {
		in := randomInput(r)
		byPath := map[string]Doc{}
		for _, d := range in.Docs {
			byPath[d.File.Path] = d
			in.Footer.TotalTokens += d.File.Tokens
		}
		for _, f := range Formats() {
			if !f.NeedsContent {
				continue // no content is loaded, and nobody sizes a table
			}
			for name, c := range byName {
				o := Options{Counter: c, LineNumbers: r.Intn(2) == 0, Scores: true}
				s, err := NewSizer(f.Name, o, func(d *Doc) error { *d = byPath[d.File.Path]; return nil })
				if err != nil {
					t.Fatal(err)
				}
				var files []stream.File
				for _, d := range in.Docs {
					files = append(files, d.File)
				}
				size, tokens := s.Frame(in.Header, files)
				for _, d := range in.Docs {
					b, n, err := s.File(d.File, nil)
					if err != nil {
						t.Fatal(err)
					}
					size, tokens = size+b, tokens+n
				}
				out := renderString(t, f.Name, in, o)
				if c == nil {
					c = Bytes{}
				}
				got := c.Count([]byte(out))
				if int64(len(out)) > size || got > tokens {
					t.Fatalf("%s/%s: sizer says %d bytes, %d tokens; printed are %d, %d", f.Name, name, size, tokens, len(out), got)
				}
				said[f.Name] += tokens
				spent[f.Name] += got
			}
		}
	}
	for name, n := range said {
		if got := float64(spent[name]) / float64(n); got < 0.9 {
			t.Errorf("%s: only %.0f %% of what the sizer says is printed", name, 100*got)
		}
	}
}

// A greedy selection with the sizer fills the budget and the guard drops none
// of it.
func TestSizerFillsBudget(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for name, c := range counters(t) {
		if c == nil {
			c = Bytes{}
		}
		for range 20 {
			byPath := map[string]Doc{}
			s, _ := NewSizer("markdown", Options{Counter: c}, func(d *Doc) error { *d = byPath[d.File.Path]; return nil })
			const budget = 4000
			in := Input{Header: stream.Header{Query: "q"}}
			var files []stream.File
			used := 0
			for i := range 60 {
				d := randomDoc(r, i)
				byPath[d.File.Path] = d
				_, frame := s.Frame(in.Header, append(files, d.File))
				if _, n, _ := s.File(d.File, nil); frame+used+n <= budget {
					used += n
					files, in.Docs = append(files, d.File), append(in.Docs, d)
				}
			}
			note := ""
			out := renderString(t, "markdown", in, Options{Counter: c, MaxTokens: budget, OnLeftOut: func(n string) { note = n }})
			if note != "" {
				t.Errorf("%s: %s", name, note)
			}
			if n := c.Count([]byte(out)); n < budget*85/100 {
				t.Errorf("%s: %d of %d tokens used", name, n, budget)
			}
		}
	}
}

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		in   []Span
		want string
	}{
		{nil, "10 lines"},
		{[]Span{{3, 4}, {8, 8}}, "lines 3–4, 8 of 10"},
		{[]Span{{8, 8}, {3, 4}}, "lines 3–4, 8 of 10"},
		{[]Span{{3, 4}, {6, 7}}, "lines 3–7 of 10"},
		{[]Span{{2, 9}}, "10 lines"},
		{[]Span{{-5, 3}, {9, 99}}, "lines 1–3, 9–10 of 10"},
		{[]Span{{20, 30}}, "none of 10 lines"},
		{[]Span{{5, 2}}, "none of 10 lines"},
		{[]Span{}, "none of 10 lines"},
	} {
		d := &Doc{Spans: c.in}
		if got := rangeText(spansOf(d, splitLines(bytes.Repeat([]byte("x\n"), 10))), 10); got != c.want {
			t.Errorf("%v: %s, want %s", c.in, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	in := selection()
	for _, c := range []struct {
		format string
		o      Options
		want   string
	}{
		{"pdf", Options{}, "human, json, jsonl, markdown, paths, xml"},
		{"markdown", Options{MaxTokens: -1}, "must not be negative"},
		{"xml", Options{MaxBytes: 10}, "too small"},
	} {
		var b bytes.Buffer
		err := Render(context.Background(), &b, c.format, in, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("%s %+v: %v, %d bytes written", c.format, c.o, err, b.Len())
		}
	}
	if _, err := NewCounter("gpt"); err == nil || !strings.Contains(err.Error(), "bytes, cl100k, o200k") {
		t.Errorf("unknown tokenizer: %v", err)
	}
	in.Docs[0].Content = nil
	in.Load = func(*Doc) error { return errors.New("disk on fire") }
	if err := Render(context.Background(), &bytes.Buffer{}, "xml", in, Options{}); err == nil || !strings.Contains(err.Error(), `"net/server.go": disk on fire`) {
		t.Errorf("failing load: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Render(ctx, &bytes.Buffer{}, "xml", in, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Content is loaded only for formats that print it and only while it fits.
func TestLoadIsLazy(t *testing.T) {
	in := Input{}
	for i := range 1000 {
		in.Docs = append(in.Docs, Doc{File: stream.File{Path: fmt.Sprint("f", i)}})
	}
	loads := 0
	in.Load = func(d *Doc) error { loads++; d.Content = bytes.Repeat([]byte("a line\n"), 50); return nil }
	for _, f := range Formats() {
		loads = 0
		renderString(t, f.Name, in, Options{MaxTokens: 2000})
		if f.NeedsContent && (loads < 10 || loads > 40) || !f.NeedsContent && loads > 0 {
			t.Errorf("%s: %d files were loaded", f.Name, loads)
		}
	}
}

func TestRegistries(t *testing.T) {
	last := ""
	for _, f := range Formats() {
		if f.Name <= last || f.Doc == "" || f.encoder == nil {
			t.Errorf("format %q: out of order or without its doc line", f.Name)
		}
		last = f.Name
	}
	last = ""
	for _, f := range Tokenizers() {
		if f.Name <= last || f.Doc == "" {
			t.Errorf("tokenizer %q: out of order or without its doc line", f.Name)
		}
		last = f.Name
	}
	if _, err := Lookup(DefaultFormat); err != nil {
		t.Error(err)
	}
}

func FuzzRender(f *testing.F) {
	f.Add("a.go", "why", []byte(hostile), 1, 3, 400, uint8(0))
	f.Add("d/ü.js", "<&>", []byte(server), 10, 12, 150, uint8(3))
	f.Add("\x1b", "```", bytes.Repeat([]byte("`"), 3000), -1, 9, 0, uint8(7))
	f.Add("x", "", []byte("]]>]]>\r\n\x00"), 2, 2, 90, uint8(1))
	f.Fuzz(func(t *testing.T, path, query string, content []byte, start, end, budget int, bits uint8) {
		if path == "" || budget < 0 {
			return
		}
		d := Doc{File: stream.File{Path: path, Language: query, Role: stream.Role(query)}, Content: append([]byte{}, content...), Stale: bits&1 > 0}
		d.Outline = []stream.Chunk{{Kind: "function", Name: query, StartLine: end, EndLine: start, Signature: query + path}}
		if bits&2 > 0 {
			d.Spans = []Span{{start, end}}
		}
		whole := Doc{File: stream.File{Path: "second", Language: "go"}, Content: d.Content}
		in := Input{Header: stream.Header{Version: "0.3", Query: query}, Docs: []Doc{d, whole}}
		o := Options{MaxTokens: budget, LineNumbers: bits&4 > 0}
		for _, format := range Formats() {
			if format.Name == "jsonl" && stream.CheckPath(path) != nil {
				continue // no such path comes out of a stream
			}
			var b bytes.Buffer
			err := Render(context.Background(), &b, format.Name, in, o)
			var small *BudgetError
			if errors.As(err, &small) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			checkOutput(t, format.Name, in, o, b.String())
		}
	})
}

func BenchmarkRender(b *testing.B) {
	in := Input{Header: stream.Header{Query: "close"}}
	for i := range 40 {
		d := Doc{File: stream.File{Path: fmt.Sprintf("net/server%d.go", i), Language: "go"}, Content: []byte(strings.Repeat(server, 10))}
		in.Docs = append(in.Docs, d)
	}
	for _, f := range Formats() {
		for name, c := range counters(b) {
			b.Run(f.Name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					renderString(b, f.Name, in, Options{Counter: c, MaxTokens: 8000})
				}
			})
		}
	}
}

func BenchmarkSizer(b *testing.B) {
	d := Doc{File: stream.File{Path: "net/server.go", Language: "go"}, Content: []byte(strings.Repeat(server, 20)), Outline: serverOutline}
	for name, c := range counters(b) {
		b.Run(name, func(b *testing.B) {
			s, _ := NewSizer("markdown", Options{Counter: c}, func(to *Doc) error { *to = d; return nil })
			b.SetBytes(int64(len(d.Content)))
			for b.Loop() {
				if _, _, err := s.File(d.File, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
