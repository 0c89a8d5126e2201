package algo

import (
	"cmp"
	"slices"

	"github.com/topo-dev/topo/index/graph"
)

// maxTogether is how many files that change along an impact names: enough for a
// hint.
const maxTogether = 10

// together finds the files that often change when the files of the targets do,
// without those and the affected ones: the surest first, then by id. Via is the
// target's file.
func together(s graph.Store, targets []int, affected []FileImpact) ([]Reached, error) {
	known := map[string]bool{}
	for _, f := range affected {
		known[f.Path] = true
	}
	files, err := filesOfTargets(s, targets, known)
	if err != nil {
		return nil, err
	}
	best := map[int]Reached{}
	for _, id := range files {
		edges, err := neighbours(s, id, false)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if e.Kind != graph.EdgeCoChanges {
				continue
			}
			r := Reached{Distance: 1, Confidence: float64(e.Confidence) / 100, Via: id}
			if have, ok := best[e.Other]; ok && have.Confidence >= r.Confidence {
				continue
			}
			if r.Ref, err = ref(s, e.Other); err != nil {
				return nil, err
			}
			if !known[r.Path] {
				best[e.Other] = r
			}
		}
	}
	var out []Reached
	for _, r := range best {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Reached) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.ID, b.ID))
	})
	return out[:min(len(out), maxTogether)], nil
}

// filesOfTargets are the file nodes of the targets, ascending; their paths are
// added to known.
func filesOfTargets(s graph.Store, targets []int, known map[string]bool) ([]int, error) {
	seen := map[int]bool{}
	var files []int
	for _, id := range targets {
		n, err := node(s, id)
		if err != nil {
			return nil, err
		}
		if n.Path == "" {
			continue
		}
		known[n.Path] = true
		if n, err = enclosingFile(s, n); err != nil {
			return nil, err
		}
		if n.Kind == graph.NodeFile && !seen[n.ID] {
			seen[n.ID] = true
			files = append(files, n.ID)
		}
	}
	slices.Sort(files)
	return files, nil
}

// enclosingFile is the file that holds a definition, or what holds it at the outermost.
func enclosingFile(s graph.Store, n graph.Node) (graph.Node, error) {
	for n.Kind != graph.NodeFile {
		edges, err := neighbours(s, n.ID, true)
		if err != nil {
			return n, err
		}
		// Those of its own file: a type in another file may hold it, too.
		next := -1
		for _, e := range edges {
			if e.Kind != graph.EdgeContains || e.Other >= n.ID {
				continue
			}
			o, err := node(s, e.Other)
			if err != nil {
				return n, err
			}
			if o.Path == n.Path {
				next = e.Other
				break
			}
		}
		if next < 0 {
			return n, nil
		}
		if n, err = node(s, next); err != nil {
			return n, err
		}
	}
	return n, nil
}
