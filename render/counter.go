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
	{"cl100k", "cl100k_base, counted with the vocabulary of GPT-4", loadOnce("cl100k", cutCL100K)},
	{"o200k", "o200k_base, counted with the vocabulary of GPT-4o and later", loadOnce("o200k", cutO200K)},
}

// Tokenizers lists every tokenizer, sorted by name.
func Tokenizers() []Tokenizer { return append([]Tokenizer(nil), tokenizers...) }

// DefaultTokenizer counts budgets of tokens unless another is named.
const DefaultTokenizer = "o200k"

// NewCounter returns a counter of that name; empty means bytes. A vocabulary
// is read from the binary itself at the first call, in a few milliseconds. The
// error lists the known names.
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

// setCounter sets the counter where none is given.
func (o *Options) setCounter() (err error) {
	switch {
	case o.Counter != nil:
	case o.MaxTokens > 0:
		o.Counter, err = NewCounter(DefaultTokenizer)
	default:
		o.Counter = Bytes{}
	}
	return err
}

// Bytes counts ceil(bytes/4).
type Bytes struct{}

// Count implements [Counter].
func (Bytes) Count(text []byte) int { return stream.EstimateTokens(int64(len(text))) }
