package chunk

import (
	"context"
	"strings"
	"testing"
)

// Each source is followed by lines that its facts must hold.
var factCases = []struct {
	language, src string
	want          string
}{
	{"go", `package p

import (
	"fmt"
	log "k8s.io/klog"
)

type S struct {
	sync.Mutex
	items []*Item[int]
	fn    func(int) (*Item, error)
}
type I interface { fmt.Stringer; Close(x int) error }
type N []v1.Pod

var a, b = New(), &S{}

func (s *S) Run(ctx context.Context, opts ...Option) (n int, err error) {
	log := log.WithName("x")
	log.Info("y")
	for k, it := range s.items {
		it.Do(s.handle, k.String())
	}
	x, err := fmt.Sscan(1)
	if err := s.check(); err != nil && x > 1 || x < 2 {
		err.Error()
	} else if v, ok := s.m["a"]; ok {
		v.Name()
	}
	switch y := any(x).(type) {
	case *v1.Pod:
		y.Status()
	}
	go func(p *v1.Pod) { p.Go() }(nil)
	(&S{}).Run(ctx)
	x.(I).Close(len(opts))
	Map[int](x)
	q := make(chan *S)
	(<-q).Run(nil)
	_, two := pair()
	two.Go()
	return
}
`, `package "p"
4 bind "" = fmt
5 bind "log" = k8s.io/klog
struct S bases [sync.Mutex] fields [{items []Item} {fn func()Item}]
interface I bases [fmt.Stringer] fields [{Close func(int)error}]
named N bases [] fields [{ []v1.Pod}]
var a type "" expr "New()"
var b type "S" expr ""
func S.Run recv "s" params [{ctx context.Context} {opts []Option}] results [int error]
	locals [{log'2  log.WithName()} {k  s.items[key]} {it  s.items[]} {err'3  s.check()} {v  s.m[]} {y v1.Pod } {p v1.Pod } {q chan S } {two  pair()#1}]
	cyclomatic 7 cognitive 6 nesting 1 params 2 lines 26
19 S.Run calls log.WithName
20 S.Run calls log'2.Info
35 S.Run calls S{}.Run
36 S.Run calls I{}.Close
37 S.Run calls Map
39 S.Run calls q[].Run
22 S.Run refers to s.handle`},
	{"python", `from a.b import c as d, e
import numpy as np
from . import *

class A(B, m.C):
  kind: Kind = None
  def __init__(self, db: Database, n=1):
    self.db = db
    self.client = Client(n)
    self.items: List[Item] = []
  @staticmethod
  def make(x): return A(x)
  def f(self, a: int, *args) -> Optional[T]:
    conn = self.db.connect()
    conn.run(self.handler, d)
    for it in self.items:
      it.go()
    x = 1
    x = "a"
    x.foo()
    late = None
    late = Late()
    late.go()
    if a and b or c and d:
      pass
    elif c: pass
    else: pass
    def inner():
      return conn.close()
`, `1 bind "d" = a.b c
2 bind "np" = numpy
3 bind "*" = .
class A bases [B m.C] fields [{kind Kind} {db Database} {client Client()} {items []Item}]
func A.make recv "" params [{x }] results []
func A.f recv "self" params [{a int} {args }] results [T]
	locals [{conn  self.db.connect()} {it  self.items[]} {x  } {late  Late()}]
	cyclomatic 7 cognitive 7 nesting 1 params 3 lines 17
15 A.f calls conn.run
29 A.f.inner calls conn.close
15 A.f refers to d`},
	{"typescript", `import d, {a as b} from './x'; import * as n from 'y';
export {z} from 'q'; export * from 'w';
export class A<T> extends m.B<T> implements C {
 private x: Foo[] = [];
 svc = new Svc();
 constructor(private y: Y, z?: Z) { super(); this.zz = z; if (a) {} else if (b) {} else {} }
 async m(q: Q | null): Promise<R> {
  const k = await this.y.load(q);
  k.go();
  for (const e of this.x) { e.run(this.cb); }
  return new n.Q(1)!.foo as Bar;
 }
}
`, `1 bind "d" = ./x default
1 bind "b" = ./x a
1 bind "n" = y
2 bind "export z" = q z
2 bind "*" = w
class A bases [m.B C] fields [{x []Foo} {svc Svc()} {y Y} {zz Z}]
func A.constructor recv "this" params [{y Y} {z Z}] results []
	cyclomatic 3 cognitive 3 nesting 1 params 2 lines 1
func A.m recv "this" params [{q Q}] results [R]
	locals [{k  this.y.load()} {e  this.x[]}]
9 A.m calls k.go
11 A.m calls n.Q
10 A.m refers to this.cb`},
	{"java", `package a.b;
import x.Y;
import static q.V.go;
class A<T> extends B<T> implements C, d.D {
 private final List<Foo> x = new a.Foo<>();
 R m(Req req) throws E {
  for (Foo f : x) f.go()[0].b();
  var q = svc.make();
  q.z();
  l: while (true) break l;
  return list.stream().map(A::z);
 }
}
`, `package "a.b"
2 bind "Y" = x.Y
3 bind "go" = q.V go
class A bases [B C d.D] fields [{x []Foo}]
func A.m recv "this" params [{req Req}] results [R]
	locals [{f Foo } {q  svc.make()}]
	cyclomatic 3 cognitive 3 nesting 1 params 1 lines 7
7 A.m calls f.go()[].b()
9 A.m calls q.z()
11 A.m refers to A.z
4 A refers to d.D`},
	{"rust", "use a::{b, c as d};\npub use x::Y;\nstruct S<T> { x: Vec<T>, y: &'a mut Z }\nimpl<T> Tr for S<T> {\n fn f(&mut self, a: &Foo) -> Result<R, E> {\n  let k = Client::connect(a).await?;\n  k.send(self.y.get());\n }\n fn new() -> Self { S { x: 1 } }\n}\n",
		`1 bind "d" = a::c
2 bind "pub Y" = x::Y
struct S bases [] fields [{x []T} {y Z}]
impl S bases [Tr] fields []
func S.f recv "self" params [{a Foo}] results [R]
	locals [{k  Client.connect()}]
func S.new recv "" params [] results [Self]
7 S.f calls k.send
7 S.f calls self.y.get`},
	{"ruby", "class A::B < C::D\n def f(a, b = 1)\n  @x = Foo.new(a)\n  @x.run(y.z)\n  c = Bar.new\n  c.go\n end\nend\n",
		`class A.B bases [C.D] fields [{x Foo.new()}]
func A.B.f recv "self" params [{a } {b }] results []
	locals [{c  Bar.new()}]
4 A.B.f calls self.x.run`},
	{"c", "struct S { struct T *t; };\nstatic int g(S *s, void *p) {\n struct T *t = s->t;\n if (h(t->x, cb)) goto out;\n s->fn(1);\nout: return 0;\n}\n",
		`struct S bases [] fields [{t T}]
func g recv "" params [{s S} {p void}] results [int]
	locals [{t T }]
	cyclomatic 2 cognitive 2 nesting 1 params 2 lines 6
4 g calls h
5 g calls s.fn
4 g refers to cb`},
	{"cpp", "struct A : public B, n::C<T> { std::vector<Foo> y; void m(const Foo &a) const; };\nR ns::A::m(Foo* a) {\n Foo b = a->x.y(1), *c = new n::Foo(2);\n for (auto &q : y) q.go();\n ((Foo*)p)->k();\n}\n",
		`struct A bases [B n.C] fields [{y []Foo}]
func ns.A.m recv "this" params [{a Foo}] results [R]
	locals [{q  y[]}]
3 ns.A.m calls a.x.y(?)
3 ns.A.m calls n.Foo(?)
5 ns.A.m calls Foo{}.k()`},
}

func TestFactsOfLanguages(t *testing.T) {
	for _, c := range factCases {
		r, f := ParseFacts(context.Background(), c.language, "x", []byte(c.src))
		checkFacts(t, []byte(c.src), r, f)
		if r.Errors {
			t.Errorf("%s: the source has errors", c.language)
		}
		got := factsText(r, f)
		have := map[string]bool{}
		for _, line := range strings.Split(got, "\n") {
			have[strings.TrimRight(line, " ")] = true
		}
		for _, line := range strings.Split(c.want, "\n") {
			if !have[strings.TrimRight(line, " ")] {
				t.Errorf("%s: missing %q", c.language, line)
			}
		}
		if t.Failed() {
			t.Fatalf("%s gives\n%s", c.language, got)
		}
	}
}

func TestCleanType(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"python", "Optional[List[pkg.Item]]", "[]pkg.Item"}, {"python", "'Node' | None", "Node"}, {"python", "Dict[str, int]", "map[]int"},
		{"python", "int | str", ""}, {"python", "Callable[[int], T]", "Callable"}, {"typescript", ": Foo<Bar>[]", "[]Foo"},
		{"typescript", "Promise<A.B | undefined>", "A.B"}, {"typescript", "{ a: B }", ""}, {"java", "Map<String, List<Foo>>", "map[][]Foo"},
		{"rust", "&'a mut dyn Tr", "Tr"}, {"rust", "Arc<Mutex<Foo>>", "Foo"}, {"rust", "[u8; 4]", "[]u8"}, {"cpp", "const std::vector<n::Foo *> &", "[]n.Foo"},
		{"c", "struct foo", "foo"}, {"c", "", ""}, {"java", strings.Repeat("A<", 100), "A"},
	} {
		if got := cleanType(&grammarOf(c.language).spec.facts.generics, c.text); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.language, c.text, got, c.want)
		}
	}
}

func TestStructTagsAreReferences(t *testing.T) {
	src := "struct cmd { int a; };\nint f(struct cmd *c) { return sizeof(struct other) + (int)(enum kind)c->a; }\nstruct cmd global;\n"
	r, f := ParseFacts(t.Context(), "c", "a.c", []byte(src))
	var got []string
	for _, ref := range f.Refs {
		got = append(got, r.Chunks[ref.Chunk].Name+" "+ref.Chain)
	}
	if want := "f cmd, f other, f kind, global cmd"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, ", "), want)
	}
}
