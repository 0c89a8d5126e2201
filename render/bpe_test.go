package render

import (
	"bytes"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tiktoken "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// oracle counts with the library itself: its pattern on its own engine.
func oracle(t testing.TB, name string) func([]byte) int {
	t.Helper()
	patterns := map[string]string{
		"cl100k": `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
		"o200k": strings.Join([]string{
			`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
			`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
			`\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, `\s*[\r\n]+`, `\s+(?!\S)`, `\s+`}, "|"),
	}
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + "_base.tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	core, err := tiktoken.NewCoreBPE(ranks, map[string]int{"<|endoftext|>": 1 << 20}, patterns[name])
	if err != nil {
		t.Fatal(err)
	}
	tk := tiktoken.NewTiktoken(core, &tiktoken.Encoding{Name: name}, nil)
	return func(b []byte) int { return len(tk.EncodeOrdinary(string(b))) }
}

var tokenNames = []string{"cl100k", "o200k"}

func counterOf(t testing.TB, name string) Counter {
	t.Helper()
	c, err := NewCounter(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// randomText mixes words, code, spaces, line breaks and letters of every class.
func randomText(r *rand.Rand) []byte {
	atoms := []string{
		"a", "Z", "the", "HTTPServer", "camelCase", "snake_case", "'s", "'LL", "'re", "don't", "DON'T", "1", "12345", "٣٤",
		" ", "  ", "\t", "\n", "\r\n", "\n\n\n", "    ", "{", "}", "})\n", "();", "//", "/\n/", "!=", "…", "\u00a0", "\u3000",
		"é", "É", "e\u0301", "\u0301", "ß", "ǅ", "ʰ", "中文", "日本", "한국", "кириллица", "ΩΣ", "क्षि", "😀", "👩‍👩", "\u200d", "½", "Ⅷ", "²",
		"\x00", "\x1b[31m", "\ufffd", "<|endoftext|>", "func (s *Server) Close() error {\n\treturn nil\n}\n", "ｈｅｌｌｏ",
	}
	var b bytes.Buffer
	for range r.Intn(40) {
		b.WriteString(strings.Repeat(atoms[r.Intn(len(atoms))], 1+r.Intn(3)*r.Intn(2)))
	}
	return b.Bytes()
}

func TestCountsAsTiktoken(t *testing.T) {
	for _, name := range tokenNames {
		count, want := counterOf(t, name), oracle(t, name)
		r := rand.New(rand.NewSource(1))
		for range 4000 {
			text := randomText(r)
			if got, want := count.Count(text), want(text); got != want {
				t.Fatalf("%s: %q has %d tokens, tiktoken says %d", name, text, got, want)
			}
		}
		files, _ := filepath.Glob("*.go")
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := count.Count(text), want(text); got != want {
				t.Errorf("%s: %s has %d tokens, tiktoken says %d", name, f, got, want)
			}
		}
		for _, n := range []int{1, 2, 100, 3000} {
			text := bytes.Repeat([]byte("a"), n)
			if got, want := count.Count(text), want(text); got != want {
				t.Errorf("%s: %d letters have %d tokens, tiktoken says %d", name, n, got, want)
			}
		}
	}
}

// Hostile runs: a quadratic counter would take minutes here.
func TestCountIsBounded(t *testing.T) {
	for _, name := range tokenNames {
		c := counterOf(t, name)
		for _, atom := range []string{"a", "A", " ", "\n", "=", "\u0301", "中", "ab", "\xff"} {
			text := bytes.Repeat([]byte(atom), 1<<17/len(atom))
			if n := c.Count(text); n < 1 || n > len(text) {
				t.Errorf("%s: 128 KiB of %q has %d tokens", name, atom, n)
			}
		}
	}
}

func FuzzCount(f *testing.F) {
	r := rand.New(rand.NewSource(2))
	for range 20 {
		f.Add(randomText(r))
	}
	type pair struct {
		c    Counter
		want func([]byte) int
	}
	var pairs []pair
	for _, name := range tokenNames {
		pairs = append(pairs, pair{counterOf(f, name), oracle(f, name)})
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		text = []byte(strings.ToValidUTF8(string(text), "?"))
		for i, p := range pairs {
			if got, want := p.c.Count(text), p.want(text); got != want {
				t.Errorf("%s: %q has %d tokens, tiktoken says %d", tokenNames[i], text, got, want)
			}
		}
	})
}

func BenchmarkCount(b *testing.B) {
	src, err := os.ReadFile("bpe.go")
	if err != nil {
		b.Fatal(err)
	}
	hostile := bytes.Repeat([]byte("a"), 1<<20)
	for _, name := range tokenNames {
		c := counterOf(b, name)
		lib := oracle(b, name)
		run := func(kind string, text []byte, count func([]byte) int) {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					count(text)
				}
			})
		}
		run("code", src, c.Count)
		run("code-tiktoken", src, lib)
		run("1MB-of-a", hostile, c.Count)
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, name := range tokenNames {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := NewCounter(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
