package score

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/stream"
)

const classSource = `# Manager keeps nodes alive.
type Manager
  fields of the manager
  # Evict removes a pod
  # under memory pressure.
  def Evict
    memory pressure eviction of a pod
  end
  def Start
    starts the loop
  end
  def Memory
    reads memory
  end
end
def helper
  nothing of interest
end
`

func passagesOf(t *testing.T, tr tree, query, path string) []stream.Chunk {
	t.Helper()
	p, err := NewPassages(newFake(tr), mustQuery(t, query))
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := p.Of(stream.File{Path: path, Language: "toy"})
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

func TestPassages(t *testing.T) {
	tr := tree{"a.toy": classSource, "b.toy": "def Evict\nother\nend\n", "c.toy": "nothing\n"}
	got := passagesOf(t, tr, "evict pod memory pressure", "a.toy")
	if len(got) != 5 {
		t.Fatalf("%d chunks, want 5: %+v", len(got), got)
	}
	want := stream.Chunk{Kind: "method", Name: "Manager.Evict", StartLine: 4, EndLine: 8, Score: got[0].Score, Signature: "def Evict"}
	if got[0] != want {
		t.Errorf("first is %+v, want %+v", got[0], want)
	}
	if got[1].Name != "Manager.Memory" {
		t.Errorf("second is %s, want the method named after a term", got[1].Name)
	}
	for _, c := range got {
		if c.Name == "Manager" && (c.StartLine != 1 || c.EndLine != 3) {
			t.Errorf("the type spans %d-%d, want its head, 1-3", c.StartLine, c.EndLine)
		}
		if c.Name == "helper" && c.Score != 0 {
			t.Errorf("helper has score %v", c.Score)
		}
	}
	if got := passagesOf(t, tr, "evict", "c.toy"); len(got) != 0 {
		t.Errorf("chunks of a file without definitions: %v", got)
	}
	if got := passagesOf(t, tr, "evict", "nope.toy"); len(got) != 0 {
		t.Errorf("chunks of an unknown file: %v", got)
	}
}

func TestPassagesAreSortedAndInside(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for range 100 {
		tr := randomTree(rng)
		for p, src := range tr {
			last, lines := 1e300, strings.Count(src, "\n")
			for _, c := range passagesOf(t, tr, "evict pod memory", p) {
				if c.Score > last || c.StartLine < 1 || c.EndLine < c.StartLine || c.EndLine > lines {
					t.Fatalf("chunk %+v of %d lines after score %v", c, lines, last)
				}
				last = c.Score
			}
		}
	}
}

// A file may change between the parse and the read: spans are not trusted.
func TestSpansOutsideAreDropped(t *testing.T) {
	chunks := []chunk.Chunk{{StartByte: 0, EndByte: 5}, {StartByte: 3, EndByte: 50}, {StartByte: -1, EndByte: 2}, {StartByte: 4, EndByte: 4}, {StartByte: 1, EndByte: 2, DocStart: -4, DocEnd: 0}}
	if got := spansOf(chunks, 10); len(got) != 1 {
		t.Errorf("%d spans are left, want 1", len(got))
	}
	if got := Signature(chunk.Chunk{StartByte: 4, SigEnd: 99}, []byte("short")); got != "" {
		t.Errorf("signature %q from outside", got)
	}
}

func TestSignature(t *testing.T) {
	src := []byte("func  Long(\n\ta int,\n\tb int) " + strings.Repeat("é", 400) + "{")
	got := Signature(chunk.Chunk{SigEnd: len(src) - 1}, src)
	if !strings.HasPrefix(got, "func Long( a int, b int) é") || len(got) > maxSignature || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("signature %q", got)
	}
}

func FuzzSpans(f *testing.F) {
	f.Add(0, 10, 2, 5, 0, 2)
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g int) {
		text := []byte("some text of a file\nwith lines\n")
		chunks := []chunk.Chunk{{Kind: chunk.Type, StartByte: a, EndByte: b, SigEnd: g, DocStart: e, DocEnd: g}, {Kind: chunk.Method, StartByte: c, EndByte: d, SigEnd: g, DocStart: e, DocEnd: a}}
		for _, s := range spansOf(chunks, len(text)) {
			if s.start < 0 || s.end > len(text) || s.start > s.end {
				t.Fatalf("span %+v", s)
			}
			record(s, text)
		}
	})
}
