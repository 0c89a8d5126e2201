package score

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo"
)

// Definition is a function or method of a ranked file.
type Definition struct {
	Path string
	topo.Chunk
}

// How a definition's place comes from its file's score and from its own beside
// the best one of all files: File^definitionFile × Own^definitionOwn.
const (
	definitionFile = 1.0
	definitionOwn  = 1.0
)

// Definitions ranks the functions and methods of the first n files against the
// query, best first; equal ones by path and line. files are ranked, as by
// [Rank]. A score is 1 for the best definition of the best file at the most.
func Definitions(c Corpus, q *Query, files []topo.File, n int) ([]Definition, error) {
	p, err := NewPassages(c, q)
	if err != nil {
		return nil, err
	}
	var out []Definition
	var file []float64
	best, top := 0.0, 0.0
	for _, f := range files[:min(n, len(files))] {
		chunks, err := p.Of(f.Path)
		if err != nil {
			return nil, err
		}
		for _, k := range chunks {
			if k.Kind != "function" && k.Kind != "method" {
				continue
			}
			out, file = append(out, Definition{f.Path, k}), append(file, f.Score)
			best, top = max(best, k.Score), max(top, f.Score)
		}
	}
	for i := range out {
		if best == 0 || top == 0 {
			break
		}
		out[i].Score = math.Pow(file[i]/top, definitionFile) * math.Pow(out[i].Score/best, definitionOwn)
	}
	slices.SortStableFunc(out, func(a, b Definition) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine))
	})
	return out, nil
}
