package train

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/score/eval"
)

// withChunks gives each example definitions, three in each of its candidates. The
// fix changed one definition of the wanted candidate: the one with most of the
// signal Good.
func withChunks(ex []Example) []Example {
	for i := range ex {
		c := &Chunks{Names: []string{"Good", "Noise"}, Values: make([][]float32, 2), Golds: 1}
		for f, gold := range ex[i].Gold {
			for k := range 3 {
				c.File = append(c.File, int32(f))
				c.Function = append(c.Function, true)
				c.Gold = append(c.Gold, gold && k == 1)
				c.Values[0] = append(c.Values[0], float32(k%2))
				c.Values[1] = append(c.Values[1], float32((i+k+f)%5)/5)
			}
		}
		ex[i].Chunks = c
	}
	return ex
}

func perfect(ex []Example) (scores [][]float64) {
	for _, e := range ex {
		s := make([]float64, len(e.Gold))
		for i, g := range e.Gold {
			if s[i] = float64(i) / 100; g {
				s[i] = 1
			}
		}
		scores = append(scores, s)
	}
	return scores
}

func TestLearnChunks(t *testing.T) {
	ex := withChunks(syntheticExamples(70))
	ex[5].Chunks = nil
	ex[6].Extra = true
	names := append([]string{"Good", "Noise"}, FileNames()...)
	w, ranks := LearnChunks(ex, perfect(ex), names, 5, Options{})
	if w[0] < 1 || math.Abs(w[1]) > w[0]/2 {
		t.Errorf("weights %v of %v", w, names)
	}
	for i, r := range ranks {
		switch {
		case i == 5 || i == 6:
			if r != nil {
				t.Errorf("example %d is ranked: %+v", i, r)
			}
		case r == nil || r.Golds != 1 || len(r.Ranks) != 1 || r.Ranks[0] != 1:
			t.Errorf("example %d: %+v, want the changed function first", i, r)
		}
	}
	if again, _ := LearnChunks(ex, perfect(ex), names, 5, Options{}); !reflect.DeepEqual(w, again) {
		t.Error("another run gives other weights")
	}
}

func TestOnlyFirstFilesAreRanked(t *testing.T) {
	e := withChunks(syntheticExamples(1))[0]
	score := make([]float64, len(e.Gold))
	for i := range score {
		score[i] = float64(len(score) - i)
	}
	for len(score) < eval.FunctionFiles+5 {
		score = append(score, -1)
	}
	e.Chunks.File[0] = eval.FunctionFiles + 2 // behind all others
	e.Chunks.Function[4] = false
	got, function := e.Chunks.ranked(&e, score)
	if n := 3*len(e.Gold) - 1; len(got.Gold) != n || len(function) != n || !got.fits() {
		t.Fatalf("%d definitions, want %d", len(got.Gold), n)
	}
	if function[3] || !function[0] {
		t.Errorf("functions %v", function[:5])
	}
	at := slices.Index(got.Names, "FileScore")
	if first, last := got.Values[at][0], got.Values[at][len(got.Gold)-1]; first != 1 || last >= first || last < 0 {
		t.Errorf("scores of the files from %v to %v", first, last)
	}
}

func TestFunctionsRankAmongFunctions(t *testing.T) {
	e := Example{Gold: []bool{false, true, true}, Golds: 2}
	got := rankFunctions(&e, []bool{false, true, false}, []float64{3, 2, 1})
	if want := (&ChunkResult{2, []int{1, 0}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v: one changed function is not listed", got, want)
	}
}

func TestRankedCandidates(t *testing.T) {
	e := Example{Names: []string{"a", "b"}, Values: [][]float32{{1, 2, 3, 3}, {9, 0, 0, 0}}, Gold: make([]bool, 4)}
	if got := e.RankedCandidates(map[string]float64{"a": 1}); !slices.Equal(got, []int{2, 3, 1, 0}) {
		t.Errorf("ranking %v", got)
	}
}

func TestTablesKeepChunks(t *testing.T) {
	ex := withChunks(syntheticExamples(3))
	ex[1].Chunks = nil
	var b bytes.Buffer
	if err := WriteTables(&b, ex); err != nil {
		t.Fatal(err)
	}
	got, err := ReadTables(bytes.NewReader(b.Bytes()))
	if err != nil || !reflect.DeepEqual(got, ex) {
		t.Fatalf("%d examples, %v", len(got), err)
	}
	for name, damage := range map[string]func(*Chunks){
		"a file that is no candidate": func(c *Chunks) { c.File[0] = 99 },
		"a short column":              func(c *Chunks) { c.Values[1] = c.Values[1][:4] },
		"fewer marks":                 func(c *Chunks) { c.Function = c.Function[:2] },
	} {
		ex := withChunks(syntheticExamples(1))
		damage(ex[0].Chunks)
		b.Reset()
		if err := WriteTables(&b, ex); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadTables(&b); err == nil {
			t.Errorf("%s is read without an error", name)
		}
	}
}

func TestChunkSource(t *testing.T) {
	src, err := ChunkSource([]string{"Text", "Own"}, []float64{1.23456, -0.5}, "Made.")
	if err != nil || !strings.Contains(string(src), "\"Text\": 1.235,\n") || !strings.Contains(string(src), "// Made.") {
		t.Errorf("%s, %v", src, err)
	}
}
