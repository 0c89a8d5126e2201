package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// Bars of growth, as shares of how many times larger the tree is.
const (
	indexGrowth = 1.25 // linear in the bytes; a quarter more is noise
	queryGrowth = 0.9  // less than linear in the files
)

// growth indexes and queries trees of several copies of the tree, each copy
// with contents of its own.
func (b *bench) growth(multiples []int) ([]row, error) {
	defer os.RemoveAll(b.dir("grown"))
	var asks []contest
	var out []row
	var indexed []figure
	for i, m := range multiples {
		tree, cache := b.dir(filepath.Join("grown", fmt.Sprint("tree", m))), filepath.Join("grown", fmt.Sprint("index", m))
		if err := b.grow(tree, m); err != nil {
			return nil, err
		}
		fs, err := b.race(max(1, b.o.runs/m), b.cleared(cache, b.topoCommand(tree, b.dir(cache), "index", "--deep")))
		if err != nil {
			return nil, err
		}
		fs[0].IndexSize = dirSize(b.dir(cache))
		indexed = append(indexed, fs[0])
		ask := b.topoCommand(tree, b.dir(cache), "query", b.o.query, "--top", "20", "--format", "jsonl")
		ask.prints = true
		asks = append(asks, contest{command: ask})
		out = append(out, grown("index", "cold", fs[0], indexed[0], m, multiples[0], indexGrowth))
		out[i].Notes = []string{fmt.Sprintf("the index has %s", megabytes(fs[0].IndexSize))}
	}
	queries, err := b.race(b.o.runs, asks...)
	if err != nil {
		return out, err
	}
	for i, m := range multiples {
		out = append(out, grown("query", "warm", queries[i], queries[0], m, multiples[0], queryGrowth))
	}
	return out, nil
}

// grow makes a tree of m copies. Copies that a smaller tree has are linked.
func (b *bench) grow(tree string, m int) error {
	for n := range m {
		name := fmt.Sprintf("copy%02d", n)
		master := filepath.Join(b.dir("grown"), "copies", name)
		if _, err := os.Stat(master); err != nil {
			if err := copyTree(b.ctx, b.tree, master, fmt.Sprintf("\n// copy %d\n", n)); err != nil {
				return err
			}
		}
		if err := linkTree(b.ctx, master, filepath.Join(tree, name)); err != nil {
			return err
		}
	}
	return nil
}

// grown compares a figure on m copies with the first one: the bar is the
// growth of the tree times slack.
func grown(what, state string, f, base figure, m, first int, slack float64) row {
	r := row{Work: fmt.Sprintf("growth: %s of %d ×", what, m), State: state, Topo: f, Peer: fmt.Sprintf("topo on %d ×", first), Against: base}
	bar := slack * float64(m) / float64(first)
	if m == first {
		bar = 0
	}
	return r.judge(ratio(f, base), "x", bar)
}
