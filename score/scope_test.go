package score

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

const scopesYAML = `features:
  auth:
    include:
      - "src/auth/**"
      - "src/middleware/auth*"
    exclude:
      - "**/*_test.*"
  docs:
    include: [docs/]
  nearly-all:
    exclude: ["vendor/**"]
`

func TestScopes(t *testing.T) {
	s, err := ParseScopes([]byte(scopesYAML))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		scope, path string
		want        bool
	}{
		{"auth", "src/auth/login.go", true}, {"auth", "src/auth/a/b/login.go", true},
		{"auth", "src/auth/login_test.go", false}, {"auth", "src/middleware/auth.go", true},
		{"auth", "src/middleware/x/auth.go", false}, {"auth", "src/auth", false}, {"auth", "x/src/auth/a.go", false},
		{"docs", "docs/a/b.md", true}, {"docs", "docs", false}, {"docs", "src/docs/a.md", false},
		{"nearly-all", "a.go", true}, {"nearly-all", "vendor/a.go", false},
	}
	for _, tt := range tests {
		sc, err := s.Lookup(tt.scope)
		if err != nil {
			t.Fatal(err)
		}
		if got := sc.Match(tt.path); got != tt.want {
			t.Errorf("%s matches %s: %v, want %v", tt.scope, tt.path, got, tt.want)
		}
	}
	if _, err := s.Lookup("oauth"); err == nil || !strings.Contains(err.Error(), "auth, docs, nearly-all") {
		t.Errorf("an unknown name must list the known ones: %v", err)
	}
	if _, err := Scopes(nil).Lookup("x"); err == nil || !strings.Contains(err.Error(), ScopeFiles[0]) {
		t.Errorf("without any scope the file must be named: %v", err)
	}
}

func TestScopesRefuse(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'j'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 8) + "x]\n"
	}
	tests := map[string]string{
		"aliases":     bomb,
		"anchor":      "features:\n  a: &x {include: [b]}\n",
		"tag":         "features:\n  a:\n    include:\n      !x\n  b: y\n",
		"unknown key": "features:\n  a:\n    includes: [b]\n",
		"wrong shape": "features: [1, 2]\n",
		"not YAML":    "features: {a: [\n",
		"documents":   "features: {}\n---\nfeatures: {}\n",
		"size":        "# " + strings.Repeat("x", maxScopeFile),
		"flow depth":  "features: " + strings.Repeat("[", 100000),
		"block depth": "features:\n" + deepBlock(3000),
		"seq depth":   "features:\n  " + strings.Repeat("- ", 5000),
		"pattern":     "features:\n  a:\n    include: [\"[z\"]\n",
		"empty":       "features:\n  a:\n    include: [\"\"]\n",
		"too many":    "features:\n  a:\n    include: [" + strings.Repeat("x,", maxPatterns+1) + "]\n",
	}
	for name, src := range tests {
		if _, err := ParseScopes([]byte(src)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, src := range []string{"", "# nothing\n", "features:\n"} {
		if s, err := ParseScopes([]byte(src)); err != nil || len(s) != 0 {
			t.Errorf("ParseScopes(%q) = %v, %v", src, s, err)
		}
	}
}

func deepBlock(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i+1) + "a:\n")
		if b.Len() > maxScopeFile/2 {
			break
		}
	}
	return b.String()
}

// globRegexp is the meaning of a pattern as a regular expression.
func globRegexp(pattern string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`^`)
	segs := strings.Split(pattern, "/")
	for i, s := range segs {
		last := i == len(segs)-1
		switch {
		case s == "**" && last:
			b.WriteString(`.+`)
		case s == "**":
			b.WriteString(`(?:[^/]+/)*`)
		default:
			q := regexp.QuoteMeta(s)
			q = strings.ReplaceAll(strings.ReplaceAll(q, `\*`, `[^/]*`), `\?`, `[^/]`)
			b.WriteString(q)
			if !last {
				b.WriteString(`/`)
			}
		}
	}
	b.WriteString(`$`)
	return regexp.MustCompile(b.String())
}

func TestGlobAgainstRegexp(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	segs := []string{"a", "b", "ab", "abc", "a.go", "b_test.go"}
	pats := []string{"a", "b", "**", "**", "*", "a*", "*.go", "?", "a?", "*_test.*", "*b*"}
	join := func(from []string) string {
		var out []string
		for range 1 + rng.IntN(5) {
			out = append(out, from[rng.IntN(len(from))])
		}
		return strings.Join(out, "/")
	}
	hits := 0
	for range 100000 {
		pattern, name := join(pats), join(segs)
		want := globRegexp(pattern).MatchString(name)
		if want {
			hits++
		}
		if got := Glob(pattern, name); got != want {
			t.Fatalf("Glob(%q, %q) = %v, want %v", pattern, name, got, want)
		}
	}
	if hits < 1000 {
		t.Errorf("only %d hits: the test says little", hits)
	}
}

func TestGlobIsNotExponential(t *testing.T) {
	if Glob(strings.Repeat("**/a*/", 60)+"z", strings.Repeat("a/", 200)+"y") {
		t.Error("matched")
	}
	if Glob(strings.Repeat("*a", 400)+"z", strings.Repeat("a", 900)) {
		t.Error("matched")
	}
}

func FuzzParseScopes(f *testing.F) {
	f.Add([]byte(scopesYAML))
	f.Add([]byte("features: {a: &b [*b]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseScopes(data)
		if err != nil {
			return
		}
		for _, sc := range s {
			sc.Match("a/b/c.go")
		}
	})
}
