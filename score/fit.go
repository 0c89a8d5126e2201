package score

import (
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/stream"
)

const (
	// fitTerms is how many words of a line of a task its fit is judged by. A long
	// report holds many words that no source file has.
	fitTerms = 12
	// fitLines is how many lines of a task are looked at: one may be a greeting.
	fitLines = 8
	// fitFiles is how many of the best files are looked at.
	fitFiles = 3
	// fullFit is the share of the words' weight that counts as all of it: a task
	// in words is rarely in the words of the code.
	fullFit = 0.7
	// minFit is that of files that match in some way, such as by history.
	minFit = 0.05
)

// Fit says how much of a task the best files account for.
type Fit struct {
	// Value is 1 when one of the best files holds the words of a line of the task,
	// and 0.05 when none holds any. Each word counts by how rare it is.
	Value float64
	Words int      // of the line that fits best
	Held  int      // of those, in the best of the files
	None  []string // of those, in no file of the corpus
}

// MeasureFit looks for the words of a query in the best of the ranked files. The line
// of the task that fits best counts. Other forms of a word count as the word. Without a
// corpus nothing is known: the fit is 1.
func MeasureFit(c Corpus, q *Query, ranked []stream.File) (Fit, error) {
	lines := fitWords(q)
	if c == nil || len(ranked) == 0 || len(lines) == 0 {
		return Fit{Value: 1}, nil
	}
	ranked = ranked[:min(len(ranked), fitFiles)]
	ids, err := c.Match(func(i int) string { return ranked[i].Path }, len(ranked))
	if err != nil {
		return Fit{}, err
	}
	var best Fit
	for _, terms := range lines {
		fit, err := measureLine(c, terms, ids)
		if err != nil {
			return Fit{}, err
		}
		if fit.Value > best.Value {
			best = fit
		}
		if best.Value == 1 {
			break
		}
	}
	return best, nil
}

func measureLine(c Corpus, terms []string, ids []int32) (Fit, error) {
	fit := Fit{Words: len(terms)}
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
	fit.Held = count[best]
	fit.Value = max(minFit, math.Round(min(1, held[best]/all/fullFit)*1e4)/1e4)
	return fit, nil
}

// fitWords are the distinct words of the lines of a query that say something.
func fitWords(q *Query) (out [][]string) {
	for line := range strings.Lines(q.Text) {
		parsed, err := ParseQuery(line)
		if err != nil {
			continue
		}
		var words []string
		for _, t := range parsed.Terms[:min(len(parsed.Terms), fitTerms)] {
			words = append(words, t.Text)
		}
		if out = append(out, words); len(out) == fitLines {
			break
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
