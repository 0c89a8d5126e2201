package score

import (
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/stream"
)

const (
	// fitTerms is how many words of the first line of a task its fit is judged by.
	// A long report holds many words that no source file has.
	fitTerms = 12
	// fitFiles is how many of the best files are looked at.
	fitFiles = 3
	// fullFit is the share of the words' weight that counts as all of it: a task
	// in words is rarely in the words of the code.
	fullFit = 0.6
)

// Fit says how much of a task the best files account for.
type Fit struct {
	// Value is 1 when one of the best files holds the words of the task, and 0 when
	// none holds any. Each word counts by how rare it is.
	Value float64
	Words int      // of the task that were looked for
	Held  int      // of those, in the best of the files
	None  []string // of those, in no file of the corpus
}

// MeasureFit looks for the words of a query in the best of the ranked files. Other
// forms of a word count as the word. Without a corpus, nothing is known: the fit is 1.
func MeasureFit(c Corpus, q *Query, ranked []stream.File) (Fit, error) {
	fit := Fit{Value: 1}
	terms := fitWords(q)
	if c == nil || len(ranked) == 0 || len(terms) == 0 {
		return fit, nil
	}
	ranked = ranked[:min(len(ranked), fitFiles)]
	ids, err := c.Match(func(i int) string { return ranked[i].Path }, len(ranked))
	if err != nil {
		return fit, err
	}
	held, count := make([]float64, len(ids)), make([]int, len(ids))
	all := 0.0
	for _, t := range terms {
		df, in, err := holders(c, t, ids)
		if err != nil {
			return fit, err
		}
		weight := IDF(c.NumFiles(), df)
		all += weight
		if df == 0 {
			fit.None = append(fit.None, t)
		}
		for k := range ids {
			if in[k] {
				held[k] += weight
				count[k]++
			}
		}
	}
	best := 0
	for k := range held {
		if held[k] > held[best] {
			best = k
		}
	}
	fit.Words, fit.Held = len(terms), count[best]
	fit.Value = math.Round(min(1, held[best]/all/fullFit)*1e4) / 1e4
	return fit, nil
}

// fitWords are the distinct words of the first line of a query.
func fitWords(q *Query) (out []string) {
	first, _, _ := strings.Cut(q.Text, "\n")
	head, err := ParseQuery(first)
	if err != nil {
		head = q
	}
	for _, t := range head.Terms {
		if len(out) < fitTerms {
			out = append(out, t.Text)
		}
	}
	return out
}

// holders tells which of the files hold a word or another form of it, and in how
// many files the most frequent form is.
func holders(c Corpus, term string, ids []int32) (df int, in []bool, err error) {
	in = make([]bool, len(ids))
	for _, form := range append([]string{term}, signal.Variants(term)...) {
		n, err := c.DF(form)
		if err != nil {
			return 0, nil, err
		}
		if n == 0 {
			continue
		}
		df = max(df, n)
		err = c.Each(form, func(id int, _ [3]uint32) {
			if k := slices.Index(ids, int32(id)); k >= 0 {
				in[k] = true
			}
		})
		if err != nil {
			return 0, nil, err
		}
	}
	return df, in, nil
}
