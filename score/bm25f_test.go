package score

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index/token"
)

// naive is BM25F as the design writes it down, for one file.
func naive(f *fake, id int, terms []string) float64 {
	n := float64(len(f.paths))
	weights := []float64{5, 3, 1}
	sum := 0.0
	for _, t := range terms {
		df := 0.0
		for i := range f.tf {
			if _, ok := f.tf[i][t]; ok {
				df++
			}
		}
		weighted := 0.0
		for field, w := range weights {
			avg := 0.0
			for i := range f.lens {
				avg += float64(f.lens[i][field]) / n
			}
			if avg == 0 {
				continue
			}
			weighted += w * float64(f.tf[id][t][field]) / (1 - 0.75 + 0.75*float64(f.lens[id][field])/avg)
		}
		sum += math.Log((n-df+0.5)/(df+0.5)+1) * (weighted / (weighted + 1.2))
	}
	return sum
}

func randomTree(rng *rand.Rand) tree {
	words := strings.Fields("evict pod node memory pressure cache server http token parse url worker queue retry")
	pick := func() string { return words[rng.IntN(len(words))] }
	t := tree{}
	for i := range 2 + rng.IntN(12) {
		var b strings.Builder
		for range rng.IntN(4) {
			fmt.Fprintf(&b, "def %s_%s\n", pick(), pick())
			for range rng.IntN(20) {
				b.WriteString(pick() + " ")
			}
			b.WriteString("\nend\n")
		}
		t[fmt.Sprintf("%s/%s%d.toy", pick(), pick(), i)] = b.String()
	}
	return t
}

func TestBM25FAgainstNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		f := newFake(randomTree(rng))
		text := "evict memory_pressure under parseURL retry"
		q := mustQuery(t, text)
		terms, err := q.choose(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := bm25f(context.Background(), f, terms)
		if err != nil {
			t.Fatal(err)
		}
		for id := range got {
			if want := naive(f, id, token.Terms(text)); math.Abs(got[id]-want) > 1e-9 {
				t.Fatalf("%s: %v, naive %v", f.paths[id], got[id], want)
			}
		}
	}
}

func TestIDF(t *testing.T) {
	if got, want := IDF(10, 3), math.Log(7.5/3.5+1); got != want {
		t.Errorf("IDF(10, 3) = %v, want %v", got, want)
	}
	for df := 1; df <= 10; df++ {
		if v := IDF(10, df); v <= 0 || v >= IDF(10, df-1) {
			t.Errorf("IDF(10, %d) = %v is not positive and falling", df, v)
		}
	}
}

// The content must count: the trap of content that is indexed and not scored.
func TestContentIsScored(t *testing.T) {
	f := newFake(tree{"a.toy": "unrelated words", "b.toy": "the eviction threshold of a node"})
	got := mustRank(t, f, f.tree.files(), Options{Query: mustQuery(t, "eviction threshold")})
	if paths(got) != "b.toy" {
		t.Errorf("ranked %q, want b.toy alone", paths(got))
	}
}
