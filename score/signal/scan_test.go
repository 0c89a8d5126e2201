package signal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/scan/lang"
)

// scanByPieces is [scanner.scan] the plain way: pieces first, then the words of
// each, then a look-up.
func scanByPieces(text []byte, language string, numbers map[string]int32) (hits []hit, length [3]int) {
	var split token.Splitter
	seq, last := int32(0), uint8(inCode)
	runs(text, lang.SyntaxOf(language), func(part []byte, off int, class uint8) {
		if class != last {
			seq += classGap
			last = class
		}
		split.Each(part, func(t []byte) {
			seq++
			length[class]++
			if k, ok := numbers[string(t)]; ok {
				hits = append(hits, hit{k, seq, int32(off), class})
			}
		})
	})
	return hits, length
}

func checkScan(t *testing.T, text []byte, language string, terms []string) {
	t.Helper()
	numbers := map[string]int32{}
	for i, x := range terms {
		if _, twice := numbers[x]; !twice {
			numbers[x] = int32(i - len(terms)/2)
		}
	}
	s := scanner{lexer: newLexer(lang.SyntaxOf(language)), split: &token.Splitter{},
		set: token.NewSet(terms, func(i int) int32 { return int32(i - len(terms)/2) })}
	s.scan(text)
	hits, length := scanByPieces(text, language, numbers)
	if fmt.Sprint(s.hits) != fmt.Sprint(hits) || s.length != length {
		t.Errorf("%s %q:\n got %v %v\nwant %v %v", language, text, s.hits, s.length, hits, length)
	}
}

var scanTexts = []struct{ language, text string }{
	{"go", "package a // drain the pool\n\nvar s = \"idle \\\" pool\\nidle\" + `raw\npool // x` /* pool\nidle */ 'pool'\n"},
	{"go", "\"pool\n idle \"pool\\"},
	{"go", "/"},
	{"python", "def f(): # pool\n  '''idle\n\n  pool''' + \"idle\" 'pool\n x = '\\'pool'\n"},
	{"ruby", "\"größe pool\" # naïve 内存 idle\n"},
	{"lua", "-- pool\nidle - pool -- idle"},
	{"ocaml", "(* pool (* idle *) pool *) \"idle\""},
	{"c", "/* pool\n * idle\n */\n#define POOL \"idle\\\\\" // pool\n"},
	{"typescript", "`${pool}\nidle` + 'pool' // \"idle\n"},
	{"php", "# pool\n// idle\n/* pool */ 'idle'"},
	{"sql", "select 'it''s idle' -- pool\nfrom x -- idle /* pool */\n/* drain\npool */ where a = \"idle\""},
	{"ruby", "x ||=begin idle pool\nend\n=begin\nidle pool\n=end\npool # idle"},
	{"batch", "REM pool\n:: idle pool\nset REMOTE=idle::pool"},
	{"basic", "x = \"idle\" ' pool\nREM idle\nPREMIUM = pool"},
	{"apl", "⍝ pool\n“idle” pool"},
	{"html", "<a href=\"//idle\">pool // idle</a><!-- pool\nidle -->"},
	{"", "a=\"b\\\n\"pool\" idle"},
}

func TestScanFindsWhatPiecesHold(t *testing.T) {
	terms := token.Terms("idle pool x größe 内存 naïve drain raw nidle")
	for _, tc := range scanTexts {
		checkScan(t, []byte(tc.text), tc.language, terms)
		checkScan(t, []byte(tc.text), tc.language, token.Terms(tc.text))
		for i := range tc.text {
			checkScan(t, []byte(tc.text[i:]), tc.language, terms)
		}
	}
	own, err := filepath.Glob("*.go")
	if err != nil || len(own) == 0 {
		t.Fatal(own, err)
	}
	for _, name := range own {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, language := range []string{"go", "python", "ruby", "lua"} {
			checkScan(t, text, language, token.Terms("pass over all the words of a class, seq and string text"))
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, tc := range scanTexts {
		f.Add([]byte(tc.text), tc.language, "idle pool")
	}
	f.Fuzz(func(t *testing.T, text []byte, language, terms string) {
		checkScan(t, text, language, token.Terms(terms))
		checkScan(t, text, language, token.Terms(string(text)))
	})
}

func BenchmarkScan(b *testing.B) {
	text := []byte(strings.Repeat("// synchronize evicts a pod under memory pressure\nfunc (m *managerImpl) synchronize(ctx context.Context) {\n\treturn \"a pod\"\n}\n", 300))
	s := scanner{lexer: newLexer(lang.SyntaxOf("go")), split: &token.Splitter{},
		set: token.NewSet(token.Terms("evict pods under node memory pressure"), func(i int) int32 { return int32(i) })}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.scan(text)
	}
	if len(s.hits) == 0 {
		b.Fatal("nothing found")
	}
}

// TestCommentsOfSQL: what ranking counts as comment is what the language says.
func TestCommentsOfSQL(t *testing.T) {
	s := scanner{lexer: newLexer(lang.SyntaxOf("sql")), split: &token.Splitter{}, set: token.NewSet(nil, func(int) int32 { return 0 })}
	s.scan([]byte("-- the open orders\nselect 'two words' from orders /* all of them */\n"))
	if got, want := s.length, ([3]int{2, 3, 2}); got != want {
		t.Errorf("words of code, comments, strings: %v, want %v", got, want)
	}
}
