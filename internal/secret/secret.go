// Package secret finds credentials in text and masks them.
//
// What always holds: the result depends on the bytes of the content alone; the
// work is linear in its length, whatever it holds; findings are sorted and do
// not overlap; no finding contains a line end unless it is the body of a private
// key; masking keeps every line end where it was and masking twice changes
// nothing more.
//
// A finding is a guess from the form of the text. Nothing is sent anywhere to
// verify it. docs/security.md says what is found, what is not and how both are
// measured.
package secret

import (
	"bytes"
	"slices"
	"sync"
)

// Finding is a secret in a content.
type Finding struct {
	Start, End int    // the secret is content[Start:End]
	Rule       string // what it is, such as "github-pat"
	Line       int    // the line of Start, counted from 1
}

// candidate is a finding before overlaps are resolved.
type candidate struct {
	start, end int
	rule       string
	rank       int // of overlapping candidates the lowest rank wins
}

// Ranks of candidates. A format that names its provider says more than the name
// of a variable does.
const (
	rankFormat = iota
	rankNear
	rankGeneric
)

// engine holds the compiled rules.
type engine struct {
	filter  *prefilter
	nearby  []nearPattern
	classes *classes
	formats int // how many
}

var compiled = sync.OnceValue(func() *engine { return compile(formats, nearFormats) })

// Find returns the secrets of content, sorted by position.
func Find(content []byte) []Finding {
	s := scanner{engine: compiled(), b: content}
	s.filter.run(&s)
	found := resolve(s.found)
	line, at := 1, 0
	findings := make([]Finding, len(found))
	for i, c := range found {
		line += bytes.Count(content[at:c.start], []byte{'\n'})
		at = c.start
		findings[i] = Finding{Start: c.start, End: c.end, Rule: c.rule, Line: line}
	}
	return findings
}

// resolve sorts candidates by position and drops those that overlap a better one.
func resolve(cs []candidate) []candidate {
	if len(cs) < 2 {
		return cs
	}
	slices.SortFunc(cs, func(a, b candidate) int {
		switch {
		case a.start != b.start:
			return a.start - b.start
		case a.rank != b.rank:
			return a.rank - b.rank
		}
		return b.end - a.end
	})
	kept := cs[:1]
	for _, c := range cs[1:] {
		last := &kept[len(kept)-1]
		switch {
		case c.start >= last.end:
			kept = append(kept, c)
		case c.rank < last.rank:
			*last = c
		}
	}
	return kept
}

// scanner is the state of one call of Find.
type scanner struct {
	*engine
	b      []byte
	found  []candidate
	keysTo int // up to where lines of private keys have been read

	// Where the last match of each format ends, and of those that were found. An
	// anchor before that is a part of the same token: reading the rest once more
	// for each would not be linear.
	tried  []int
	masked int
}

func (s *scanner) add(start, end int, rule string, rank int) {
	s.found = append(s.found, candidate{start, end, rule, rank})
}
