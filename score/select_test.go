package score

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

// lineSizer prints a frame of 100 bytes, 40 bytes a file, and ten bytes a line.
type lineSizer struct {
	lines map[string]int
	err   error
}

func (s lineSizer) Frame(stream.Header, []stream.File) (int64, int) { return 100, 25 }

func (s lineSizer) Lines(f stream.File) (int, error) { return s.lines[f.Path], nil }

func (s lineSizer) File(f stream.File, _ []stream.File) (int64, int, error) {
	lines := s.lines[f.Path]
	if len(f.Chunks) > 0 {
		seen := map[int]bool{}
		for _, c := range f.Chunks {
			for l := c.StartLine; l <= c.EndLine; l++ {
				seen[l] = true
			}
		}
		lines = len(seen)
	}
	b := int64(40 + 10*lines)
	return b, stream.EstimateTokens(b), s.err
}

// ranking is n files of random length with random chunks, best first.
func ranking(rng *rand.Rand, n int) ([]stream.File, lineSizer) {
	s := lineSizer{lines: map[string]int{}}
	var files []stream.File
	for i := range n {
		lines := 1 + rng.IntN(1+rng.IntN(2000))
		f := stream.File{Path: fmt.Sprintf("f%03d", i), Score: 1 - float64(i)/float64(2*n), Size: int64(lines * 10), Tokens: 7}
		for at, left := 1, 1+rng.IntN(40); at < lines && left > 0; left-- {
			end := min(lines, at+rng.IntN(60))
			f.Chunks = append(f.Chunks, stream.Chunk{Kind: "function", Name: "x", StartLine: at, EndLine: end, Score: 1 / float64(1+len(f.Chunks))})
			at = end + 1
		}
		s.lines[f.Path] = lines
		files = append(files, f)
	}
	return files, s
}

func total(t *testing.T, s Sizer, files []stream.File) (bytes int64, tokens int) {
	t.Helper()
	bytes, tokens = s.Frame(stream.Header{}, files)
	for _, f := range files {
		b, n, err := s.File(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n != f.Tokens {
			t.Fatalf("%s says it costs %d tokens, it costs %d", f.Path, f.Tokens, n)
		}
		bytes, tokens = bytes+b, tokens+n
	}
	return bytes, tokens
}

func TestSelectNeverExceedsTheBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		files, sizer := ranking(rng, rng.IntN(30))
		var b stream.Budget
		if rng.IntN(3) > 0 {
			b.MaxTokens = 1 + rng.IntN(1+rng.IntN(9000))
		}
		if rng.IntN(3) == 0 || b.MaxTokens == 0 {
			b.MaxBytes = 1 + rng.Int64N(1+rng.Int64N(40000))
		}
		if rng.IntN(3) == 0 {
			b.Top = 1 + rng.IntN(10)
		}
		sel := Selection{Budget: b, Sizer: sizer}
		got, err := Select(context.Background(), files, sel)
		if err != nil {
			t.Fatal(err)
		}
		bytes, tokens := total(t, sizer, got)
		if len(got) > 0 && (b.MaxBytes > 0 && bytes > b.MaxBytes || b.MaxTokens > 0 && tokens > b.MaxTokens) {
			t.Fatalf("%d bytes, %d tokens of budget %+v", bytes, tokens, b)
		}
		if b.Top > 0 && len(got) > b.Top {
			t.Fatalf("%d files of at most %d", len(got), b.Top)
		}
		again, _ := Select(context.Background(), files, sel)
		if !reflect.DeepEqual(got, again) {
			t.Fatal("the same input gives another selection")
		}
		for i := 1; i < len(got); i++ {
			if got[i-1].Path >= got[i].Path {
				t.Fatalf("%s stands before %s", got[i-1].Path, got[i].Path)
			}
		}
	}
}

func TestSelectTopIsMonotone(t *testing.T) {
	files, _ := ranking(rand.New(rand.NewPCG(1, 1)), 60)
	last := 0
	for top := 1; top < 70; top++ {
		got, err := Select(context.Background(), files, Selection{Budget: stream.Budget{Top: top}})
		if err != nil || len(got) < last || len(got) > top || len(got) != min(top, len(files)) {
			t.Fatalf("top %d gives %d files after %d: %v", top, len(got), last, err)
		}
		last = len(got)
	}
}

func TestSelectMinScoreIsMonotone(t *testing.T) {
	files, _ := ranking(rand.New(rand.NewPCG(1, 1)), 60)
	last := len(files) + 1
	for _, minScore := range []float64{0.01, 0.5, 0.6, 0.75, 0.9, 1, 2} {
		got, err := Select(context.Background(), files, Selection{Budget: stream.Budget{Top: 100}, MinScore: minScore})
		if err != nil || len(got) > last {
			t.Fatalf("minimum %v gives %d files after %d: %v", minScore, len(got), last, err)
		}
		for _, f := range got {
			if f.Score < minScore {
				t.Errorf("score %v is below %v", f.Score, minScore)
			}
		}
		last = len(got)
	}
}

// TestMinScoreKeepsTheSelection: a ranking without what is below MinScore gives
// the same selection as the whole ranking.
func TestMinScoreKeepsTheSelection(t *testing.T) {
	tr := presetTree()
	all := mustRank(t, tr, tr.tree.files(), Options{Query: mustQuery(t, "evict pods under memory pressure")})
	shorter := false
	for _, s := range []Selection{{}, {MinScore: 0.5}, {MinScore: 1e-9}, {Budget: stream.Budget{Top: 2}}} {
		some := mustRank(t, tr, tr.tree.files(), Options{Query: mustQuery(t, "evict pods under memory pressure"), MinScore: s.MinScoreFor})
		shorter = shorter || len(some) < len(all)
		want, err := Select(context.Background(), all, s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Select(context.Background(), some, s)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v selects %s of the shortened ranking, want %s (%v)", s.Budget, paths(got), paths(want), err)
		}
	}
	if !shorter {
		t.Error("Least left nothing out")
	}
}

func TestSelectDefaults(t *testing.T) {
	var files []stream.File
	for i := range 100 {
		files = append(files, stream.File{Path: fmt.Sprintf("f%03d", i), Score: 1 / float64(1+i), Tokens: 9, Chunks: []stream.Chunk{{Name: "x"}}})
	}
	got, err := Select(context.Background(), files, Selection{})
	if err != nil || len(got) != 3 { // 1, 1/2, 1/3 are above 0.3 of the best
		t.Fatalf("%d files, %v", len(got), err)
	}
	if got[0].Chunks != nil || got[0].Tokens != 9 {
		t.Errorf("without a budget %+v is not whole with its own estimate", got[0])
	}
	for i := range files {
		files[i].Score = 1
	}
	if got, _ := Select(context.Background(), files, Selection{}); len(got) != DefaultTop {
		t.Errorf("%d files by default, want %d", len(got), DefaultTop)
	}
	zero := []stream.File{{Path: "a"}, {Path: "b"}}
	if got, _ := Select(context.Background(), zero, Selection{Header: stream.Header{Query: "x"}}); len(got) != 0 {
		t.Errorf("files of score 0 answer a query: %v", got)
	}
}

func TestHugeFirstFileLeavesRoom(t *testing.T) {
	sizer := lineSizer{lines: map[string]int{"a": 380, "b": 50, "c": 60, "d": 5000, "e": 20}}
	var files []stream.File
	for i, p := range []string{"a", "b", "c", "d", "e"} {
		files = append(files, stream.File{Path: p, Score: 1 - 0.1*float64(i), Size: int64(10 * sizer.lines[p]), Chunks: []stream.Chunk{
			{Name: "best", StartLine: 1, EndLine: 20, Score: 2}, {Name: "good", StartLine: 11, EndLine: 18, Score: 1.5}, {Name: "poor", StartLine: 30, EndLine: 40, Score: 0.01},
		}})
	}
	got, err := Select(context.Background(), files, Selection{Budget: stream.Budget{MaxBytes: 4000}, Sizer: sizer})
	if err != nil {
		t.Fatal(err)
	}
	var forms []string
	for _, f := range got {
		form := f.Path
		for _, c := range f.Chunks {
			form += ":" + c.Name
		}
		forms = append(forms, form)
	}
	// The last colons are lines of a that no definition has.
	if want := "a:best:poor: b c d:best e"; strings.Join(forms, " ") != want {
		t.Errorf("selected %q, want %q", strings.Join(forms, " "), want)
	}
}

func TestTooLongDefinitionIsCut(t *testing.T) {
	sizer := lineSizer{lines: map[string]int{"a": 5000}}
	files := []stream.File{{Path: "a", Score: 1, Chunks: []stream.Chunk{{Name: "giant", StartLine: 101, EndLine: 4100, Score: 1}}}}
	text := bytes.Repeat([]byte("ten bytes\n"), 5000)
	got, err := Select(context.Background(), files, Selection{Budget: stream.Budget{MaxTokens: 500}, Sizer: sizer,
		Windows: func(_ stream.File, within stream.Chunk, size int) ([]stream.Chunk, error) {
			return Beginning(text, within, size), nil
		}})
	if err != nil || len(got) != 1 || len(got[0].Chunks) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if c := got[0].Chunks[0]; c.StartLine != 101 || c.EndLine < 130 {
		t.Errorf("the definition is cut to %d-%d", c.StartLine, c.EndLine)
	}
}

func TestSelectAsksForChunks(t *testing.T) {
	sizer := lineSizer{lines: map[string]int{"a": 5000, "b": 3}}
	asked := ""
	sel := Selection{Budget: stream.Budget{MaxTokens: 1000}, Sizer: sizer, Chunks: func(f stream.File) ([]stream.Chunk, error) {
		asked += f.Path
		return []stream.Chunk{{Name: "best", StartLine: 7, EndLine: 9, Score: 1}}, nil
	}}
	files := []stream.File{{Path: "a", Score: 1}, {Path: "b", Score: 1}}
	got, err := Select(context.Background(), files, sel)
	if err != nil || len(got) != 2 || len(got[0].Chunks) != 2 || got[0].Chunks[0].StartLine != 7 || got[1].Chunks != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if strings.Trim(asked, "a") != "" || asked == "" {
		t.Errorf("asked for the chunks of %q, only a does not fit", asked)
	}
}

// A budget that holds nothing is told, once; one that holds something is not.
func TestSelectTellsThatNothingFits(t *testing.T) {
	files := []stream.File{{Path: "a", Score: 1}, {Path: "b", Score: 1}}
	text := bytes.Repeat([]byte("ten bytes\n"), 5000)
	sel := Selection{Sizer: lineSizer{lines: map[string]int{"a": 5000, "b": 5000}},
		Windows: func(_ stream.File, within stream.Chunk, size int) ([]stream.Chunk, error) {
			return Beginning(text, within, size), nil
		}}
	for _, c := range []struct {
		budget stream.Budget
		want   string
	}{
		{stream.Budget{MaxTokens: 30}, `nothing selected: a budget of 30 tokens holds no part of any of 2 files, the best "a"; raise --max-tokens`},
		{stream.Budget{MaxBytes: 120}, `nothing selected: a budget of 120 bytes holds no part of any of 2 files, the best "a"; raise --max-bytes`},
		{stream.Budget{MaxTokens: 1}, `nothing selected: a budget of 1 tokens holds no part of any of 2 files, the best "a"; raise --max-tokens`},
		{stream.Budget{MaxTokens: 300}, ""},
	} {
		var got []string
		sel.Budget, sel.OnEmpty = c.budget, func(note string) { got = append(got, note) }
		chosen, err := Select(context.Background(), files, sel)
		if err != nil || strings.Join(got, "\n") != c.want || (len(chosen) == 0) != (c.want != "") {
			t.Errorf("%+v: %q with %d files, %v", c.budget, got, len(chosen), err)
		}
	}
}

func TestSelectErrors(t *testing.T) {
	files := []stream.File{{Path: "a", Score: 1}}
	for _, b := range []stream.Budget{{MaxBytes: -1}, {MaxTokens: -5}, {Top: -1}, {MaxTokens: 5}} {
		if _, err := Select(context.Background(), files, Selection{Budget: b}); err == nil {
			t.Errorf("budget %+v is accepted", b)
		}
	}
	broken := lineSizer{err: errors.New("disk")}
	if _, err := Select(context.Background(), files, Selection{Budget: stream.Budget{MaxTokens: 500}, Sizer: broken}); !errors.Is(err, broken.err) {
		t.Errorf("the sizer's error is lost: %v", err)
	}
}

func TestWorth(t *testing.T) {
	long := func(name string, lines int, score float64) stream.Chunk {
		return stream.Chunk{Name: name, StartLine: 1, EndLine: lines, Score: score}
	}
	for _, test := range []struct {
		name   string
		chunks []stream.Chunk
		want   string
	}{
		{"the best first, however long", []stream.Chunk{long("a", 900, 1), long("b", 1, 0.9), long("c", 4, 0.9)}, "a b c"},
		{"short before long", []stream.Chunk{long("a", 9, 1), long("b", 100, 0.5), long("c", 4, 0.2)}, "a c b"},
		{"without what is far less relevant", []stream.Chunk{long("a", 9, 1), long("b", 1, 0.009), long("c", 1, 0)}, "a"},
		{"nothing is relevant", []stream.Chunk{long("a", 9, 0), long("b", 1, 0)}, "a"},
		{"lines that make no sense", []stream.Chunk{long("a", 9, 1), {Name: "b", StartLine: 9, EndLine: 1, Score: 0.5}}, "a b"},
	} {
		var got []string
		for _, c := range orderByValue(test.chunks) {
			got = append(got, c.Name)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", test.name, got, test.want)
		}
	}
}
