package graph

import (
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/scan/lang"
)

var javaRules = jvmRules("")

// jvmRules are those of Java, for a language that is compiled to its classes.
func jvmRules(language string) *rules {
	return &rules{
		family:   "java",
		language: language,
		prepare:  prepareJVM,
		imports:  importRules{star: ".*", first: true, bound: jvmBound},
		names:    nameRules{unit: unitSpace, builtin: oneOf(javaBuiltins), implicit: true, outer: true},
		types:    typeRules{outside: true, platform: func(name string) bool { return jdkSupers()[name] != nil }},
		calls:    callRules{ctors: []string{".", "constructor", "init"}, methods: true, overloads: overloadTypes, inherited: true},
	}
}

// jvmBound binds the class that a path ends in, and a static member of it.
func jvmBound(_ *linking, d *chunk.Bind, v bind) bind {
	if !v.inside || d.Name == "*" || d.Member == "*" {
		return v
	}
	last := d.Path[strings.LastIndexByte(d.Path, '.')+1:]
	if v.member == "" {
		v.member = last
	} else if v.member != last {
		v.member = last + "." + v.member
	}
	return v
}

// javaBuiltins are the names that the language gives without an import.
const javaBuiltins = `boolean byte char double float int long short void Appendable AutoCloseable Boolean Byte CharSequence Character Class
ClassLoader Cloneable Comparable Double Enum Error Exception Float Integer Iterable Long Math Number Object Process Readable
Record Runnable Runtime Short StackTraceElement StrictMath String StringBuffer StringBuilder System Thread ThreadLocal Throwable
Void AbstractMethodError ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException AssertionError ClassCastException
ClassNotFoundException CloneNotSupportedException IllegalAccessException IllegalArgumentException IllegalMonitorStateException
IllegalStateException IndexOutOfBoundsException InstantiationException InterruptedException LinkageError NegativeArraySizeException
NoClassDefFoundError NoSuchFieldException NoSuchMethodException NullPointerException NumberFormatException OutOfMemoryError
ReflectiveOperationException RuntimeException SecurityException StackOverflowError StringIndexOutOfBoundsException
UnsupportedOperationException Deprecated FunctionalInterface Override SafeVarargs SuppressWarnings null`

// jvmResolver follows the rule that javac enforces for public classes: the
// class a.b.C lies in a/b/C below a source root. Roots are known by Maven's and
// Gradle's layout (src/<set>/<language>/); elsewhere any directory may be one.
type jvmResolver struct {
	t       *tree
	classes map[string][]string // class name → files called so
	dirs    map[string][]string // last directory of a package → its directories
	group   map[string]uint32   // of a directory, tests left out
	known   map[string]jvmCandidates
	kotlin  kotlinFiles
}

func prepareJVM(t *tree) func(uint32, string, *targets) {
	r := &jvmResolver{t: t, classes: map[string][]string{}, dirs: map[string][]string{}, group: map[string]uint32{}, known: map[string]jvmCandidates{}}
	r.kotlin = kotlinFilesOf(t)
	dirs, files := t.byDir(func(f *index.LinkFile) bool {
		return jvmLanguage(f.Language) && !strings.Contains(f.Path, "src/test/")
	})
	for _, d := range dirs {
		r.group[d] = t.newGroup(files[d])
		last := d[strings.LastIndexByte(d, '/')+1:]
		r.dirs[last] = append(r.dirs[last], d)
	}
	for i := range t.in.Files {
		f := &t.in.Files[i]
		if jvmLanguage(f.Language) {
			name := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
			name, _, _ = strings.Cut(name, ".")
			r.classes[name] = append(r.classes[name], f.Path)
		}
	}
	return r.resolve
}

// jvmLanguage reports whether a name is that of a language of the family; a
// directory of sources is called so.
func jvmLanguage(name string) bool {
	l := lang.SyntaxOf(name)
	return l.Family == "java" && l.Name == name
}

func (r *jvmResolver) resolve(from uint32, p string, to *targets) {
	f := &r.t.in.Files[from]
	anyFile := r.t.rules[from].imports.anyFile
	if f.Language == "kotlin" && len(r.kotlin.packages) > 0 {
		if r.kotlin.resolve(r.t, from, p, to) {
			return
		}
		anyFile = false // of Java, or from outside
	}
	key := p
	if anyFile {
		key = p + " " // what the import means depends on the language
	}
	m, ok := r.known[key]
	if !ok {
		m = r.candidates(p, anyFile)
		r.known[key] = m
	}
	switch c, ok := nearest(f.Path, m.paths); {
	case !ok:
		if f.Language != "kotlin" {
			r.kotlin.resolve(r.t, from, p, to)
		}
	case m.pkg:
		to.group(r.group[strings.TrimSuffix(c, "/")])
	default:
		r.t.addFirst(to, c)
	}
}

// jvmCandidates is what an import may stand for: files, or directories with a
// slash behind when pkg.
type jvmCandidates struct {
	paths []string
	pkg   bool
}

// candidates finds what an import may stand for. Kotlin and Scala (anyFile) declare
// functions and several types in one file, so often only the package is certain.
func (r *jvmResolver) candidates(p string, anyFile bool) jvmCandidates {
	p, wildcard := strings.CutSuffix(p, ".*")
	if !wildcard && anyFile {
		p, wildcard = strings.CutSuffix(p, "._")
	}
	// a.b.C, then a.b.C.member and a.b.C.Inner.member.
	for rest, n := p, 0; n < 3; n++ {
		if c := r.class(rest); len(c) > 0 {
			return jvmCandidates{paths: c}
		}
		i := strings.LastIndexByte(rest, '.')
		if i < 0 {
			break
		}
		rest = rest[:i]
	}
	if !wildcard {
		if !anyFile {
			return jvmCandidates{}
		}
		p = p[:max(0, strings.LastIndexByte(p, '.'))]
	}
	return jvmCandidates{paths: r.pkg(p), pkg: true}
}

// class lists the files that a fully qualified class may lie in.
func (r *jvmResolver) class(qualified string) (out []string) {
	name := qualified[strings.LastIndexByte(qualified, '.')+1:]
	files := r.classes[name]
	if len(files) == 0 || len(files) > maxCandidates {
		return nil
	}
	want := strings.ReplaceAll(qualified, ".", "/")
	for _, c := range files {
		if isPackagePath(joinDir(dirOf(c), name), want) {
			out = append(out, c)
		}
	}
	return out
}

// pkg lists the directories of a package, a slash behind each.
func (r *jvmResolver) pkg(qualified string) (out []string) {
	want := strings.ReplaceAll(qualified, ".", "/")
	dirs := r.dirs[want[strings.LastIndexByte(want, '/')+1:]]
	if want == "" || len(dirs) > maxCandidates {
		return nil
	}
	for _, d := range dirs {
		if isPackagePath(d, want) {
			out = append(out, d+"/")
		}
	}
	return out
}

// isPackagePath reports whether p names want below a source root. In a known
// layout the root is given, so src/main/java/util is not java/util.
func isPackagePath(p, want string) bool {
	if !strings.HasSuffix(p, want) || len(p) > len(want) && p[len(p)-len(want)-1] != '/' {
		return false
	}
	root := p[:len(p)-len(want)]
	at := 0
	for {
		i := strings.Index(p[at:], "src/")
		if i < 0 {
			return true
		}
		at += i
		rest := p[at+len("src/"):]
		set, rest, _ := strings.Cut(rest, "/")
		language, _, below := strings.Cut(rest, "/")
		if below && jvmLanguage(language) && (at == 0 || p[at-1] == '/') {
			return root == p[:at]+"src/"+set+"/"+language+"/"
		}
		at += len("src/")
	}
}
