package graph

import (
	"go/token"
	"strings"

	"github.com/topo-dev/topo/chunk"
)

// signature is what a method of an interface of Go asks of a type.
type signature struct {
	f    *source // that declares the interface
	text string  // "func(A,B)T"
}

// matchesSignature tells whether a method may be the one that an interface of Go asks
// for. Nothing is held against types that may stand for a type parameter.
func (b *builder) matchesSignature(n int32, s *signature, w *worker) bool {
	d := &b.nodes[n]
	f := &b.files[d.file]
	if f.unit != s.f.unit && !token.IsExported(b.nameOf(n)) {
		return false // each package has its own
	}
	fact := b.functionFact(n)
	if fact == nil {
		return true
	}
	params, _ := splitParams(s.text)
	if len(fact.Params) != len(params) {
		return false
	}
	for i, want := range params {
		if w.typesDiffer(s.f, want, f, fact.Params[i].Type) {
			return false
		}
	}
	return true
}

// typesDiffer tells whether two types of Go, each as a file names it, can not be the
// same.
func (w *worker) typesDiffer(f *source, one string, g *source, other string) bool {
	if f == g && one == other {
		return false
	}
	a, b := w.followAliases(w.typeNamed(f, "", one, 0)), w.followAliases(w.typeNamed(g, "", other, 0))
	if a == b && a.form != formExternal || a.wraps != b.wraps {
		return false
	}
	x, y := "", ""
	if a.form == formExternal {
		x = f.goName(one)
	}
	if b.form == formExternal {
		y = g.goName(other)
	}
	switch {
	case a.form == formExternal && b.form == formExternal:
		return x != "" && y != "" && x != y
	case a.form == formExternal:
		return x != "" && w.b.concreteType(b)
	case b.form == formExternal:
		return y != "" && w.b.concreteType(a)
	}
	return w.b.concreteType(a) && w.b.concreteType(b)
}

// concreteType tells whether a value is of a type of the repository that is no
// interface, however wrapped.
func (b *builder) concreteType(t typ) bool {
	return t.form == formValue && t.id >= 0 && b.types[t.id].kind != "interface"
}

// goName names a type from outside by the path of its package, "" when the file
// does not say which that is or the type may stand for others.
func (f *source) goName(text string) string {
	_, base := splitType(text)
	pkg, name, ok := strings.Cut(base, ".")
	if !ok {
		switch base {
		case "any", "comparable", "interface", "struct", "?":
			return ""
		case "byte":
			return "uint8"
		case "rune":
			return "int32"
		}
		if goRules.names.builtin(base) {
			return base
		}
		return ""
	}
	for i := range f.facts.Binds {
		if d := &f.facts.Binds[i]; importName(d) == pkg && d.Path != "cmp" && !strings.HasSuffix(d.Path, "constraints") {
			return d.Path + "." + name
		}
	}
	return ""
}

// importName is by what a file of Go calls a package, going by its path.
func importName(d *chunk.Bind) string {
	if d.Name != "" {
		return d.Name
	}
	return d.Path[strings.LastIndexByte(d.Path, '/')+1:]
}

// goImports are the paths that a file of Go imports, by name.
func goImports(f *source) map[string]string {
	paths := make(map[string]string, len(f.facts.Binds))
	for i := range f.facts.Binds {
		if d := &f.facts.Binds[i]; paths[importName(d)] == "" {
			paths[importName(d)] = d.Path
		}
	}
	return paths
}
