package graph

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
)

// truth are the lines of the edges of calls, as the build resolves them.
func truth(t testing.TB, in index.GraphInput) map[Ends][]int {
	t.Helper()
	b, err := assemble(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[Ends][]int{}
	w := &worker{b: b}
	for i := range b.files {
		f := &b.files[i]
		if f.rules == nil {
			continue
		}
		w.enterFile(f)
		w.qual = b.nestedNames(f)
		own := newFunctions(f)
		for k := range f.facts.Calls {
			c := &f.facts.Calls[k]
			if c.Chunk != w.chunk || k == 0 {
				w.enter(c.Chunk, own)
			}
			from := len(f.edges)
			b.addCalls(f, w, c)
			for _, e := range f.edges[from:] {
				if e.kind == EdgeCalls {
					ends := Ends{int(e.from), int(e.to)}
					lines[ends] = append(lines[ends], c.Line)
				}
			}
		}
	}
	for k := range lines {
		slices.Sort(lines[k])
		lines[k] = slices.Compact(lines[k])
	}
	return lines
}

// sitesOf builds a tree and counts, over all edges of calls, the lines that the
// build drew the edge for, those of them that Sites finds, and all it finds.
func sitesOf(t testing.TB, in index.Input, missed func(g *Graph, e Ends, want, got []int)) (want, right, found int) {
	t.Helper()
	var lines map[Ends][]int
	in.Graph = func(ctx context.Context, gi index.GraphInput) (index.GraphSections, error) {
		lines = truth(t, gi)
		return Build(ctx, gi)
	}
	_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), in)
	var of [][]Ends
	for e := range lines {
		of = append(of, []Ends{e})
	}
	slices.SortFunc(of, func(a, b []Ends) int { return (a[0].From-b[0].From)<<32 + a[0].To - b[0].To })
	all, err := g.Sites(context.Background(), EdgeCalls, of, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		var got []int
		for _, site := range s.List {
			got = append(got, site.Line)
			if slices.Contains(lines[of[i][0]], site.Line) {
				right++
			}
		}
		want, found = want+len(lines[of[i][0]]), found+len(got)
		if !slices.Equal(got, lines[of[i][0]]) && missed != nil {
			missed(g, of[i][0], lines[of[i][0]], got)
		}
	}
	return want, right, found
}

// TestSitesOfCode holds the lines of the archives against those that the build
// resolves; in them, names of one definition are distinguished by their form.
func TestSitesOfCode(t *testing.T) {
	archives, _ := filepath.Glob("testdata/code/*.txtar")
	if len(archives) == 0 {
		t.Fatal("no archives")
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			_, files := archive(t, path)
			delete(files, "EDGES")
			want, right, found := sitesOf(t, memory(files).input(), func(g *Graph, e Ends, want, got []int) {
				t.Logf("%s calls %s on lines %v, found on %v", label(t, g, e.From), label(t, g, e.To), want, got)
			})
			if right != found || want-right > 1 { // what a local holds has no name
				t.Errorf("%d lines, %d found, %d of them right", want, found, right)
			}
		})
	}
}

// TestSitesOfTree measures the lines on this package, or on the tree of
// TOPO_BENCH_TREE.
func TestSitesOfTree(t *testing.T) {
	in := bigInput(t)
	in.GraphVersion = BuildVersion
	want, right, found := sitesOf(t, in, nil)
	recall, precision := float64(right)/float64(want), float64(right)/float64(found)
	t.Logf("%d lines of calls, recall %.4f, precision %.4f", want, recall, precision)
	if recall < 0.99 || precision < 0.94 {
		t.Errorf("recall %.4f and precision %.4f; want 0.99 and 0.94", recall, precision)
	}
}

// TestCalledBy tells by their form calls of a name that are meant from those
// that are not.
func TestCalledBy(t *testing.T) {
	binds := func(list ...chunk.Bind) map[string]*chunk.Bind {
		m := map[string]*chunk.Bind{}
		for i := range list {
			m[list[i].Name] = &list[i]
		}
		return m
	}
	function := &Node{Kind: NodeFunction, Name: "open", Path: "net/dial/dial.go"}
	method := &Node{Kind: NodeMethod, Name: "Server.Close", Path: "net/server.go"}
	for _, c := range []struct {
		name        string
		rules       *rules
		binds       map[string]*chunk.Bind
		to          *Node
		chain       string
		named, fits bool
	}{
		{"bare", goRules, nil, function, "open", true, true},
		{"through its package", goRules, binds(chunk.Bind{Name: "dial", Path: "example.com/net/dial"}), function, "dial.open", true, true},
		{"through another package", goRules, binds(chunk.Bind{Name: "os", Path: "os"}), function, "os.open", true, false},
		{"of a value", goRules, nil, function, "x.open", true, false},
		{"with type arguments", goRules, nil, function, "open[]", true, true},
		{"what it gives is called", goRules, nil, function, "open()", false, false},
		{"the end of another name", goRules, nil, function, "reopen", false, false},
		{"method of a value", goRules, nil, method, "s.conn.Close", true, true},
		{"function of a package", goRules, binds(chunk.Bind{Name: "os", Path: "os"}), method, "os.Close", true, false},
		{"a function of its name", goRules, nil, method, "Close", true, false},
		{"a method without its receiver", javaRules, nil, method, "Close", true, true},
		{"imported as another name", pythonRules, binds(chunk.Bind{Name: "start", Path: ".dial", Member: "open"}), function, "start", true, true},
		{"imported from elsewhere", pythonRules, binds(chunk.Bind{Name: "open", Path: "io", Member: "open"}), function, "open", true, false},
		{"default of its file", javascriptRules, binds(chunk.Bind{Name: "d", Path: "./dial", Member: "default"}), function, "d", true, true},
		{"constructor", pythonRules, nil, &Node{Kind: NodeMethod, Name: "Store.__init__"}, "Store", true, true},
		{"constructor of the base", pythonRules, nil, &Node{Kind: NodeMethod, Name: "Store.__init__"}, "super().__init__", true, true},
		{"a type", javascriptRules, nil, &Node{Kind: NodeType, Name: "Store"}, "Store", true, true},
		{"new of the type", rubyRules, nil, &Node{Kind: NodeMethod, Name: "A.Store.initialize"}, "A.Store.new", true, true},
		{"new of another type", rustRules, nil, &Node{Kind: NodeMethod, Name: "Store.new"}, "Other.new", true, false},
		{"nothing", goRules, nil, function, "", false, false},
		{"type arguments alone", goRules, nil, function, "[key][]", false, false},
	} {
		r := &siteReader{rules: c.rules, binds: c.binds}
		if named, fits := r.nameOf(c.to).calledBy(c.chain); named != c.named || fits != c.fits {
			t.Errorf("%s: %q names %s: %v, fits: %v; want %v, %v", c.name, c.chain, c.to.Name, named, fits, c.named, c.fits)
		}
	}
}

func TestImportLines(t *testing.T) {
	file := func(path string) *Node { return &Node{Kind: NodeFile, Name: path, Path: path} }
	r := &siteReader{kind: EdgeImports, imports: []chunk.ImportRef{{Path: "./client", Line: 1}, {Path: "<net/conn.h>", Line: 2},
		{Path: "example.com/net/dial", Line: 3}, {Path: "fmt", Line: 4}, {Path: "..app.store", Line: 5}, {Path: "crate::a::b", Line: 6}, {Path: "./ui", Line: 8}}}
	r.facts.Binds = []chunk.Bind{{Name: "x", Path: "app", Member: "x", Line: 7}}
	for _, c := range []struct {
		to   *Node
		want []int
	}{
		{file("src/client.ts"), []int{1}},
		{file("include/net/conn.h"), []int{2}},
		{&Node{Kind: NodeModule, Name: "example.com/net/dial"}, []int{3}},
		{&Node{Kind: NodeExternal, Name: "fmt"}, []int{4}},
		{&Node{Kind: NodeExternal, Name: "fm"}, nil},
		{file("app/store.py"), []int{5}},
		{file("src/a/b.rs"), []int{6}},
		{file("app/x.py"), []int{7}},
		{file("src/ui/index.ts"), []int{8}},
		{file("src/ui/other.ts"), nil},
		{&Node{Kind: NodeExternal, Name: "crate"}, []int{6}},
	} {
		if got := r.lines(0, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%s: lines %v, want %v", c.to.Name, got, c.want)
		}
	}
}

// TestSitesCapped counts the lines beyond the limit, each line once, and bounds
// the text of a line.
func TestSitesCapped(t *testing.T) {
	long := strings.Repeat("é", 300)
	m := memory{"go.mod": []byte("module m\n"), "a.go": []byte("package m\n\nfunc a() {\n\tb(); b()\n\tb()\n\tb() // " + long + "\n\tb()\n}\n\nfunc b() {}\n")}
	_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), m.input())
	ends := []Ends{{find(t, g, "a").ID, find(t, g, "b").ID}}
	s, err := g.Sites(context.Background(), EdgeCalls, [][]Ends{ends, nil, append(ends, ends...)}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(s) != 3 || len(s[0].List) != 3 || s[0].More != 1 || len(s[1].List) != 0 || len(s[2].List) != 3 || s[2].More != 1 {
		t.Fatalf("got %+v", s)
	}
	if want := (Site{"a.go", 4, "b(); b()"}); s[0].List[0] != want {
		t.Errorf("got %+v, want %+v", s[0].List[0], want)
	}
	if text := s[0].List[2].Text; len(text) > maxSiteText || !utf8.ValidString(text) || !strings.HasSuffix(text, "é…") {
		t.Errorf("long line became %q of %d bytes", text, len(text))
	}
	if _, err := g.Sites(context.Background(), EdgeCalls, [][]Ends{{{From: -1}}}, 3); err == nil {
		t.Error("no error for a node that is none")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.Sites(ctx, EdgeCalls, [][]Ends{ends}, 3); err == nil {
		t.Error("no error when cancelled")
	}
}
