package topo

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tiktoken "github.com/pkoukk/tiktoken-go"
	vocabularies "github.com/pkoukk/tiktoken-go-loader"

	"github.com/topo-dev/topo/stream"
)

// independently counts tokens with tiktoken-go.
func independently(t *testing.T) func(text string) int {
	t.Helper()
	tiktoken.SetBpeLoader(vocabularies.NewOfflineLoader())
	e, err := tiktoken.GetEncoding(tiktoken.MODEL_O200K_BASE)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) int { return len(e.EncodeOrdinary(text)) }
}

// openTree writes files below a new folder and opens it.
func openTree(t *testing.T, files map[string]string) *Repo {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Open(context.Background(), dir, Options{Exact: true, CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// generate makes files of code and text about sessions, some of them large, some
// with the content of another.
func generate(rng *rand.Rand) map[string]string {
	words := strings.Fields("session expiry token cache refresh login user 日本 été handler config value index_of HTTPServer x 42 0xff")
	pick := func() string { return words[rng.IntN(len(words))] }
	files := map[string]string{}
	last := ""
	for i := range 3 + rng.IntN(12) {
		var b strings.Builder
		name := fmt.Sprintf("%s/file%d.%s", []string{"src", "src/auth", "docs", "lib/deep/down"}[rng.IntN(4)], i, []string{"go", "py", "txt", "md", "yaml"}[rng.IntN(5)])
		if strings.HasSuffix(name, ".go") {
			b.WriteString("package p\n")
		}
		for k := range 1 + rng.IntN(1+rng.IntN(120)) {
			switch filepath.Ext(name) {
			case ".go":
				fmt.Fprintf(&b, "\n// f%d is about %s and %s.\nfunc f%d(%s int) int {\n", k, pick(), pick(), k, "a")
				for range rng.IntN(1 + rng.IntN(30)) {
					fmt.Fprintf(&b, "\tprint(%q, %d)\n", pick()+" "+pick(), rng.IntN(9999))
				}
				b.WriteString("\treturn a\n}\n")
			case ".py":
				fmt.Fprintf(&b, "def f%d(a):\n    return %q\n\n", k, strings.Repeat(pick()+" ", 1+rng.IntN(9)))
			default:
				b.WriteString(strings.Repeat(pick()+" "+pick()+" ", 1+rng.IntN(12)) + "\n")
			}
		}
		files[name] = b.String()
		if last != "" && rng.IntN(5) == 0 {
			files["copy/"+fmt.Sprint(i)+filepath.Ext(last)] = files[last]
		}
		last = name
	}
	return files
}

// TestBudgetIsUsed: in every format the output costs no more than the budget, by an
// independent count, and no less than 97 % of it where the files hold more. Formats of
// JSON end at the last whole record.
func TestBudgetIsUsed(t *testing.T) {
	ctx, count := context.Background(), independently(t)
	rng := rand.New(rand.NewPCG(3, 4))
	enough := 0
	for range 12 {
		r := openTree(t, generate(rng))
		all, _, err := r.Quick(ctx, "session expiry of a user", QuickOptions{Select: SelectOptions{Budget: Budget{Top: 1000}}})
		if err != nil {
			t.Fatal(err)
		}
		whole := count(rendered(t, r, all, RenderOptions{}))
		for _, budget := range []int{1000, 2000, 4000, 8000, 16000} {
			b := Budget{MaxTokens: budget}
			s, _, err := r.Quick(ctx, "session expiry of a user", QuickOptions{Select: SelectOptions{Budget: b}})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Header.Budget; got != (Budget{MaxTokens: budget, Tokenizer: "o200k"}) {
				t.Fatalf("the header says %+v", got)
			}
			for _, format := range []string{"markdown", "xml", "json", "jsonl"} {
				for _, from := range []*stream.Stream{s, all} {
					got := count(rendered(t, r, from, RenderOptions{Format: format, Budget: b}))
					if got > budget {
						t.Errorf("%s: %d tokens of a budget of %d", format, got, budget)
					}
					if format == "markdown" && whole > budget {
						if enough++; got < budget*97/100 {
							t.Errorf("only %d tokens of a budget of %d, there are %d", got, budget, whole)
						}
					}
				}
			}
		}
	}
	if enough < 30 {
		t.Errorf("only %d outputs had more to show than their budget", enough)
	}
}

func rendered(t *testing.T, r *Repo, s *stream.Stream, o RenderOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.Render(context.Background(), &out, s, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A content is printed once, wherever it is found again; the stream has every file.
func TestSameContentIsShownOnce(t *testing.T) {
	ctx := context.Background()
	code := "package a\n\n// Expire ends a session.\nfunc Expire() string { return \"session expired\" }\n"
	files := map[string]string{"session/x.go": "package session\n"}
	for _, name := range []string{"a/session.go", "b/session.go", "c/session.go"} {
		files[name] = code
	}
	files["session/one/__init__.py"], files["session/two/__init__.py"] = "", ""
	r := openTree(t, files)
	s, _, err := r.Quick(ctx, "session expired", QuickOptions{Select: SelectOptions{MinScore: 1e-6, Budget: Budget{MaxTokens: 400}}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Files()); n != len(files) {
		t.Errorf("%d files of %d in the stream", n, len(files))
	}
	unlimited, _, err := r.Quick(ctx, "session expired", QuickOptions{Select: SelectOptions{MinScore: 1e-6}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*stream.Stream{s, unlimited} {
		for format, want := range map[string][]string{
			"markdown": {"> Same content: b/session.go, c/session.go\n", "> Same content: session/two/__init__.py\n"},
			"xml":      {`<same path="b/session.go"/><same path="c/session.go"/><![CDATA[`, `total_lines="0"><same path="session/two/__init__.py"/></file>`},
			"json":     {`"SameAs":"a/session.go"`, `"Path":"c/session.go"`, `"SameAs":"session/one/__init__.py"`},
			"jsonl":    {`"SameAs":"a/session.go"`, `"Path":"c/session.go"`},
			"paths":    {"a/session.go\nb/session.go\nc/session.go\n"},
			"human":    {"(same content as a/session.go)"},
		} {
			out := rendered(t, r, s, RenderOptions{Format: format})
			for _, w := range want {
				if !strings.Contains(out, w) {
					t.Errorf("%s lacks %q:\n%s", format, w, out)
				}
			}
			if n := strings.Count(out, "func Expire"); n > 1 {
				t.Errorf("%s prints the content %d times", format, n)
			}
		}
	}
}
