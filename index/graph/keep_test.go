package graph

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index"
)

// world is a tree of source files that is edited a declaration at a time, so
// that most files are as they were and must notice what they name.
type world struct {
	r     *rand.Rand
	files map[string][]string // declarations
	head  map[string]string   // package clause and imports
	extra memory              // manifests and the like
}

const (
	worldPackages = "store cache queue agent"
	worldTypes    = "Server Client Reader Buffer Handle Remote"
	worldMethods  = "Close Fetch Store Flush Remote Reset"
	worldFields   = "owner inner Buffer handle limit"
	worldFuncs    = "NewServer OpenReader makeBuffer Dispatch helper Fetch"
	worldVars     = "Default shared Registry"
	worldFaces    = "Closer Fetcher Resetter"
)

func (w *world) pick(list string) string {
	f := strings.Fields(list)
	return f[w.r.IntN(len(f))]
}

// typ is the text of a type as a file of pkg may write it.
func (w *world) typ(pkg string) string {
	t := w.pick(worldTypes + " " + worldFaces)
	if other := w.pick(worldPackages); other != pkg && w.r.IntN(2) == 0 {
		t = other + "." + t
	}
	return w.pick("* * [ m _")[:1] + t
}

func (w *world) typeText(pkg string) string {
	t := w.typ(pkg)
	switch t[0] {
	case '[':
		return "[]" + t[1:]
	case 'm':
		return "map[string]" + t[1:]
	case '_':
		return t[1:]
	}
	return t
}

// params are the parameters of a method: few and of few types, so some
// methods are those that interfaces ask for.
func (w *world) params(pkg string) string {
	switch w.r.IntN(6) {
	case 0:
		return "_ lib.Thing"
	case 1:
		return "n int"
	case 2:
		return "_ " + w.typeText(pkg)
	}
	return ""
}

func (w *world) call(pkg string) string {
	q := ""
	if other := w.pick(worldPackages); other != pkg && w.r.IntN(2) == 0 {
		q = other + "."
	}
	switch w.r.IntN(5) {
	case 0:
		return fmt.Sprintf("%s%s().%s()", q, w.pick(worldFuncs), w.pick(worldMethods))
	case 1:
		return fmt.Sprintf("%s%s.%s.%s()", q, w.pick(worldVars), w.pick(worldFields), w.pick(worldMethods))
	case 2:
		return fmt.Sprintf("got := %s%s(); got.%s().%s()", q, w.pick(worldFuncs), w.pick(worldMethods), w.pick(worldMethods))
	case 3:
		return fmt.Sprintf("%s%s(nil)", q, w.pick(worldFuncs))
	}
	return fmt.Sprintf("unknown.%s()", w.pick(worldMethods))
}

// decl is a declaration.
func (w *world) decl(pkg string, test bool) string {
	if test && w.r.IntN(2) == 0 {
		return fmt.Sprintf("func Test%s(t *testing.T) { %s }", w.pick(worldFuncs+" "+worldTypes+" Server_Close"), w.call(pkg))
	}
	switch w.r.IntN(7) {
	case 0:
		fields := ""
		for range w.r.IntN(3) {
			fields += fmt.Sprintf("%s %s; ", w.pick(worldFields), w.typeText(pkg))
		}
		if w.r.IntN(3) == 0 {
			fields += "*" + w.typ(pkg)[1:]
		}
		return fmt.Sprintf("type %s struct { %s }", w.pick(worldTypes), fields)
	case 1:
		return fmt.Sprintf("type %s interface { %s(%s) %s; %s(%s); %s }", w.pick(worldFaces), w.pick(worldMethods), w.params(pkg), w.typeText(pkg), w.pick(worldMethods), w.params(pkg),
			w.pick("hidden() reset() "+worldFaces))
	case 2:
		return fmt.Sprintf("type %s %s%s", w.pick(worldTypes), []string{"= ", ""}[w.r.IntN(2)], w.typeText(pkg))
	case 3:
		value, rest, several := strings.Cut(strings.TrimPrefix(w.call(pkg), "got := "), "; ")
		if several && w.r.IntN(8) == 0 {
			value += "; " + rest // a syntax error
		}
		return fmt.Sprintf("var %s = %s", w.pick(worldVars), value)
	case 4:
		return fmt.Sprintf("func %s(owner %s) %s { owner.%s(); %s; return nil }", w.pick(worldFuncs), w.typeText(pkg), w.typeText(pkg), w.pick(worldMethods), w.call(pkg))
	}
	result := ""
	if w.r.IntN(2) == 0 {
		result = w.typeText(pkg)
	}
	return fmt.Sprintf("func (self *%s) %s(%s) %s { self.%s.%s(); %s }", w.pick(worldTypes), w.pick(worldMethods+" hidden reset"), w.params(pkg), result, w.pick(worldFields), w.pick(worldMethods), w.call(pkg))
}

func newWorld(seed uint64) *world {
	w := &world{rand.New(rand.NewPCG(seed, 9)), map[string][]string{}, map[string]string{}, memory{
		"go.mod":   []byte("module m\n"),
		"tool.py":  []byte("import helper\n\nclass Server:\n    def Close(self):\n        return helper.Fetch().Close()\n"),
		"other.py": []byte("from tool import Server\n\ndef run(x):\n    Server().Close()\n    x.Fetch()\n"),
		"view.ts":  []byte("import { Fetch } from './data'\nexport function draw() { return Fetch().Close() }\n"),
		"data.ts":  []byte("export class Handle { Close() {} }\nexport function Fetch(): Handle { return new Handle() }\n"),
	}}
	for _, pkg := range strings.Fields(worldPackages) {
		for i := range 4 {
			name := fmt.Sprintf("%s/part%d%s.go", pkg, i, []string{"", "", "", "_test"}[i])
			w.head[name] = w.imports(pkg)
			for range 2 + w.r.IntN(3) {
				w.files[name] = append(w.files[name], w.decl(pkg, i == 3))
			}
		}
	}
	return w
}

func (w *world) imports(pkg string) string {
	s := "package " + pkg + "\n\nimport (\n\t\"" + w.pick("a b") + ".org/lib\"\n"
	for _, p := range strings.Fields(worldPackages) {
		switch w.r.IntN(12) {
		case 0:
		case 1:
			s += "\tother \"m/" + p + "\"\n"
		default:
			s += "\t\"m/" + p + "\"\n"
		}
	}
	return s + ")\n\n"
}

// edit changes one thing somewhere.
func (w *world) edit() {
	names := slices.Sorted(maps.Keys(w.files))
	name := names[w.r.IntN(len(names))]
	pkg, _, _ := strings.Cut(name, "/")
	list, test := w.files[name], strings.HasSuffix(name, "_test.go")
	at := 0
	if len(list) > 0 {
		at = w.r.IntN(len(list))
	}
	switch k := w.r.IntN(24); {
	case k < 8 && len(list) > 0: // in a body
		w.files[name] = slices.Clone(list)
		w.files[name][at] = strings.Replace(list[at], "(); ", "(); "+strings.TrimPrefix(w.call(pkg), "got := ")+"; ", 1)
	case k < 12:
		w.files[name] = append(slices.Clone(list), w.decl(pkg, test))
	case k < 15 && len(list) > 0:
		w.files[name] = slices.Delete(slices.Clone(list), at, at+1)
	case k < 17 && len(list) > 0: // renamed or retyped
		w.files[name] = slices.Clone(list)
		w.files[name][at] = strings.Replace(list[at], w.pick(worldTypes+" "+worldMethods+" "+worldFuncs), w.pick(worldTypes+" "+worldMethods+" "+worldFuncs), 1)
	case k < 19 && len(list) > 1: // in another order
		w.files[name] = append(slices.Clone(list[at:]), list[:at]...)
	case k < 20 && len(list) > 0: // moved
		other := names[w.r.IntN(len(names))]
		w.files[name] = slices.Delete(slices.Clone(list), at, at+1)
		w.files[other] = append(slices.Clone(w.files[other]), list[at])
	case k == 20:
		w.head[name] = w.imports(pkg)
	case k == 21:
		p := w.pick("tool.py other.py view.ts data.ts")
		w.extra[p] = append(slices.Clone(w.extra[p]), []string{"# note\n", "def helper(): return Server().Close()\n", "Fetch().Close()\n", "export const Default = Fetch()\n"}[w.r.IntN(4)]...)
	case k == 22 && w.r.IntN(3) == 0:
		w.extra["go.mod"] = []byte("module " + w.pick("m n m") + "\n")
	case k == 23 && w.r.IntN(3) == 0:
		if delete(w.files, name); len(w.files) < 8 {
			w.files[name] = list
		}
	}
}

func (w *world) memory() memory {
	m := maps.Clone(w.extra)
	for name, decls := range w.files {
		m[name] = []byte(w.head[name] + strings.Join(decls, "\n\n") + "\n")
	}
	return m
}

// TestKeptEqualsWalked edits a tree a declaration at a time: the graph that takes
// over what it can of the one before has the bytes of one built from scratch.
func TestKeptEqualsWalked(t *testing.T) {
	walks, steps := 4, 25
	if os.Getenv("TOPO_SLOW") != "" {
		walks, steps = 60, 60
	}
	kept, walked := 0, 0
	for seed := range walks {
		w := newWorld(uint64(seed))
		dir := t.TempDir()
		path, scratch := filepath.Join(dir, "x.idx"), filepath.Join(dir, "y.idx")
		before := ""
		for step := range steps {
			for range 1 + w.r.IntN(2) {
				w.edit()
			}
			m := w.memory()
			in := m.input()
			in.Workers = 1 + w.r.IntN(3)
			in.Graph = func(ctx context.Context, gi index.GraphInput) (index.GraphSections, error) {
				b, err := assemble(ctx, gi)
				if err != nil {
					return nil, err
				}
				for i := range b.files {
					if b.files[i].reused {
						kept++
					} else if gi.Base != nil {
						walked++
					}
				}
				return b.sections(ctx)
			}
			if _, err := index.Update(context.Background(), path, in); err != nil {
				t.Fatal(err)
			}
			in.Workers, in.Force, in.Graph = 1, true, Build
			if _, err := index.Update(context.Background(), scratch, in); err != nil {
				t.Fatal(err)
			}
			got, err1 := os.ReadFile(path)
			want, err2 := os.ReadFile(scratch)
			after := listing(m)
			if err1 != nil || err2 != nil || !bytes.Equal(got, want) {
				t.Fatalf("walk %d step %d: the updated index differs from a rebuilt one (%v, %v)\n%s\n--- was:\n%s", seed, step, err1, err2, after, before)
			}
			before = after
		}
	}
	t.Logf("%d files kept, %d walked", kept, walked)
	if kept < 2*walks*steps {
		t.Errorf("only %d files were kept, %d walked: nothing is tested", kept, walked)
	}
}

func listing(m memory) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, m[name])
	}
	return b.String()
}

// TestKeptFromADamagedGraph damages the graph of the old index: the update
// notices and builds from scratch.
func TestKeptFromADamagedGraph(t *testing.T) {
	w := newWorld(1)
	dir := t.TempDir()
	path, scratch := filepath.Join(dir, "x.idx"), filepath.Join(dir, "y.idx")
	x, _ := built(t, path, w.memory().input())
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name := slices.Sorted(maps.Keys(w.files))[0]
	w.files[name] = append(w.files[name], "func addedLater() {}")
	m := w.memory()
	in := m.input()
	built(t, scratch, in)
	want, err := os.ReadFile(scratch)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range x.Sections() {
		if s.Tag != index.GraphOut && s.Tag != index.GraphNodes {
			continue
		}
		damaged := slices.Clone(before)
		damaged[s.Offset+s.Length/2] ^= 0x10
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		stats, err := index.Update(context.Background(), path, in)
		got, _ := os.ReadFile(path)
		if err != nil || !stats.Rebuilt || !bytes.Equal(got, want) {
			t.Errorf("%s damaged: %+v, %v; equal to a rebuilt one: %v", s.Tag, stats, err, bytes.Equal(got, want))
		}
	}
}

// TestNamesThatSpread tells which names a change of one declaration reaches.
func TestNamesThatSpread(t *testing.T) {
	const before = "package p\n\ntype Server struct { inner *Reader; limit int }\n\nfunc (s *Server) Close() *Reader { return s.inner }\n\n" +
		"func Dispatch() []Reader { return nil }\n\nvar shared = Dispatch()\n\ntype Closer interface { Close() *Reader; Reset() }\n"
	user := []byte("package q\n\nimport \"m/p\"\n\ntype Wide struct { *p.Server }\n\nfunc Handle() p.Closer { return nil }\n\nfunc unrelated() { print(1) }\n")
	for _, tc := range []struct{ name, old, now, want string }{
		{"a body", "return s.inner }", "println(); return s.inner }", ""},
		{"a function more", "var shared", "func addedLater() int { return 1 }\n\nvar shared", "addedLater"},
		{"a field of another type", "limit int", "limit uint", "limit"},
		{"a method gone", "func (s *Server) Close() *Reader { return s.inner }", "", "Close Closer Handle Reset"},
		{"a result of another type", "func Dispatch() []Reader", "func Dispatch() []Server", "Dispatch shared"},
		{"an embedded type", "inner *Reader;", "*Reader;", "Close Dispatch Reader Server Wide inner limit"},
		{"an import", "package p\n", "package p\n\nimport \"fmt\"\n", ""},
		{"an import that a declaration needs", "package p\n", "package p\n\nimport \"m/q\"\n\nvar other = q.Handle()\n", "other"},
		{"the package", "package p", "package other", "ALL"},
	} {
		dir := t.TempDir()
		m := memory{"go.mod": []byte("module m\n"), "p/a.go": []byte(before), "q/b.go": user}
		path := filepath.Join(dir, "x.idx")
		built(t, path, m.input())
		m["p/a.go"] = []byte(strings.Replace(before, tc.old, tc.now, 1))
		if bytes.Equal(m["p/a.go"], []byte(before)) {
			t.Fatalf("%s: nothing was replaced", tc.name)
		}
		in := m.input()
		got := "none"
		in.Graph = func(ctx context.Context, gi index.GraphInput) (index.GraphSections, error) {
			b, err := assemble(ctx, gi)
			if err != nil {
				return nil, err
			}
			got = namesOf(t, b)
			return b.sections(ctx)
		}
		built(t, path, in)
		for want := range strings.FieldsSeq(tc.want) {
			if !slices.Contains(strings.Fields(got), want) {
				t.Errorf("%s spreads to %q, not to %s", tc.name, got, want)
			}
		}
		if len(strings.Fields(tc.want)) < 2 && got != tc.want {
			t.Errorf("%s spreads to %q, want %q", tc.name, got, tc.want)
		}
	}
}

// namesOf finds the names once more.
func namesOf(t *testing.T, b *builder) string {
	n := changedNames{b: b, seen: map[string]bool{}, allMembers: map[string]bool{}}
	for i := range b.files {
		if !b.in.Base.Same[i] {
			old, err := b.oldSource(i)
			if err != nil {
				t.Fatal(err)
			}
			n.compare(uint32(i), old, &b.files[i])
		}
	}
	walk := make([]bool, len(b.files))
	for at := 0; at < len(n.list) && !n.all; at++ {
		if err := n.markFiles(context.Background(), n.list[at], walk); err != nil {
			t.Fatal(err)
		}
	}
	if n.all {
		return "ALL"
	}
	slices.Sort(n.list)
	return strings.Join(slices.Compact(n.list), " ")
}
