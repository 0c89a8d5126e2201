package render

import (
	"bytes"
	"math/rand"
	"os"
	"path/filepath"
	"testing"
)

func TestLinesCountAsTheWhole(t *testing.T) {
	for _, name := range tokenNames {
		whole := counterOf(t, name)
		lines := remember(whole)
		same := func(text []byte) {
			if got, want := lines.Count(text), whole.Count(text); got != want {
				t.Fatalf("%s: %q has %d tokens by lines, %d as a whole", name, text, got, want)
			}
		}
		r := rand.New(rand.NewSource(3))
		for range 20000 {
			var text []byte
			for range 1 + r.Intn(4) {
				text = append(append(text, randomText(r)...), []string{"", "\n", "\n  ", "\n/", ")\n/", "\n\n", " \n\t", "\r\n"}[r.Intn(8)]...)
			}
			same(text)
			same(text)
		}
		files, _ := filepath.Glob("*.go")
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			same(text)
		}
		same(bytes.Repeat([]byte("\n \t"), 1000))
	}
	if _, ok := remember(Bytes{}).(Bytes); !ok {
		t.Error("estimates of lines do not add up: they must not be taken apart")
	}
}

// What is remembered is bounded.
func TestRememberedLinesAreBounded(t *testing.T) {
	c := remember(counterOf(t, "o200k")).(*lineCounter)
	line := append(bytes.Repeat([]byte("abc "), 1<<18), '\n')
	for i := range 40 {
		line[0] = byte('a' + i%26)
		c.Count(line)
		if c.size > maxKnown || len(c.known) > 17 {
			t.Fatalf("%d bytes in %d lines", c.size, len(c.known))
		}
	}
}
