package score

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/score/signal"
	"github.com/topo-dev/topo/stream"
)

// Definition is a definition of a ranked file.
type Definition struct {
	Path string
	stream.Chunk
}

// Definitions ranks what the first n files define against the query, best
// first; equal ones by path and line. files are ranked, as by [Rank]. The score
// is 1 for the best, for the others the odds of being wanted relative to it, 0 for
// what holds nothing of the query.
func Definitions(c Corpus, q *Query, files []stream.File, n int) ([]Definition, error) {
	p, err := NewPassages(c, q)
	if err != nil {
		return nil, err
	}
	var out []Definition
	best, top := math.Inf(-1), 0.0
	if len(files) > 0 {
		top = files[0].Score
	}
	for place, f := range files[:min(n, len(files))] {
		id, err := lookup(c, f.Path)
		if err != nil {
			return nil, err
		}
		if id < 0 {
			continue
		}
		chunks, err := p.logits(id, f)
		if err != nil {
			return nil, err
		}
		part := signal.FilePart(share(f.Score, top), place, signal.ChunkWeights)
		for _, k := range chunks {
			k.Score += part
			best = max(best, k.Score)
			out = append(out, Definition{f.Path, k})
		}
	}
	for i := range out {
		out[i].Score = odds(out[i].Score, best)
	}
	slices.SortStableFunc(out, func(a, b Definition) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine))
	})
	return out, nil
}

func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}
