package score

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestParseQueryErrors(t *testing.T) {
	for text, want := range map[string]error{
		"": ErrEmptyQuery, " \n\t": ErrEmptyQuery, "the of is": ErrStopWords, "?!… --": ErrStopWords, "a I": ErrStopWords, "+ #": ErrStopWords,
	} {
		if _, err := ParseQuery(text); !errors.Is(err, want) {
			t.Errorf("ParseQuery(%q): %v, want %v", text, err, want)
		}
	}
}

func TestQueryWeights(t *testing.T) {
	q := mustQuery(t, "crash title\n\nprose here, `inlineCode` too\n\n```go\nfencedCall()\n```\n    indented\nprose again")
	want := map[string]float64{"crash": 2, "title": 2, "here": 1, "inline": 1.5, "code": 1.5, "fenced": 1.5, "call": 1.5, "indented": 1.5, "again": 1}
	got := map[string]float64{}
	for _, term := range q.Terms {
		got[term.Text] = term.Weight
	}
	for term, w := range want {
		if got[term] != w {
			t.Errorf("weight of %q is %v, want %v", term, got[term], w)
		}
	}
	if got["prose"] <= 1 || got["prose"] >= 2 {
		t.Errorf("weight of a word said twice is %v, want between 1 and 2", got["prose"])
	}
	for _, term := range mustQuery(t, "evict pods under node memory pressure").Terms {
		if term.Weight != 1 {
			t.Errorf("weight of %q in a plain question is %v, want 1", term.Text, term.Weight)
		}
	}
}

func TestMentions(t *testing.T) {
	q := mustQuery(t, `panic in pkg/kubelet/eviction.go:145 and File "django/db/models/query.py", line 3; see django.utils.text.slugify or C:\src\Main\App.java. Also flags.go alone.`)
	tests := []struct {
		path string
		want float64
	}{
		{"pkg/kubelet/eviction", 1}, {"x/kubelet/eviction", 1}, {"other/eviction", 0},
		{"django/db/models/query", 1}, {"django/utils/text", 1}, {"src/main/app", 1},
		{"cmd/flags", 0.5}, {"flags", 0.5}, {"line", 0},
	}
	for _, tt := range tests {
		if got := q.mentioned(strings.Split(tt.path, "/")); got != tt.want {
			t.Errorf("mentioned(%q) = %v, want %v", tt.path, got, tt.want)
		}
	}
}

// bugReport is n words with prose, paths, code and a stack trace.
func bugReport(n int) string {
	var b strings.Builder
	b.WriteString("Kubelet evicts the wrong pod under memory pressure\n\n")
	for i := 0; i < n; i += 10 {
		switch i / 10 % 4 {
		case 0:
			fmt.Fprintf(&b, "When the node%d reports pressure the manager picks a victim word%d that is fine.\n", i, i*7)
		case 1:
			fmt.Fprintf(&b, "    goroutine %d [running]: k8s.io/pkg/kubelet/eviction.(*managerImpl%d).synchronize(0xc000%d)\n", i, i, i)
		case 2:
			fmt.Fprintf(&b, "\tpkg/kubelet/eviction/eviction_manager.go:%d +0x1b threshold%d signal observation\n", i, i)
		default:
			fmt.Fprintf(&b, "`rankMemoryPressure%d` compares usage and requests with priority%d of all active pods now\n", i, i)
		}
	}
	return b.String()
}

func TestLongQuery(t *testing.T) {
	q := mustQuery(t, bugReport(3000))
	if len(q.Terms) < 2*MaxTerms {
		t.Fatalf("only %d terms: the test needs more than are kept", len(q.Terms))
	}
	docs := tree{"pkg/kubelet/eviction/eviction_manager.toy": "memory pressure", "b.toy": bugReport(3000)}
	for i := range 20 {
		docs[fmt.Sprintf("c%d.toy", i)] = "goroutine pod the manager"
	}
	f := newFake(docs)
	terms, err := q.choose(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(terms) != MaxTerms {
		t.Errorf("%d terms are looked up, want %d", len(terms), MaxTerms)
	}
	minWeight := terms[0].Weight * terms[0].idf
	for _, term := range terms {
		minWeight = min(minWeight, term.Weight*term.idf)
	}
	for _, term := range q.Terms {
		df, _ := f.DF(term.Text)
		kept := false
		for _, k := range terms {
			kept = kept || k.Text == term.Text
		}
		if df > 0 && !kept && term.Weight*IDF(len(f.paths), df) > minWeight+1e-9 {
			t.Errorf("%q is dropped though it weighs more than what is kept", term.Text)
		}
	}
}

func TestHugeQueryIsCut(t *testing.T) {
	q := mustQuery(t, "eviction "+strings.Repeat("pod ", MaxQuery/4)+"beyond")
	for _, term := range q.Terms {
		if term.Text == "beyond" {
			t.Errorf("read past %d bytes", MaxQuery)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	f.Add("crash in a/b.go:12\n\n```\nx\n```\n`y` ::..//\\")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := ParseQuery(text)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, term := range q.Terms {
			if term.Weight < 1 || seen[term.Text] {
				t.Fatalf("term %+v twice or without weight", term)
			}
			seen[term.Text] = true
		}
		for _, p := range []string{"a/b", "b", ""} {
			if v := q.mentioned(strings.Split(p, "/")); v < 0 || v > 1 {
				t.Fatalf("mentioned %v", v)
			}
		}
	})
}

func BenchmarkParseLongQuery(b *testing.B) {
	text := bugReport(3000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ParseQuery(text); err != nil {
			b.Fatal(err)
		}
	}
}
