// Package signal values the files of a repository against a query in many
// ways, one [Feature] each, and joins them by a linear model whose weights were
// learned on other repositories.
//
// A ranking is made in two passes. The first goes over all files by a few
// signals that the index answers: terms by field, paths, history. The best
// files by a fixed mix of these are the candidates, and all other signals value
// the candidates only: the second pass reads them for phrases, definitions, comments, string
// literals and single passages.
//
// What always holds:
//   - a value is 0 where a signal says nothing; a signal without data (no
//     history, no imports) is 0 for every file and adds nothing to any score;
//   - the same corpus, files and query give the same values, bit for bit: sums
//     are taken in one order, never in that of a map or of goroutines;
//   - values are compared within one query only: most are divided by the
//     largest among the candidates before weights apply;
//   - time is linear in the query and bounded by [maxTerms], [MaxCandidates] and
//     [maxRead], whatever the repository holds.
package signal

import (
	"context"
	"errors"
	"slices"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/stream"
)

// Corpus is what the signals read about the files. Files are numbered from 0.
// Content and Chunks are called from several goroutines, concurrently with the others.
type Corpus interface {
	NumFiles() int
	// TotalLen is the number of terms in filename, symbols and body of all files.
	TotalLen() [3]uint64
	FileLen(id int) ([3]uint32, error)
	// DF is the number of files that hold the term.
	DF(term string) (int, error)
	// Each calls fn for every file that holds the term, with its frequency in
	// filename, symbols and body, in ascending order of files.
	Each(term string, fn func(id int, tf [3]uint32)) error
	Chunks(id int) ([]chunk.Chunk, error)
	// Content appends the file's text to buf[:0].
	Content(id int, buf []byte) ([]byte, error)
}

// History is what a [Corpus] may know of the commits, numbered from 0, newest
// first.
type History interface {
	NumCommits() int
	// CommitSubject is the subject of commit i.
	CommitSubject(i int) (string, error)
	// FileCommits appends the commits that touched a file to buf[:0], newest first.
	FileCommits(id int, buf []uint32) ([]uint32, error)
}

// Imports is what a [Corpus] may know of the edges from file to file.
type Imports interface {
	// Imported appends the files that a file imports to buf[:0].
	Imported(id int, buf []uint32) ([]uint32, error)
	// PageRank of a file; sums to 1 over all files, 0 when not known.
	PageRank(id int) float64
}

// Vocabulary is what a [Corpus] may know of the terms that it holds.
type Vocabulary interface {
	// TermsWithPrefix calls fn for the terms with that beginning, in order,
	// until it returns false.
	TermsWithPrefix(prefix string, fn func(term string) bool) error
}

// MaxCandidates is how many files the second pass reads. The wanted files of
// 99 % of the evaluation's cases are among the first 100.
const MaxCandidates = 120

// Input is one ranking.
type Input struct {
	Corpus Corpus
	Query  string
	Files  []stream.File // all that the caller knows, ranked or not: tests support what they test
	IDs    []int32       // number of each file in the corpus, -1 for none
	Ranked []bool        // those that can be candidates
	Groups []string      // of signals to compute, see [Known]; nil is all
	// Candidates is how many files are read; 0 is [MaxCandidates].
	Candidates int
	More       []int // further candidates that the caller chose, positions in Files
	All        bool  // signals without weight too, for training
}

// Feature is one signal's values.
type Feature struct {
	Name   string
	Values []float64
}

// Table holds the candidates' values.
type Table struct {
	Candidates []int     // positions in Input.Files, best first by the first pass, then Input.More
	FirstPass  []float64 // the mix of the first pass, by position in Input.Files
	Features   []Feature // values by position in Candidates
}

// Compute values the files.
func Compute(ctx context.Context, in Input) (*Table, error) {
	m, err := newFeatureMatrix(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := m.computeFirstPass(); err != nil {
		return nil, err
	}
	t := &Table{FirstPass: m.firstPassScores()}
	n := in.Candidates
	if n <= 0 {
		n = MaxCandidates
	}
	t.Candidates = m.top(t.FirstPass, n)
	for _, i := range in.More {
		if !slices.Contains(t.Candidates, i) {
			t.Candidates = append(t.Candidates, i)
		}
	}
	m.setCandidates(t.Candidates)
	var second []Feature
	failed := make(chan error, 1)
	go func() { // concurrently with the signals that read no file
		var err error
		second, err = m.secondPassFeatures(t.Candidates)
		failed <- err
	}()
	err = m.computeCandidateFeatures(t.FirstPass)
	if err := errors.Join(<-failed, err); err != nil {
		return nil, err
	}
	t.collect(m, second)
	return t, ctx.Err()
}

// collect takes the features that are wanted, in the order of [Signals].
func (t *Table) collect(m *featureMatrix, second []Feature) {
	for _, c := range m.fileFeatures {
		if m.wants(c.Name) {
			values := make([]float64, len(t.Candidates))
			for k, i := range t.Candidates {
				values[k] = c.Values[i]
			}
			t.Features = append(t.Features, Feature{c.Name, values})
		}
	}
	for _, c := range append(m.candidateFeatures, second...) {
		if m.wants(c.Name) {
			t.Features = append(t.Features, c)
		}
	}
	at := place()
	slices.SortStableFunc(t.Features, func(a, b Feature) int { return at[a.Name] - at[b.Name] })
	if m.wants(togetherName) {
		t.Features = append(t.Features, Feature{togetherName, t.treeValues(trees)})
	}
}

// togetherName is the signal that the trees make of the others.
const togetherName = "Together"

func (t *Table) treeValues(trees []Tree) []float64 {
	names := make([]string, len(t.Features))
	for k, c := range t.Features {
		names[k] = c.Name
	}
	return Value(trees, names, t.Normal(), len(t.Candidates))
}

// wants reports whether a signal counts and belongs to a requested group.
func (in *Input) wants(name string) bool {
	k, ok := byName()[name]
	_, counts := Weights[name]
	return ok && (counts || in.All) && (in.Groups == nil || slices.Contains(in.Groups, k.Group))
}
