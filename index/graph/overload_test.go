package graph

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// callsOf are the calls of the functions that are named, as "line:confidence"
// of what each calls.
func callsOf(t *testing.T, files map[string]string, caller string) string {
	t.Helper()
	tree := memory{}
	for path, text := range files {
		tree[path] = []byte(text)
	}
	_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), tree.input())
	ids, err := g.Named(caller)
	if err != nil || len(ids) != 1 {
		t.Fatalf("%s: nodes %v, %v", caller, ids, err)
	}
	out, err := g.Out(ids[0])
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range out {
		n, err := g.Node(e.Other)
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == EdgeCalls {
			list = append(list, fmt.Sprintf("%s:%d:%d", strings.TrimSuffix(n.Path, filepath.Ext(n.Path)), n.Line, e.Confidence))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// The calls below name the line of each method of A.
const overloaded = `package p;
import java.io.*; import java.util.*;
class A extends Base {
	static void n(int i) {}
	static void n(long i) {}
	static void n(Integer i) {}
	static void n(Object o) {}
	static void s(String s) {}
	static void s(CharSequence s) {}
	static void s(char c) {}
	static void many(String s) {}
	static void many(String s, Object... more) {}
	static void many(int a, int b, int c) {}
	void io(Reader r) {}
	void io(Writer w) {}
	void io(Base b) {}
	void io(A a) {}
	A() {}
	A(int n) { this(); }
	A(String s) { super(s); }
	void list(Collection<String> c) {}
	void list(byte[] b) {}
	void list(int n) {}
	void inherited(int a, int b) {}
	<T> void var(T t) {}
	<T> void var(T t, Class<T> c) {}
	void two(Reader r, Object o) {}
	void two(Object o, Reader r) {}
}
`

func TestOverloadsAreChosenByTheirArguments(t *testing.T) {
	base := `package p;
class Base {
	Base() {}
	Base(String s) {}
	void inherited(int a) {}
	void inherited(String a) {}
}
`
	for call, want := range map[string]string{
		`A.n(1)`:                     "A:4:100",
		`A.n(1L)`:                    "A:5:100",
		`A.n('c')`:                   "A:4:100",
		`A.n(1.5)`:                   "A:7:100",
		`A.n(-(1 + 2))`:              "A:4:50 A:5:50 A:6:50 A:7:50", // in parentheses: not looked at
		`A.n("x" + 1)`:               "A:7:100",
		`Integer i = f(); A.n(i)`:    "A:6:100",
		`Short i = f(); A.n(i)`:      "A:7:100",
		`A.n(unknown())`:             "A:4:50 A:5:50 A:6:50 A:7:50",
		`A.n(1, 2)`:                  "A:4:50 A:5:50 A:6:50 A:7:50", // none fits: it does not compile
		`A.s("a")`:                   "A:8:100",
		`A.s(new StringBuilder())`:   "A:9:100",
		`A.s('a')`:                   "A:10:100",
		`A.s(null)`:                  "A:8:100",
		`A.s(b ? "a" : "b")`:         "A:8:100",
		`A.many("a")`:                "A:11:100",
		`A.many("a", 1)`:             "A:12:100",
		`A.many("a", 1, "b", 2)`:     "A:12:100",
		`A.many(1, 2, 3)`:            "A:13:100",
		`a.io(new StringReader(""))`: "A:14:90",
		`a.io(new PrintWriter(out))`: "A:15:90",
		`a.io(new Base())`:           "A:16:90 Base:3:100",
		`a.io(a)`:                    "A:17:90",
		`new A()`:                    "A:18:100",
		`new A(1)`:                   "A:19:100",
		`new A("")`:                  "A:20:100",
		`List<String> l; a.list(l)`:  "A:21:90",
		`a.list(new byte[3])`:        "A:22:90",
		`a.list(3)`:                  "A:23:90",
		`a.inherited(1, 2)`:          "A:24:90",
		`a.inherited(1)`:             "Base:5:90",
		`a.inherited("")`:            "Base:6:90",
		`a.var("")`:                  "A:25:90",
		`a.var("", String.class)`:    "A:26:90",
		`Reader r; a.two(r, r)`:      "A:27:50 A:28:50", // ambiguous: it does not compile
		`Reader r; a.two(r, "")`:     "A:27:90",
		`Odd o = null; a.io(o)`:      "A:14:50 A:15:50", // what is outside may be either, but nothing inside
	} {
		user := fmt.Sprintf("package p;\nimport java.io.*; import java.util.*; import x.Odd;\nclass U { void user(A a, boolean b) {\n%s;\n} }\n", call)
		if got := callsOf(t, map[string]string{"A.java": overloaded, "Base.java": base, "U.java": user}, "user"); got != want {
			t.Errorf("%s calls %q, want %q", call, got, want)
		}
	}
}
