package algo

import (
	"cmp"
	"context"
	"slices"

	"github.com/topo-dev/topo/index/graph"
)

// Hotspot is a file that changes often and is hard to change. In JSON:
//
//	{"Path":"net/server.go","Churn":41,"Complexity":230,"Functions":18,"Score":0.83,"Worst":{…}}
type Hotspot struct {
	Path       string
	Churn      int       // commits that changed the file
	Complexity int       // sum of the functions' cognitive complexity, at least 1
	Functions  int       // functions and methods in the file
	Score      float64   // churn × complexity, as a share of the highest: 0 to 1
	Worst      graph.Ref // the most complex function
}

// Hotspots ranks the files by churn × complexity, after Tornhill, "Your Code as
// a Crime Scene" (2015). churn counts commits by path; files without a function
// or a change are left out. Equal ones come by path; 0 or less is no limit.
func Hotspots(ctx context.Context, s graph.Store, churn map[string]int, limit int) ([]Hotspot, error) {
	byPath := map[string]*Hotspot{}
	worst := map[string]int{}
	for id := range s.NumNodes() {
		if id%checkEach == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n, err := node(s, id)
		if err != nil {
			return nil, err
		}
		if n.Kind != graph.NodeFunction && n.Kind != graph.NodeMethod || churn[n.Path] <= 0 {
			continue
		}
		h := byPath[n.Path]
		if h == nil {
			h = &Hotspot{Path: n.Path, Churn: churn[n.Path]}
			byPath[n.Path] = h
		}
		h.Functions++
		h.Complexity += n.Metrics.Cognitive
		if c := n.Metrics.Cognitive; h.Functions == 1 || c > worst[n.Path] {
			worst[n.Path], h.Worst = c, n.Ref()
		}
	}
	return ranked(byPath, limit), nil
}

func ranked(byPath map[string]*Hotspot, limit int) []Hotspot {
	all := make([]Hotspot, 0, len(byPath))
	top := 0.0
	for _, h := range byPath {
		h.Complexity = max(h.Complexity, 1)
		h.Score = float64(h.Churn) * float64(h.Complexity)
		top = max(top, h.Score)
		all = append(all, *h)
	}
	for i := range all {
		all[i].Score /= top
	}
	slices.SortFunc(all, func(a, b Hotspot) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path))
	})
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return all
}
