package render

import (
	"fmt"
	"strings"

	"github.com/topo-dev/topo/stream"
)

// Counter counts the tokens of a text. It is safe for concurrent use, and its
// time is linear in the text whatever the text holds.
type Counter interface{ Count(text []byte) int }

// Tokenizer is one way to count tokens.
type Tokenizer struct {
	Name string // as given to [NewCounter]
	Doc  string // one line for the help text
	load func() (Counter, error)
}

// tokenizers is sorted by name.
var tokenizers = []Tokenizer{
	{"bytes", "bytes divided by 4, rounded up: an estimate for any model", func() (Counter, error) { return Bytes{}, nil }},
	{"cl100k", "cl100k_base, counted with the vocabulary of GPT-4", func() (Counter, error) { return loadBPE("cl100k") }},
	{"o200k", "o200k_base, counted with the vocabulary of GPT-4o and later", func() (Counter, error) { return loadBPE("o200k") }},
}

// Tokenizers lists every tokenizer, sorted by name.
func Tokenizers() []Tokenizer { return append([]Tokenizer(nil), tokenizers...) }

// NewCounter returns a counter of that name; empty means bytes. A vocabulary
// is read from the binary itself and takes a fraction of a second: keep the
// counter. The error lists the known names.
func NewCounter(name string) (Counter, error) {
	if name == "" {
		return Bytes{}, nil
	}
	var names []string
	for _, t := range tokenizers {
		if t.Name == name {
			return t.load()
		}
		names = append(names, t.Name)
	}
	return nil, fmt.Errorf("render: unknown tokenizer %q; known: %s", name, strings.Join(names, ", "))
}

// Bytes is the default counter, ceil(bytes/4).
type Bytes struct{}

// Count implements [Counter].
func (Bytes) Count(text []byte) int { return stream.EstimateTokens(int64(len(text))) }
