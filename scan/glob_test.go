package scan

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// refMatch is the meaning of a pattern written as plainly as possible, trying
// every way; it is exponential and only for short input.
func refMatch(p, s string, start bool) bool {
	if p == "" {
		return s == ""
	}
	switch p[0] {
	case '*':
		rest := strings.TrimLeft(p, "*")
		stars := len(p) - len(rest)
		if stars > 1 && start {
			switch {
			case rest == "":
				return true
			case strings.HasPrefix(rest, "/"):
				if refMatch(rest[1:], s, true) {
					return true
				}
				for i := range len(s) + 1 {
					if refMatch(rest, s[i:], false) {
						return true
					}
				}
				return false
			case strings.HasPrefix(rest, `\/`):
				for i := range len(s) + 1 {
					if refMatch(rest, s[i:], false) {
						return true
					}
				}
				return false
			}
		}
		for i := 0; ; i++ {
			if refMatch(rest, s[i:], false) {
				return true
			}
			if i == len(s) || s[i] == '/' {
				return false
			}
		}
	case '?':
		return s != "" && s[0] != '/' && refMatch(p[1:], s[1:], false)
	case '[':
		set, n := parseSet(p, false)
		return n > 0 && s != "" && set.has(s[0]) && refMatch(p[n:], s[1:], false)
	case '\\':
		return len(p) > 1 && s != "" && s[0] == p[1] && refMatch(p[2:], s[1:], p[1] == '/')
	}
	return s != "" && s[0] == p[0] && refMatch(p[1:], s[1:], p[0] == '/')
}

func checkGlob(t *testing.T, p, s string) {
	t.Helper()
	g := compileGlob(p, false)
	if got, want := g.match(s, false), refMatch(p, s, true); got != want {
		t.Fatalf("pattern %q, text %q: matched %v, want %v", p, s, got, want)
	}
}

func TestGlobAgainstReference(t *testing.T) {
	const patternBytes, textBytes = `aab//***??[]!-^\`, "aab//"
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from string, n int) string {
		b := make([]byte, r.IntN(n))
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		return string(b)
	}
	matched := 0
	for range 200000 {
		p, s := pick(patternBytes, 10), pick(textBytes, 10)
		checkGlob(t, p, s)
		if refMatch(p, s, true) {
			matched++
		}
	}
	if matched < 2000 {
		t.Errorf("only %d pairs matched, which tests little", matched)
	}
}

func FuzzGlob(f *testing.F) {
	for _, p := range []string{"a/**/b", "**/a*b", `[[:alpha:]-z]\`, "a**/b", "*/*", "[!]]", "[a-"} {
		f.Add(p, "a/x/b")
	}
	f.Fuzz(func(t *testing.T, p, s string) {
		g := compileGlob(p, true)
		g.match(s, true)
		if strings.Count(p, "*") <= 4 && len(s) <= 24 && len(p) <= 64 {
			checkGlob(t, p, s)
		}
	})
}

// TestGlobIsNotExponential gives a pattern that a naive matcher never ends on.
func TestGlobIsNotExponential(t *testing.T) {
	done := make(chan bool)
	go func() {
		g := compileGlob(strings.Repeat("**/a*", 40)+"b", false)
		done <- g.match(strings.Repeat("aaaaaaaaaa/", 300), false)
	}()
	select {
	case m := <-done:
		if m {
			t.Error("matched")
		}
	case <-time.After(time.Minute):
		t.Fatal("still matching after a minute")
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		p, s string
		want bool
	}{
		{"Foo", "fOO", true}, {"[a-c]", "B", true}, {"[A-C]", "b", true}, {"[A]", "a", false},
		{"[[:upper:]]", "a", true}, {"É", "é", false}, {"*.GO", "x.go", true},
	} {
		g := compileGlob(c.p, true)
		if got := g.match(c.s, true); got != c.want {
			t.Errorf("%q on %q without case: %v, want %v", c.p, c.s, got, c.want)
		}
	}
}
