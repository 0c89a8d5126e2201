package graph

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

func TestIsTest(t *testing.T) {
	for _, c := range []struct {
		language, name string
		fanIn          int
		inTestFile     bool
		want           bool
	}{
		{"go", "TestX", 0, true, true},
		{"go", "Suite.TestX", 3, true, true},
		{"go", "Testify", 0, true, false},
		{"go", "ExampleX", 0, true, true},
		{"go", "BenchmarkX", 0, true, false},
		{"go", "TestMain", 0, true, false},
		{"go", "newServer", 0, true, false},
		{"go", "TestX", 0, false, false},
		{"python", "TestApp.test_get", 0, true, true},
		{"python", "client", 0, true, false},
		{"python", "TestApp.setUp", 0, true, false},
		{"java", "FooTest.parsesNothing", 0, true, true},
		{"java", "FooTest.parsesNothing", 1, true, false},
		{"java", "FooTest.setUp", 0, true, false},
		{"rust", "tests.syntax", 0, false, true},
		{"rust", "tests.helper", 2, false, false},
		{"rust", "parse", 0, false, false},
		{"typescript", "render", 0, true, false},
		{"ruby", "AppTest.test_get", 0, true, true},
		{"ruby", "AppTest.get_it", 0, true, false},
	} {
		n := Node{Kind: NodeMethod, Language: c.language, Name: c.name, FanIn: c.fanIn}
		if got := IsTest(&n, c.inTestFile); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	for language, want := range map[string]bool{"go": false, "typescript": true, "ruby": true, "python": false} {
		n := Node{Kind: NodeFile, Language: language}
		if IsTest(&n, true) != want || IsTest(&n, false) {
			t.Errorf("a file of %s is a test: %v", language, IsTest(&n, true))
		}
	}
	if IsTest(&Node{Kind: NodeType, Language: "go", Name: "TestX"}, true) {
		t.Error("a type is a test")
	}
}

// TestEdgesOfTests looks at which nodes tests edges start.
func TestEdgesOfTests(t *testing.T) {
	m := memory{"go.mod": []byte("module m\n"),
		"a.go":          []byte("package a\n\nfunc F() {}\n\nfunc G() {}\n"),
		"a_test.go":     []byte("package a\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { help() }\n\nfunc help() { F() }\n\nfunc TestOther(t *testing.T) { G() }\n"),
		"p/m.py":        []byte("def f(): pass\n"),
		"p/test_m.py":   []byte("from p.m import f\n\ndef helper():\n    f()\n\ndef test_it():\n    f()\n"),
		"p/__init__.py": nil,
		"w/m.ts":        []byte("export function f() {}\n"),
		"w/m.test.ts":   []byte("import { f } from './m'\n\nfunction help() { f() }\n\nit('works', () => { help() })\n"),
		"src/lib.rs":    []byte("pub fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    fn helper() { f() }\n\n    #[test]\n    fn works() { helper(); f() }\n}\n"),
		"Cargo.toml":    []byte("[package]\nname = \"x\"\n")}
	_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), m.input())
	var got []string
	for id := range g.NumNodes() {
		n, _ := g.Node(id)
		out, err := g.Out(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range out {
			if other, _ := g.Node(e.Other); e.Kind == EdgeTests {
				got = append(got, fmt.Sprintf("%s:%s %s", n.Path, n.Name, other.Name))
			}
		}
	}
	want := []string{"a_test.go:a_test.go a.go", "a_test.go:TestF F", "a_test.go:TestOther G", "p/test_m.py:p/test_m.py p/m.py",
		"p/test_m.py:test_it f", "src/lib.rs:tests.helper f", "src/lib.rs:tests.works f", "w/m.test.ts:w/m.test.ts f", "w/m.test.ts:w/m.test.ts w/m.ts"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
