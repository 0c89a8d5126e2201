package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// syntheticExamples has examples in which the wanted file is drawn by the weights 3, -2, 0.
func syntheticExamples(n int) []Example {
	rng := rand.New(rand.NewPCG(1, 2))
	out := make([]Example, n)
	for i := range out {
		e := Example{Repo: fmt.Sprint("r", i%7), Names: []string{"a", "b", "c"}, Golds: 1, Gold: make([]bool, 20)}
		best, at := math.Inf(-1), 0
		for range e.Names {
			e.Values = append(e.Values, make([]float32, 20))
		}
		for j := range 20 {
			for k := range e.Names {
				e.Values[k][j] = float32(rng.Float64())
			}
			u := 3*float64(e.Values[0][j]) - 2*float64(e.Values[1][j]) - math.Log(-math.Log(rng.Float64()))
			if u > best {
				best, at = u, j
			}
		}
		e.Gold[at] = true
		out[i] = e
	}
	return out
}

func TestFitFindsTheWeights(t *testing.T) {
	w := Fit(syntheticExamples(3000), []string{"a", "b", "c"}, Options{L2: 0.1, PerRepo: 1e9})
	for k, want := range []float64{3, -2, 0} {
		if math.Abs(w[k]-want) > 0.25 {
			t.Errorf("weight %d is %.3f, want about %v", k, w[k], want)
		}
	}
	if again := Fit(syntheticExamples(3000), []string{"a", "b", "c"}, Options{L2: 0.1, PerRepo: 1e9}); !reflect.DeepEqual(w, again) {
		t.Error("another run gives other weights")
	}
}

// TestGradient checks the gradient against differences of the loss.
func TestGradient(t *testing.T) {
	ex := syntheticExamples(30)
	ex[3].Gold[1], ex[3].Gold[2] = true, true
	p := newProblem(ex, []string{"a", "b", "c"}, Options{}.withDefaults())
	w, g, none := []float64{0.3, -0.7, 0.2}, make([]float64, 3), make([]float64, 3)
	p.loss(w, g)
	const h = 1e-6
	for k := range w {
		w[k] += h
		up := p.loss(w, none)
		w[k] -= 2 * h
		down := p.loss(w, none)
		w[k] += h
		if d := (up - down) / (2 * h); math.Abs(d-g[k]) > 1e-4*max(1, math.Abs(d)) {
			t.Errorf("gradient %d is %v, differences say %v", k, g[k], d)
		}
	}
}

func TestFoldsKeepRepositoriesWhole(t *testing.T) {
	ex := syntheticExamples(100)
	of := Folds(ex, 3, 60)
	seen, used := map[string]int{}, map[int]bool{}
	for i, e := range ex {
		if k, ok := seen[e.Repo]; ok && k != of[i] {
			t.Fatalf("%s is in folds %d and %d", e.Repo, k, of[i])
		}
		seen[e.Repo], used[of[i]] = of[i], true
	}
	if len(used) != 3 {
		t.Errorf("%d folds are used", len(used))
	}
}

func TestCrossValidateNeverSeesTheRepository(t *testing.T) {
	// In one repository signal a points the wrong way. Weights from the others
	// must rank its wanted files last.
	var ex []Example
	for i := range 40 {
		e := Example{Repo: fmt.Sprint("r", i%4), Names: []string{"a"}, Values: [][]float32{{1, 0, 0.5}}, Gold: []bool{true, false, false}, Golds: 1}
		if e.Repo == "r0" {
			e.Gold = []bool{false, true, false}
		}
		ex = append(ex, e)
	}
	learn := func(ex []Example) []Model {
		return []Model{{Names: []string{"a"}, Weights: Fit(ex, []string{"a"}, Options{L2: 0.1})}}
	}
	for i, ranks := range CrossValidate(ex, 4, 60, learn) {
		want := 1
		if ex[i].Repo == "r0" {
			want = 3
		}
		if ranks[0][0] != want {
			t.Errorf("%s: wanted file at %d, want %d", ex[i].Repo, ranks[0][0], want)
		}
	}
}

func TestRanks(t *testing.T) {
	e := Example{Names: []string{"x", "y"}, Values: [][]float32{{1, 2, 3}, {0, 5, 0}}, Gold: []bool{true, false, true}, Golds: 3}
	if got := e.Ranks(e.Scores([]string{"x", "y", "absent"}, []float64{1, 1, 9})); !reflect.DeepEqual(got, []int{3, 2, 0}) {
		t.Errorf("%v", got)
	}
}

func TestCaseWeightsCapRepositories(t *testing.T) {
	ex := []Example{{Repo: "a"}, {Repo: "a", Weight: 0.5}, {Repo: "a", Weight: 0.5}, {Repo: "b", Weight: 0.5}}
	if got := CaseWeights(ex, 1); !reflect.DeepEqual(got, []float64{0.5, 0.25, 0.25, 0.5}) {
		t.Errorf("%v: cases of a should come to 1 together", got)
	}
}
