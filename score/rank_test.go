package score

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

// presetTree is a corpus in which each preset has something of its own to see.
func presetTree() *fake {
	t := tree{
		"eviction/notes.toy":   "nothing of it here but a long text about other things entirely",
		"kubelet/manager.toy":  "def evict\nthe eviction of a pod eviction\nend\n",
		"kubelet/helpers.toy":  "def pick\neviction of a pod helpers eviction\nend\n",
		"kubelet/passage.toy":  "def evictPod\neviction pod\nend\n" + strings.Repeat("def other\nwords that fill\nend\n", 30),
		"kubelet/scatter.toy":  "def a\neviction\nend\n" + strings.Repeat("def other\nwords that fill\nend\n", 12) + "def b\npod\nend\n",
		"other/unrelated.toy":  "logging for everyone",
		"other/unrelated2.toy": "more logging for everyone",
	}
	f := newFake(t)
	f.rank["other/unrelated.toy"], f.rank["kubelet/helpers.toy"], f.rank["kubelet/scatter.toy"] = 0.9, 0.05, 0.05
	f.recent["other/unrelated.toy"], f.recent["kubelet/helpers.toy"], f.recent["kubelet/scatter.toy"] = 500, 9, 9
	return f
}

func TestPresetsRankDifferently(t *testing.T) {
	f := presetTree()
	orders := map[string]string{}
	for _, p := range Presets() {
		o := Options{Query: mustQuery(t, "pod eviction"), Preset: p.Name, Fusion: FusionRRF, Extra: []Extra{favour("kubelet/helpers.toy")}}
		if slices.Contains(p.Signals, SignalRerank) {
			o.Rerank = byName{}
		}
		out := mustRank(t, f, f.tree.files(), o)
		order := paths(out)
		if other, same := orders[order]; same {
			t.Errorf("presets %s and %s rank alike: %s", other, p.Name, order)
		}
		orders[order] = p.Name
		if strings.Contains(order, "unrelated") {
			t.Errorf("preset %s lifts a file that everyone imports and that says nothing: %s", p.Name, order)
		}
		computed := map[string]bool{}
		for _, file := range out {
			for name := range file.Signals {
				computed[name] = true
			}
		}
		for _, name := range p.Signals {
			if !computed[name] {
				t.Errorf("preset %s did not compute %s", p.Name, name)
			}
		}
		if len(computed) != len(p.Signals) {
			t.Errorf("preset %s computed %v, wants %v", p.Name, computed, p.Signals)
		}
	}
}

func TestScoringModesDiffer(t *testing.T) {
	f := presetTree()
	seen := map[string]string{}
	for _, m := range Modes() {
		order := paths(mustRank(t, f, f.tree.files(), Options{Query: mustQuery(t, "pod eviction"), Scoring: m.Name}))
		if other, same := seen[order]; same {
			t.Errorf("modes %s and %s rank alike: %s", other, m.Name, order)
		}
		seen[order] = m.Name
	}
}

func TestHeuristicNeedsNoCorpus(t *testing.T) {
	files := presetTree().tree.files()
	for _, o := range []Options{{Preset: "fast"}, {Scoring: "heuristic"}} {
		o.Query = mustQuery(t, "eviction")
		if got := paths(mustRank(t, nil, files, o)); got != "eviction/notes.toy" {
			t.Errorf("%+v ranks %q", o, got)
		}
	}
	if _, err := Rank(context.Background(), nil, files, Options{Query: mustQuery(t, "eviction")}); err == nil {
		t.Error("a plan that reads content ran without a corpus")
	}
}

func TestPlanErrors(t *testing.T) {
	tests := []struct{ preset, scoring, want string }{
		{"quick", "", "fast, balanced, deep, thorough"},
		{"", "magic", "content, heuristic, hybrid"},
		{"fast", "content", "drop one"},
		{"fast", "hybrid", "drop one"},
	}
	for _, tt := range tests {
		if _, err := NewPlan(tt.preset, tt.scoring); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("NewPlan(%q, %q): %v, want it to say %q", tt.preset, tt.scoring, err, tt.want)
		}
	}
}

func TestRegistries(t *testing.T) {
	var names []string
	for _, s := range Signals() {
		names = append(names, s.Name)
		if s.Doc == "" {
			t.Errorf("signal %s has no doc", s.Name)
		}
	}
	for _, p := range Presets() {
		if p.Doc == "" || len(p.Signals) == 0 {
			t.Errorf("preset %s has no doc or no signal", p.Name)
		}
		for _, s := range p.Signals {
			if !slices.Contains(names, s) {
				t.Errorf("preset %s names the unknown signal %s", p.Name, s)
			}
		}
		if _, err := NewPlan(p.Name, ""); err != nil {
			t.Errorf("preset %s: %v", p.Name, err)
		}
	}
	if !slices.IsSortedFunc(Modes(), func(a, b Mode) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("modes are not sorted")
	}
}

// The trap of query-independent signals: among many files that hold one common
// word, the popular one must not pass the one that answers.
func TestPopularityDoesNotBeatRelevance(t *testing.T) {
	docs := tree{"core/answer.toy": "def evictPod\nnode memory pressure eviction threshold pod\nend\n"}
	for i := range 200 {
		docs[fmt.Sprintf("lib/f%03d.toy", i)] = "pod and many other words " + strings.Repeat("filler ", i)
	}
	f := newFake(docs)
	for i, p := range f.paths {
		f.rank[p], f.recent[p] = float64(i)/1000, i
	}
	f.rank["core/answer.toy"], f.recent["core/answer.toy"] = 0, 0
	f.rank["lib/f150.toy"], f.recent["lib/f150.toy"] = 1, 1000
	for _, preset := range []string{"deep", "thorough"} {
		got := mustRank(t, f, docs.files(), Options{Query: mustQuery(t, "pod eviction under memory pressure"), Preset: preset})
		if got[0].Path != "core/answer.toy" {
			t.Errorf("%s puts %s first", preset, got[0].Path)
		}
		for i, file := range got[:5] {
			if file.Path == "lib/f150.toy" {
				t.Errorf("%s puts the popular file at %d", preset, i+1)
			}
		}
	}
}

// Among files that match equally well, the one that others import comes first.
func TestStructureOrdersEquals(t *testing.T) {
	docs := tree{}
	for i := range 9 {
		docs[fmt.Sprintf("a%d.toy", i)] = "eviction"
	}
	f := newFake(docs)
	f.rank["a6.toy"], f.recent["a6.toy"] = 0.5, 3
	got := mustRank(t, f, docs.files(), Options{Query: mustQuery(t, "eviction"), Preset: "deep", Fusion: FusionRRF})
	if got[0].Path == "a6.toy" {
		return
	}
	// bm25f orders equals by path: the prior has to make up six ranks.
	for i, file := range got {
		if file.Path == "a6.toy" && i > 3 {
			t.Errorf("the imported file is at %d", i+1)
		}
	}
}

func TestRankIsDeterministic(t *testing.T) {
	f := newFake(randomTree(rand.New(rand.NewPCG(7, 7))))
	files := f.tree.files()
	o := Options{Query: mustQuery(t, "pod memory cache"), Preset: "thorough"}
	want := mustRank(t, f, files, o)
	for range 20 {
		shuffled := slices.Clone(files)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := mustRank(t, f, shuffled, o); !reflect.DeepEqual(got, want) {
			t.Fatalf("the order of the input changes the ranking:\n%v\n%v", got, want)
		}
	}
	for i := 1; i < len(want); i++ {
		a, b := want[i-1], want[i]
		if a.Score < b.Score || a.Score == b.Score && a.Path >= b.Path {
			t.Errorf("%s (%v) stands before %s (%v)", a.Path, a.Score, b.Path, b.Score)
		}
	}
}

func TestScopeAndUnknownFiles(t *testing.T) {
	f := presetTree()
	files := append(f.tree.files(), stream.File{Path: "not/indexed/eviction.toy", Role: stream.RoleImpl})
	got := mustRank(t, f, files, Options{Query: mustQuery(t, "eviction"), Scope: func(p string) bool { return !strings.HasPrefix(p, "kubelet/") }})
	if len(got) != 4 || !strings.Contains(paths(got), "not/indexed/eviction.toy") {
		t.Errorf("got %q of %d files", paths(got), len(got))
	}
}

func TestRRF(t *testing.T) {
	byIndex := func(a, b int) int { return a - b }
	r := ranks([]float64{0.5, 0, 2, 0.5, -1}, byIndex)
	if want := []int32{2, 0, 1, 3, 0}; !slices.Equal(r, want) {
		t.Errorf("ranks %v, want %v", r, want)
	}
	if rrf(0) != 0 || rrf(1) != 1.0/61 || math.Abs(rrf(10)-1.0/70) > 1e-15 {
		t.Error("rrf is not 1/(60+rank)")
	}
}

func TestExplainAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, o := range []Options{{Preset: "fast"}, {}, {Scoring: "content"}, {Preset: "deep"}, {Preset: "thorough"},
		{Fusion: FusionRRF}, {Preset: "deep", Fusion: FusionRRF}, {Preset: "thorough", Fusion: FusionRRF},
		{Preset: "thorough", Extra: []Extra{byLength}, Rerank: byName{}}, {Preset: "thorough", Fusion: FusionRRF, Extra: []Extra{byLength}, Rerank: byName{}},
		{Rerank: byName{}}, {Scoring: "content", Rerank: byName{}}} {
		f := newFake(randomTree(rng))
		for i, p := range f.paths {
			f.rank[p], f.recent[p] = float64(i), i%3
		}
		o.Query = mustQuery(t, "evict pod parse_url memory")
		ranked := mustRank(t, f, f.tree.files(), o)
		out, err := Explain(context.Background(), f, f.tree.files(), o, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range out {
			if e.Path != ranked[i].Path || e.Score != ranked[i].Score || e.Rank != i+1 {
				t.Fatalf("explanation %d is of %s, the ranking has %s", i, e.Path, ranked[i].Path)
			}
			sum, terms := 0.0, 0.0
			for _, s := range e.Signals {
				sum += s.Contribution
				if s.Value != ranked[i].Signals[s.Name] {
					t.Errorf("%s of %s is %v, the ranking says %v", s.Name, e.Path, s.Value, ranked[i].Signals[s.Name])
				}
			}
			if math.Abs(sum-e.Score) > 1e-9 {
				t.Errorf("%s: contributions add up to %v of %v", e.Path, sum, e.Score)
			}
			for _, m := range e.Terms {
				terms += m.Score
			}
			if bm25f, ok := ranked[i].Signals[SignalBM25F]; ok && math.Abs(terms-bm25f) > 1e-9 {
				t.Errorf("%s: terms add up to %v, bm25f is %v", e.Path, terms, ranked[i].Signals[SignalBM25F])
			}
		}
		if len(out) > 1 {
			first, err := Explain(context.Background(), f, f.tree.files(), o, 1)
			if err != nil || !reflect.DeepEqual(first, out[:1]) {
				t.Errorf("the first of one is not the first of all: %v", err)
			}
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := presetTree()
	if _, err := Rank(ctx, f, f.tree.files(), Options{Query: mustQuery(t, "eviction")}); err == nil {
		t.Error("a cancelled ranking gave a result")
	}
}
