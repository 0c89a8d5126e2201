package train

import (
	"math"

	"github.com/topo-dev/topo/score/signal"
)

// tree is a tree over bins.
type tree struct {
	splits []binSplit
	leaves []float64
}

type binSplit struct {
	name        int   // of the signal
	at          uint8 // the last bin that goes left
	left, right int   // as in [signal.Split]
}

// leafRows is a leaf that may still be split.
type leafRows struct {
	rows       []int32
	grad, hess float64
	parent     int // split that leads here, -1 for the root
	right      bool
	best       candidate
}

// candidate is the best split of a leaf.
type candidate struct {
	gain float64
	name int
	at   uint8
}

// grow makes one tree, always splitting the leaf that gains most.
func (b *booster) grow(rows []int32, names []int) tree {
	var t tree
	open := []leafRows{b.leaf(rows, names)}
	open[0].parent = -1
	for len(open) < b.o.Leaves {
		best := 0
		for k := range open {
			if open[k].best.gain > open[best].best.gain {
				best = k
			}
		}
		l := open[best]
		if l.best.gain <= 1e-9 {
			break
		}
		at := len(t.splits)
		t.splits = append(t.splits, binSplit{name: l.best.name, at: l.best.at})
		t.link(l, at)
		left, right := b.split(l, names)
		left.parent, right.parent, right.right = at, at, true
		open[best] = left
		open = append(open, right)
	}
	if len(t.splits) == 0 {
		return t
	}
	for _, l := range open {
		t.link(l, -1-len(t.leaves))
		t.leaves = append(t.leaves, -b.o.Rate*l.grad/(l.hess+leafL2))
	}
	return t
}

// link makes the split above l lead to at.
func (t *tree) link(l leafRows, at int) {
	switch {
	case l.parent < 0:
	case l.right:
		t.splits[l.parent].right = at
	default:
		t.splits[l.parent].left = at
	}
}

func (b *booster) split(l leafRows, names []int) (left, right leafRows) {
	cells := b.cells[l.best.name]
	var lo, hi []int32
	for _, i := range l.rows {
		if cells[i] <= l.best.at {
			lo = append(lo, i)
		} else {
			hi = append(hi, i)
		}
	}
	return b.leaf(lo, names), b.leaf(hi, names)
}

// leaf sums the rows and finds their best split.
func (b *booster) leaf(rows []int32, names []int) leafRows {
	l := leafRows{rows: rows}
	for _, i := range rows {
		l.grad += b.grad[i]
		l.hess += b.hess[i]
	}
	if len(rows) < 2*b.o.MinLeaf {
		return l
	}
	whole := l.grad * l.grad / (l.hess + leafL2)
	for _, k := range names {
		var sums [bins]struct {
			grad, hess float64
			rows       int
		}
		cells := b.cells[k]
		for _, i := range rows {
			s := &sums[cells[i]&(bins-1)]
			s.grad += b.grad[i]
			s.hess += b.hess[i]
			s.rows++
		}
		g, h, n := 0.0, 0.0, 0
		for c := range len(b.edges[k]) - 1 {
			g, h, n = g+sums[c].grad, h+sums[c].hess, n+sums[c].rows
			if n < b.o.MinLeaf || len(rows)-n < b.o.MinLeaf {
				continue
			}
			rg, rh := l.grad-g, l.hess-h
			gain := g*g/(h+leafL2) + rg*rg/(rh+leafL2) - whole
			if gain > l.best.gain {
				l.best = candidate{gain, k, uint8(c)}
			}
		}
	}
	return l
}

// add gives every row its leaf.
func (b *booster) add(t *tree) {
	for i := range b.score {
		at := 0
		for at >= 0 {
			if s := &t.splits[at]; b.cells[s.name][i] <= s.at {
				at = s.left
			} else {
				at = s.right
			}
		}
		b.score[i] += t.leaves[-1-at]
	}
}

// export is the tree over values, of four decimals, the leaves of five.
func (b *booster) export(t *tree, names []string) signal.Tree {
	out := signal.Tree{}
	for _, s := range t.splits {
		at := math.Ceil(b.edges[s.name][s.at]*1e4) / 1e4 // up: the bin holds its upper end
		out.Splits = append(out.Splits, signal.Split{Signal: names[s.name], At: at, Left: s.left, Right: s.right})
	}
	for _, x := range t.leaves {
		out.Leaves = append(out.Leaves, math.Round(x*1e5)/1e5)
	}
	return out
}
