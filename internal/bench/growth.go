package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// growth indexes and queries a tree of several copies, each with contents of
// its own. Indexing must take time linear in the bytes (a quarter more is
// noise), and a query at most half as much more as there are more files.
func (b *bench) growth(multiples []int) ([]row, error) {
	tree, err := b.fresh("growing")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tree)
	var out []row
	var firstIndex, firstQuery float64
	copies := 0
	for _, m := range multiples {
		for ; copies < m; copies++ {
			dst := filepath.Join(tree, fmt.Sprintf("copy%02d", copies))
			if err := copyTree(b.ctx, b.tree, dst, fmt.Sprintf("\n// copy %d\n", copies)); err != nil {
				return out, err
			}
		}
		rounds := max(1, b.o.runs/m)
		index, err := b.race(rounds, b.cleared("growing-index", b.topoCommand(tree, b.dir("growing-index"), "index", "--deep")))
		if err != nil {
			return out, err
		}
		index[0].IndexSize = dirSize(b.dir("growing-index"))
		ask := b.topoCommand(tree, b.dir("growing-index"), "query", b.o.query, "--top", "20", "--format", "jsonl")
		ask.prints = true
		query, err := b.race(b.o.runs, contest{command: ask})
		if err != nil {
			return out, err
		}
		if firstIndex == 0 {
			firstIndex, firstQuery = index[0].Seconds, query[0].Seconds
		}
		out = append(out, grown("index", "cold", index[0], firstIndex, m, multiples[0], 1.25),
			grown("query", "warm", query[0], firstQuery, m, multiples[0], 0.5))
	}
	return out, nil
}

// grown compares a figure on m copies with that on the first multiple: the bar
// is the growth of the tree times slack.
func grown(what, state string, f figure, firstSeconds float64, m, first int, slack float64) row {
	r := row{Work: fmt.Sprintf("growth: %s of %d ×", what, m), State: state, Topo: f, Peer: fmt.Sprintf("topo on %d ×", first)}
	bar := slack * float64(m) / float64(first)
	if m == first {
		bar = 0
	}
	return r.judge(f.Seconds/firstSeconds, "x", bar)
}
