package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent/workspace"
)

func TestGrep(t *testing.T) {
	k := newKit(t, map[string]string{
		"a.go": "one\ntwo\nthree\nfour\nfive\n", "b/c.go": "Two\r\nthree two\r\n", "b/d.txt": "two", ".gitignore": "/ignored\n",
		"ignored/x.go": "two\n", "bin": "two\x00", "wide": "\xff\xfet\x00w\x00o\x00\n\x00", "mark": "\ufefftwo\n",
		"long": strings.Repeat("x", 1000) + "two" + strings.Repeat("y", 1000) + "\n", "dots": "a.b\naxb\n",
		"new\nline": "needle\n",
	})
	for _, c := range []struct{ in, want string }{
		{`{"pattern":"^two$"}`, "a.go\n2: two\n\nb/d.txt\n1: two\n\nmark\n1: two\n\nwide\n1: two\n"},
		{`{"pattern":"two","glob":"*.go"}`, "a.go\n2: two\n\nb/c.go\n2: three two\n"},
		{`{"pattern":"two","glob":"*.go !a*"}`, "b/c.go\n2: three two\n"},
		{`{"pattern":"two","glob":"*.{txt,md}"}`, "b/d.txt\n1: two\n"},
		{`{"pattern":"TWO$","ignore_case":true,"path":"b"}`, "b/c.go\n1: Two\n2: three two\n\nb/d.txt\n1: two\n"},
		{`{"pattern":"two","output":"files"}`, "a.go\nb/c.go\nb/d.txt\nlong\nmark\nwide\n"},
		{`{"pattern":"t","output":"count","path":"a.go"}`, "a.go: 2\n"},
		{`{"pattern":"t","output":"files","limit":1}`, "a.go\n\n[only the first 1 are shown; narrow pattern, path or glob, or raise limit]\n"},
		{`{"pattern":"t","path":"a.go","limit":1}`, "a.go\n2: two\n\n[only the first 1 are shown; narrow pattern, path or glob, or raise limit]\n"},
		{`{"pattern":"two|five","path":"a.go","context":1}`, "a.go\n1- one\n2: two\n3- three\n4- four\n5: five\n"},
		{`{"pattern":"one|five","path":"a.go","context":1}`, "a.go\n1: one\n2- two\n--\n4- four\n5: five\n"},
		{`{"pattern":"two|three","path":"a.go","context":2}`, "a.go\n1- one\n2: two\n3: three\n4- four\n5- five\n"},
		{`{"pattern":"a.b","literal":true}`, "dots\n1: a.b\n"},
		{`{"pattern":"two","path":"ignored"}`, "ignored/x.go\n1: two\n"},
		{`{"pattern":"two","path":"ignored/x.go"}`, "ignored/x.go\n1: two\n"},
		{`{"pattern":"xtwo"}`, "long\n1: […]" + strings.Repeat("x", 101) + "two" + strings.Repeat("y", 196) + "[…]\n"},
		{`{"pattern":"needle"}`, "\"new\\nline\"\n1: needle\n"},
		{`{"pattern":"nowhere"}`, "No match in 10 files.\n"},
		{`{"pattern":"x","glob":"*.rs"}`, "There is no file to search.\n"},
		{`{"pattern":"two","path":"bin"}`, "error: the file is binary"},
		{`{"pattern":"("}`, "error: escape what is meant literally, or set literal"},
		{`{"pattern":"(?=x)"}`, "error: not a regular expression that is understood"},
		{`{"pattern":"((a{100}){100}){100}"}`, "error: regular expression"},
		{`{"pattern":"x","path":"../"}`, "error: leaves the root"},
		{`{"pattern":"x","path":"b/e"}`, "error: look with glob or ls"},
	} {
		k.expect("grep", c.in, c.want)
	}
}

func TestGrepLeavesOutWhatIsDenied(t *testing.T) {
	k := newKit(t, map[string]string{"a": "x\n", "secrets/key": "x\n", "ignored/secrets": "x\n", "ignored/b": "x\n", ".gitignore": "ignored\n"})
	w, err := workspace.Open(k.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	k.tools = Tools(w, Options{Readable: func(p string) bool { return !strings.Contains(p, "secrets") }})
	k.expect("grep", `{"pattern":"x"}`, "a\n1: x\n")
	k.expect("grep", `{"pattern":"x","path":"ignored"}`, "ignored/b\n1: x\n")
	k.expect("glob", `{"pattern":"*"}`, ".gitignore\na\n")
}

// patterns are those that the two searches are compared on: every construct of
// the syntax, at the places where dialects differ.
var patterns = []string{
	"a", "ab", "(?i)k", "(?i)straße", `\d+`, `\w+`, `\W`, `\s`, `\S\s\S`, `[^a]`, `[^a-z\s]`, `.`, `a.c`, `^a`, `c$`, `^$`, `^.$`,
	`\ba`, `a\b`, `\Bb`, `\bé`, `é\b`, `a|b`, `(a|b)+c`, `a{2,3}`, `a{0}`, `(ab)*`, `a+?b`, `\pL`, `\p{Greek}`, `\PL`, `[[:alpha:]]`, `[[:^alpha:]]`,
	`\x{e9}`, `é`, "\uFFFD", `[\x{80}-\x{10FFFF}]`, `\Aa`, `c\z`, `(?s)a.b`, `(?m)^b$`, `\t`, `\.`, `\*`, `a\nb`, `(?U)a+`, `\r`, "ſ", "(?i)ſ", "[k-s]", "(?i)[k-s]",
	`a^b`, `()`, `x*`, `(^|[^a])b`, `a$|^b`, `\C`, `[a&&b]`, `[a--b]`, `[[a]`, "#", ` `, `(?i)\x{3c3}`,
}

// randomTree fills a tree with small files of hostile text.
func randomTree(t *testing.T, r *rand.Rand, files int) string {
	t.Helper()
	dir := t.TempDir()
	pieces := []string{"a", "b", "c", "ab", "k", "K", "\u212a", "s", "ſ", "é", "É", "σς", "\xff", "\xc3", "\xe2\x82", "\n", "\n", "\r\n", "\r", " ", "\t", "0", "_", ".", "*", "#", "\uFFFD", "\u0085", "\u2028", "straße", "\ufeff", "\x01"}
	for i := range files {
		var b strings.Builder
		if r.IntN(10) == 0 {
			b.WriteString([]string{utf8BOM, "\xff\xfea\x00\n\x00", "\xfe\xff\x00b\x00c", "x\x00"}[r.IntN(4)])
		}
		for range r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%03d", i)), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSameWithRipgrep holds the answer with ripgrep to the answer without it.
func TestSameWithRipgrep(t *testing.T) {
	rg := ripgrepPath(t)
	dir := randomTree(t, rand.New(rand.NewPCG(1, 2)), minRipgrep+20)
	w, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	refused := 0
	for _, p := range patterns {
		q, err := newQuery(grepInput{Pattern: p})
		if err != nil {
			continue // such as \C, which is no pattern for either
		}
		names, _, err := (&tools{w: w}).candidates(t.Context(), grepInput{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ripgrep(t.Context(), rg, dir, q, names); err != nil {
			refused++
		}
		in, _ := json.Marshal(grepInput{Pattern: p, Limit: 2000, Context: 1})
		var answers [2]string
		for i, path := range []string{"", rg} {
			for _, tool := range Tools(w, Options{Ripgrep: path}) {
				if tool.Spec().Name == "grep" {
					out, err := tool.Run(t.Context(), in)
					if err != nil {
						t.Fatalf("%s: %v", p, err)
					}
					answers[i] = out.Text
				}
			}
		}
		if answers[0] != answers[1] {
			t.Errorf("%s: %d bytes without ripgrep, %d with it", p, len(answers[0]), len(answers[1]))
		}
	}
	if refused > 1 {
		t.Errorf("ripgrep refused %d of %d patterns: the translation is of little use", refused, len(patterns))
	}
}

// TestAgreesWithRipgrep holds the own search to ripgrep as people run it, on
// plain text where the dialects agree.
func TestAgreesWithRipgrep(t *testing.T) {
	rg := ripgrepPath(t)
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 4))
	words := []string{"func", "return", "err", "if", "x1", "foo_bar", "(", ")", "{", "}", " ", " ", "\t", "\n", "\n", "0x1f", "==", "//"}
	for i := range 60 {
		var b strings.Builder
		for range r.IntN(80) {
			b.WriteString(words[r.IntN(len(words))])
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%02d", i)), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	k := newKit(t, nil)
	w, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	k.tools = Tools(w, Options{})
	for _, p := range []string{"func", `\berr\b`, `^\s*if`, `(foo|x1)\(`, `}$`, `[0-9]+`, `(?i)FUNC`, `^$`, `return.*err`, `==|//`, `zzz`} {
		cmd := exec.Command(rg, "--no-config", "--sort=path", "--with-filename", "--line-number", "--no-heading", "-e", p)
		cmd.Dir = dir
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
			t.Fatal(err)
		}
		got, err := k.call("grep", grepInput{Pattern: p, Limit: 2000})
		if err != nil {
			t.Fatal(err)
		}
		if want := grouped(string(out)); got != want && !(want == "" && strings.HasPrefix(got, "No match")) {
			t.Errorf("%s:\n%s\nripgrep has\n%s", p, got, want)
		}
	}
}

// grouped turns path:line:text into the form of our answer.
func grouped(out string) string {
	var b strings.Builder
	last := ""
	for line := range strings.Lines(out) {
		path, rest, _ := strings.Cut(line, ":")
		n, text, _ := strings.Cut(rest, ":")
		if path != last {
			if last != "" {
				b.WriteByte('\n')
			}
			b.WriteString(path + "\n")
			last = path
		}
		b.WriteString(n + ": " + text)
	}
	return b.String()
}

// FuzzMatches holds the search to the plainest one: split into lines and try
// each.
func FuzzMatches(f *testing.F) {
	for _, p := range patterns {
		f.Add(p, "a\nb\r\nab c\nkK\xff\n\n")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		q, err := newQuery(grepInput{Pattern: pattern, Limit: 1000, Context: 1})
		if err != nil || encoding([]byte(text)) == "UTF-16" {
			return
		}
		got := q.matches([]byte(text))
		text = strings.TrimPrefix(text, utf8BOM)
		lines := strings.Split(text, "\n")
		if strings.HasSuffix(text, "\n") || text == "" {
			lines = lines[:len(lines)-1]
		}
		count, last := 0, 0
		marked := map[int]bool{}
		for _, h := range got.hits {
			if h.line <= last || h.line > len(lines) {
				t.Fatalf("line %d after %d of %d", h.line, last, len(lines))
			}
			last = h.line
			marked[h.line] = h.match
		}
		for i, line := range lines {
			if i < len(lines)-1 || strings.HasSuffix(text, "\n") {
				line = strings.TrimSuffix(line, "\r")
			}
			is := q.re.MatchString(line)
			if is {
				count++
			}
			if match, there := marked[i+1]; count <= 1000 && (match != is || is && !there) {
				t.Fatalf("line %d %q: match %v, found %v", i+1, line, is, match)
			}
		}
		if count != got.count {
			t.Fatalf("%d matches, %d found", count, got.count)
		}
	})
}

func BenchmarkGrep(b *testing.B) {
	data := []byte(strings.Repeat("\tif err := run(ctx, name); err != nil {\n\t\treturn fmt.Errorf(\"x: %w\", err)\n\t}\n", 20_000))
	for _, p := range []string{"needle", `func \w+\(`, `[a-z]+[0-9]{3}`, "(?i)NEEDLE"} {
		b.Run(p, func(b *testing.B) {
			q, err := newQuery(grepInput{Pattern: p})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				q.matches(data)
			}
		})
	}
}
