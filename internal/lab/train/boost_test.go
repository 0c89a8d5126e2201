package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// crossedExamples has examples in which the wanted file is the one where a and b are
// both high or both low, which no linear weights can tell.
func crossedExamples(n int) []Example {
	rng := rand.New(rand.NewPCG(3, 4))
	out := make([]Example, n)
	for i := range out {
		e := Example{Repo: fmt.Sprint("r", i%9), Names: []string{"a", "b"}, Golds: 1, Gold: make([]bool, 12), Values: [][]float32{make([]float32, 12), make([]float32, 12)}}
		wanted := rng.IntN(12)
		for j := range 12 {
			a, b := rng.Float32()/2, rng.Float32()/2
			high := rng.IntN(2) == 0
			if high {
				a += 0.5
			}
			if high == (j == wanted) {
				b += 0.5
			}
			e.Values[0][j], e.Values[1][j] = a, b
		}
		e.Gold[wanted] = true
		out[i] = e
	}
	return out
}

// firsts is the share of wanted files that a model puts first.
func firsts(ranks [][][]int, model int) float64 {
	n := 0.0
	for _, r := range ranks {
		if r[model][0] == 1 {
			n++
		}
	}
	return n / float64(len(ranks))
}

func TestTreesLearnWhatWeightsCannot(t *testing.T) {
	names := []string{"a", "b"}
	boost := BoostOptions{Trees: 60, MinLeaf: 20, Rate: 0.3}
	ex := crossedExamples(400)
	ranks := CrossValidate(ex, 3, 1e9, func(ex []Example) []Model {
		m := Learn(ex, names, Options{PerRepo: 1e9}, boost)
		return []Model{{Names: names, Weights: m.Weights}, m}
	})
	if l, b := firsts(ranks, 0), firsts(ranks, 1); l > 0.5 || b < 0.9 {
		t.Errorf("linear weights put %.2f of the wanted files first and trees %.2f, want at most 0.5 and at least 0.9", l, b)
	}
}

// TestBoostLeavesOutWhatIsLow: wanted files that the linear weights put below the
// rows to learn from must not teach that what is low is wanted.
func TestBoostLeavesOutWhatIsLow(t *testing.T) {
	ex := crossedExamples(40)
	for i := range ex { // the wanted file is the last by a
		for j, g := range ex[i].Gold {
			if g {
				ex[i].Values[0][j] = -1
			}
		}
	}
	o := BoostOptions{Rows: 11, MinLeaf: 1}.withDefaults()
	if b := newBooster(ex, []string{"a", "b"}, []float64{1, 0}, o); len(b.cases) != 0 {
		t.Errorf("%d cases are learned from without a wanted file among their rows", len(b.cases))
	}
	o.Rows = 12
	if b := newBooster(ex, []string{"a", "b"}, []float64{1, 0}, o); len(b.cases) != len(ex) || len(b.gold) != 12*len(ex) {
		t.Errorf("%d cases, %d rows", len(b.cases), len(b.gold))
	}
}

func TestBoostIsDeterministic(t *testing.T) {
	names := []string{"a", "b"}
	o := BoostOptions{Trees: 5, Leaves: 6, MinLeaf: 20}
	a, b := Boost(crossedExamples(80), names, []float64{0, 0}, o), Boost(crossedExamples(80), names, []float64{0, 0}, o)
	if len(a) == 0 || !reflect.DeepEqual(a, b) {
		t.Errorf("%d and %d trees, equal: %v", len(a), len(b), reflect.DeepEqual(a, b))
	}
	for _, tree := range a {
		if len(tree.Leaves) != len(tree.Splits)+1 || len(tree.Leaves) > 6 {
			t.Errorf("%d leaves of %d splits", len(tree.Leaves), len(tree.Splits))
		}
	}
}

// TestModelScoresAsItsRows holds the trees over values against those over bins.
func TestModelScoresAsItsRows(t *testing.T) {
	names := []string{"a", "b"}
	ex := crossedExamples(60)
	b := newBooster(ex, names, []float64{0, 0}, BoostOptions{MinLeaf: 20}.withDefaults())
	rng := rand.New(rand.NewPCG(1, 1))
	m := Model{Names: names, Weights: []float64{0, 0}}
	for range 10 {
		b.computeGradients()
		g := b.grow(b.sample(rng), []int{0, 1})
		b.add(&g)
		m.Trees = append(m.Trees, b.export(&g, names))
	}
	at, off := 0, 0
	for i := range ex {
		for _, s := range m.Scores(&ex[i]) {
			if math.Abs(s-b.score[at]) > 1e-3 {
				off++
			}
			at++
		}
	}
	if off*100 > at { // rounded thresholds may move a value across
		t.Errorf("%d of %d candidates score otherwise", off, at)
	}
}

func TestSourceHoldsTheModel(t *testing.T) {
	m := Model{Names: []string{"A", "B"}, Weights: []float64{0.12345, -2}, Trees: Boost(crossedExamples(80), []string{"a", "b"}, []float64{0, 0}, BoostOptions{Trees: 1, MinLeaf: 20})}
	src, err := Source(m, map[string]float64{"Role": 1}, "Learned on 80 cases.")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"// Learned on 80 cases.\n", `"A":    0.123,`, `"Role": 1, // by hand`, "var trees = []Tree{\n\t{[]Split{{"} {
		if !strings.Contains(string(src), want) {
			t.Errorf("no %q in\n%s", want, src)
		}
	}
}
