package train

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/topo-dev/topo/score/signal"
)

// BoostOptions is how trees are grown. The zero value of each field is its
// default.
type BoostOptions struct {
	Trees   int     // 160
	Leaves  int     // of a tree, 8
	Rate    float64 // what each tree counts, 0.05
	Rows    int     // candidates of a case that are learned from, the best by the linear model, 60
	MinLeaf int     // minimum number of candidates in a leaf, 200
	PerRepo float64 // cases, 60
	Share   float64 // weight of the trees' values, compared with the linear scores, 0.6
}

func (o BoostOptions) withDefaults() BoostOptions {
	set := func(x *int, v int) {
		if *x == 0 {
			*x = v
		}
	}
	set(&o.Trees, 160)
	set(&o.Leaves, 8)
	set(&o.Rows, 60)
	set(&o.MinLeaf, 200)
	if o.Rate == 0 {
		o.Rate = 0.05
	}
	if o.PerRepo == 0 {
		o.PerRepo = 60
	}
	if o.Share == 0 {
		o.Share = 0.6
	}
	return o
}

// Parameters of the boosting that the figures hardly depend on.
const (
	cutoff      = 15  // pairs count where one of the two is among the first so many
	sampleCases = 0.7 // of the cases, by tree
	sampleNames = 0.4 // of the signals, by tree
	leafL2      = 10
	bins        = 64
	boostSeed   = 0x746f706f
)

// Boost grows trees that correct what the linear weights w get wrong: LambdaMART
// (Burges, 2010) that starts from the linear scores. A pair of a wanted and an
// unwanted file counts by how much the ranking would gain, as NDCG, if they
// changed places. They also learn the noise of their cases, which other cases
// do not have: only [BoostOptions.Share] of their values counts.
func Boost(examples []Example, names []string, w []float64, o BoostOptions) []signal.Tree {
	o = o.withDefaults()
	b := newBooster(examples, names, w, o)
	if len(b.cases) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(boostSeed, uint64(len(b.cases))))
	var trees []signal.Tree
	for range o.Trees {
		b.computeGradients()
		t := b.grow(b.sample(rng), sampleShare(rng, len(names), sampleNames))
		if len(t.splits) == 0 {
			continue
		}
		b.add(&t)
		trees = append(trees, b.export(&t, names))
	}
	for _, t := range trees {
		for i := range t.Leaves {
			t.Leaves[i] = math.Round(t.Leaves[i]*o.Share*1e5) / 1e5
		}
	}
	return trees
}

// booster holds the rows of all cases one after the other.
type booster struct {
	o     BoostOptions
	cases []boostCase
	cells [][]uint8   // bins, by signal and row
	edges [][]float64 // upper ends of the bins, by signal
	gold  []bool
	score []float64 // so far
	grad  []float64
	hess  []float64
}

type boostCase struct {
	from, to int
	weight   float64
	ideal    float64 // DCG of the best ranking
}

func newBooster(examples []Example, names []string, w []float64, o BoostOptions) *booster {
	b := &booster{o: o}
	weights := CaseWeights(examples, o.PerRepo)
	values := make([][]float64, len(names))
	for i := range examples {
		e := &examples[i]
		golds := e.countGold()
		if golds == 0 || weights[i] == 0 {
			continue
		}
		score := e.Scores(names, w)
		rows := e.topCandidates(score, o.Rows)
		if golds = e.countWanted(rows); golds == 0 {
			continue
		}
		c := boostCase{from: len(b.gold), to: len(b.gold) + len(rows), weight: weights[i]}
		for k := range golds {
			c.ideal += discount(k)
		}
		b.cases = append(b.cases, c)
		at := e.places(names)
		for _, r := range rows {
			b.gold, b.score = append(b.gold, e.Gold[r]), append(b.score, score[r])
			for k := range names {
				x := 0.0
				if at[k] >= 0 {
					x = float64(e.Values[at[k]][r])
				}
				values[k] = append(values[k], x)
			}
		}
	}
	b.grad, b.hess = make([]float64, len(b.gold)), make([]float64, len(b.gold))
	for k := range names {
		edges, cells := bin(values[k])
		values[k] = nil
		b.edges, b.cells = append(b.edges, edges), append(b.cells, cells)
	}
	return b
}

// topCandidates lists the n best candidates, in their own order. A wanted file that is
// not among them is left out: it would teach that what is low is wanted.
func (e *Example) topCandidates(score []float64, n int) []int {
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	rows := order[:min(n, len(order))]
	slices.Sort(rows)
	return rows
}

// countWanted counts the wanted files among the rows.
func (e *Example) countWanted(rows []int) (n int) {
	for _, r := range rows {
		if e.Gold[r] {
			n++
		}
	}
	return n
}

// bin cuts values into at most [bins] bins of about equal size.
func bin(values []float64) (edges []float64, cells []uint8) {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) <= bins {
		edges = distinct
	} else {
		for k := 1; k <= bins; k++ {
			edges = append(edges, sorted[k*(len(sorted)-1)/bins])
		}
		edges = slices.Compact(edges)
	}
	cells = make([]uint8, len(values))
	for i, x := range values {
		k, _ := slices.BinarySearch(edges, x)
		cells[i] = uint8(min(k, len(edges)-1))
	}
	return edges, cells
}

func discount(place int) float64 { return 1 / math.Log2(float64(place)+2) }

// computeGradients sets the lambdas: the gradients of the loss at the scores so far.
func (b *booster) computeGradients() {
	clear(b.grad)
	clear(b.hess)
	var order []int
	for _, c := range b.cases {
		order = order[:0]
		for i := c.from; i < c.to; i++ {
			order = append(order, i)
		}
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(b.score[y], b.score[x]) })
		sum := 0.0
		for p, i := range order {
			if !b.gold[i] {
				continue
			}
			for q, j := range order {
				if b.gold[j] || p >= cutoff && q >= cutoff {
					continue
				}
				gap := b.score[i] - b.score[j]
				gain := math.Abs(discount(p)-discount(q)) / c.ideal / (0.01 + math.Abs(gap))
				share := 1 / (1 + math.Exp(gap))
				b.grad[i] -= gain * share
				b.grad[j] += gain * share
				b.hess[i] += gain * share * (1 - share)
				b.hess[j] += gain * share * (1 - share)
				sum += 2 * gain * share
			}
		}
		if sum <= 0 {
			continue
		}
		scale := c.weight * math.Log2(1+sum) / sum
		for i := c.from; i < c.to; i++ {
			b.grad[i] *= scale
			b.hess[i] *= scale
		}
	}
}

// sample lists the rows of some cases.
func (b *booster) sample(rng *rand.Rand) []int32 {
	var rows []int32
	for _, c := range b.cases {
		if rng.Float64() < sampleCases {
			for i := c.from; i < c.to; i++ {
				rows = append(rows, int32(i))
			}
		}
	}
	return rows
}

// sampleShare chooses a share of n things, at least two, in their order.
func sampleShare(rng *rand.Rand, n int, share float64) []int {
	out := rng.Perm(n)[:min(n, max(2, int(share*float64(n))))]
	slices.Sort(out)
	return out
}
