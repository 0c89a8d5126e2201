package score

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/score/signal"
)

// Bounds of a query.
const (
	// MaxTerms is how many terms of a query are looked up: those with the
	// largest product of weight and IDF. A short question has far fewer.
	MaxTerms = 150
	// MaxQuery is how much of a query is read, in bytes. A bug report with its
	// stack traces has a tenth of it.
	MaxQuery = 256 << 10
)

// Errors of a query that asks nothing.
var (
	ErrEmptyQuery = errors.New("the query is empty; say what you are looking for")
	ErrStopWords  = errors.New("the query holds no searchable word, only such as \"the\" or \"is\"; name what you are looking for")
)

// Term is one distinct term of a query.
type Term struct {
	Text   string
	Weight float64 // 1 for a plain word that occurs once
}

// Query is a question, tokenized.
type Query struct {
	Text  string
	Terms []Term // in order of first occurrence
	// Letters are the words of a query without terms that have one letter, or are
	// the name of a language such as C++. They are looked for as names.
	Letters []string

	mentions map[string][][]string // paths and modules that the text names, by last segment
}

// ParseQuery reads a question: a few words or a whole bug report. The error is
// [ErrEmptyQuery] or [ErrStopWords].
func ParseQuery(text string) (*Query, error) {
	if strings.TrimSpace(text) == "" {
		return nil, ErrEmptyQuery
	}
	q := &Query{Text: text}
	text = text[:min(len(text), MaxQuery)]
	at := map[string]int{}
	var counts []int
	var split token.Splitter
	signal.EachPart(strings.TrimSpace(text), func(part string, weight float64) {
		split.Each([]byte(part), func(term []byte) {
			i, ok := at[string(term)]
			if !ok {
				i = len(q.Terms)
				at[string(term)] = i
				q.Terms = append(q.Terms, Term{Text: string(term)})
				counts = append(counts, 0)
			}
			counts[i]++
			q.Terms[i].Weight = max(q.Terms[i].Weight, weight)
		})
	})
	if len(q.Terms) == 0 {
		if q.Letters = singleLetters(text); len(q.Letters) == 0 {
			return nil, ErrStopWords
		}
		return q, nil
	}
	for i, n := range counts {
		q.Terms[i].Weight *= 1 + math.Log(float64(n))
	}
	q.mentions = mentions(text)
	return q, nil
}

// weighted is a term with what a corpus knows of it.
type weighted struct {
	Term
	df  int
	idf float64
}

// choose looks up the terms and keeps the [MaxTerms] that weigh most, in the
// order of the query. Terms that no file holds are dropped.
func (q *Query) choose(c Corpus) ([]weighted, error) {
	n := c.NumFiles()
	kept := make([]weighted, 0, len(q.Terms))
	for _, t := range q.Terms {
		df, err := c.DF(t.Text)
		if err != nil {
			return nil, err
		}
		if df > 0 {
			kept = append(kept, weighted{t, df, IDF(n, df)})
		}
	}
	if len(kept) <= MaxTerms {
		return kept, nil
	}
	order := make([]int, len(kept))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(kept[b].Weight*kept[b].idf, kept[a].Weight*kept[a].idf)
	})
	order = order[:MaxTerms]
	slices.Sort(order)
	out := make([]weighted, MaxTerms)
	for i, at := range order {
		out[i] = kept[at]
	}
	return out, nil
}

// maxMentions bounds how many named paths are kept; a stack trace has dozens.
const maxMentions = 400

// mentions finds what looks like a path or a dotted module name, as segments
// without the extension, keyed by the last one in lower case.
func mentions(text string) map[string][][]string {
	out := map[string][][]string{}
	n := 0
	for _, word := range strings.FieldsFunc(text, signal.NotInPath) {
		word = strings.Trim(word, "./\\:-")
		segs := strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return strings.ContainsRune(`/\.:`, r) })
		if len(segs) < 2 || len(word) > 400 {
			continue
		}
		if strings.Contains(word, ":") { // file.go:12
			for len(segs) > 1 && strings.Trim(segs[len(segs)-1], "0123456789") == "" {
				segs = segs[:len(segs)-1]
			}
		}
		if n++; n > maxMentions {
			break
		}
		// The last segment may be an extension or, after a module, a name in it.
		for drop := 0; drop < 2 && len(segs)-drop >= 1; drop++ {
			s := segs[:len(segs)-drop]
			out[s[len(s)-1]] = append(out[s[len(s)-1]], s)
		}
	}
	return out
}

// mentioned is how surely the text names the file whose path has these lower
// case segments, the last without its extension: 1 for two segments or more, a
// half for the bare name of a file, 0 for none.
func (q *Query) mentioned(segs []string) float64 {
	best := 0.0
	for _, m := range q.mentions[segs[len(segs)-1]] {
		n := 0
		for n < len(m) && n < len(segs) && m[len(m)-1-n] == segs[len(segs)-1-n] {
			n++
		}
		switch {
		case n >= 2:
			return 1
		case n == len(m) || n == len(segs):
			best = 0.5
		}
	}
	return best
}
