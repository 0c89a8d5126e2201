package eval

import (
	"math"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	c := Case{Gold: []string{"b", "d"}}
	for _, tc := range []struct {
		ranked   string
		accAt    int // the smallest k with all, 0 never
		hitAt    int
		recip    float64
		inBudget []int
	}{
		{"a b c d", 4, 2, 0.5, []int{1, 2, 2, 2}},
		{"d b", 2, 1, 1, []int{2, 2, 2, 2}},
		{"a c b", 0, 3, 1. / 3, []int{0, 1, 1, 1}},
		{"x", 0, 0, 0, []int{0, 0, 0, 0}},
		{"b b d", 3, 1, 1, []int{1, 2, 2, 2}},
	} {
		ranked := strings.Fields(tc.ranked)
		cost := make([]int, len(ranked))
		for i := range cost {
			cost[i] = 2000
		}
		o := Judge(c, ranked, cost)
		for k := 1; k <= 5; k++ {
			if o.All(k) != (tc.accAt > 0 && k >= tc.accAt) {
				t.Errorf("%s: All(%d) = %v", tc.ranked, k, o.All(k))
			}
			if o.Any(k) != (tc.hitAt > 0 && k >= tc.hitAt) {
				t.Errorf("%s: Any(%d) = %v", tc.ranked, k, o.Any(k))
			}
		}
		if o.Reciprocal() != tc.recip {
			t.Errorf("%s: Reciprocal %v", tc.ranked, o.Reciprocal())
		}
		if tc.ranked == "b b d" {
			continue // a path twice is not a ranking; only ranks are defined
		}
		for i, want := range tc.inBudget {
			if o.InBudget[i] != want {
				t.Errorf("%s: budget %d holds %d, want %d", tc.ranked, Budgets[i], o.InBudget[i], want)
			}
		}
	}
}

func TestLineOfKnownRanks(t *testing.T) {
	var outs []Outcome
	for i := range 100 {
		o := Outcome{Case: Case{Gold: []string{"g"}, Language: []string{"go", "c"}[i%2]}, Ranks: []int{1 + i%4}, Seconds: float64(i)}
		outs = append(outs, o)
	}
	s := NewLine("all", outs)
	if s.Acc[1].Mean != 0.25 || s.Acc[3].Mean != 0.75 || s.Hit[5].Mean != 1 {
		t.Errorf("%+v", s)
	}
	if want := (1 + 1./2 + 1./3 + 1./4) / 4; math.Abs(s.MRR.Mean-want) > 1e-9 {
		t.Errorf("MRR %v, want %v", s.MRR.Mean, want)
	}
	if s.Median != 50 || s.P95 != 94 {
		t.Errorf("median %v p95 %v", s.Median, s.P95)
	}
	if iv := s.Acc[1]; !(iv.Low < 0.25 && iv.High > 0.25 && iv.High-iv.Low < 0.25) {
		t.Errorf("interval %+v", iv)
	}
	if NewLine("all", outs).Acc[1] != s.Acc[1] {
		t.Error("the interval changes from run to run")
	}
	keys, groups := By(outs, func(c Case) string { return c.Language })
	if strings.Join(keys, " ") != "c go" || len(groups["go"]) != 50 {
		t.Errorf("%v", keys)
	}
}

// TestIntervalCovers checks the bootstrap against the normal approximation of
// a proportion, which is close at this size.
func TestIntervalCovers(t *testing.T) {
	xs := make([]float64, 400)
	for i := range 120 {
		xs[i] = 1
	}
	iv := Mean(xs)
	half := 1.96 * math.Sqrt(0.3*0.7/400)
	if math.Abs(iv.Low-(0.3-half)) > 0.01 || math.Abs(iv.High-(0.3+half)) > 0.01 {
		t.Errorf("%+v, want 0.3 ± %.3f", iv, half)
	}
	if d := difference(xs, xs); d != (Interval{}) {
		t.Errorf("difference with itself %+v", d)
	}
}

func TestReadCases(t *testing.T) {
	good := `{"id":"a","query":"q","gold_files":["x"]}` + "\n\n" + `{"query":"r","gold_files":["y","z"],"base_commit":"1"}`
	cases, err := ReadCases(strings.NewReader(good))
	if err != nil || len(cases) != 2 || cases[1].ID != "3" || len(cases[1].Gold) != 2 {
		t.Fatalf("%+v %v", cases, err)
	}
	for in, want := range map[string]string{
		"":                            "holds none",
		"{":                           "line 1",
		`{"gold_files":["x"]}`:        "no query",
		good + "\n" + `{"query":"q"}`: "line 4: no gold_files",
		strings.Repeat("x", 5<<20):    "too long",
	} {
		if _, err := ReadCases(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %q", in, err, want)
		}
	}
}
