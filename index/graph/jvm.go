package graph

import (
	"strings"

	"github.com/topo-dev/topo/index"
)

// jvmResolver follows the rule that javac enforces for public classes: the
// class a.b.C lies in a/b/C below a source root. Roots are known by Maven's and
// Gradle's layout (src/<set>/<language>/); elsewhere any directory may be one.
type jvmResolver struct {
	t       *tree
	classes map[string][]string // class name → files called so
	dirs    map[string][]string // last directory of a package → its directories
	group   map[string]uint32   // of a directory, tests left out
}

func prepareJVM(t *tree) func(uint32, string, *targets) {
	r := &jvmResolver{t: t, classes: map[string][]string{}, dirs: map[string][]string{}, group: map[string]uint32{}}
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

func jvmLanguage(l string) bool {
	return l == "java" || l == "kotlin" || l == "scala" || l == "groovy"
}

func (r *jvmResolver) resolve(from uint32, p string, to *targets) {
	f := &r.t.in.Files[from]
	p, wildcard := strings.CutSuffix(p, ".*")
	if !wildcard && f.Language == "scala" {
		p, wildcard = strings.CutSuffix(p, "._")
	}
	// a.b.C, then a.b.C.member and a.b.C.Inner.member.
	for rest, n := p, 0; n < 3 && rest != ""; n++ {
		if r.class(f.Path, rest, to) {
			return
		}
		i := strings.LastIndexByte(rest, '.')
		if i < 0 {
			break
		}
		rest = rest[:i]
	}
	if !wildcard {
		// Kotlin and Scala declare functions and several types in one file, so
		// that only the package is certain.
		if f.Language != "kotlin" && f.Language != "scala" {
			return
		}
		i := strings.LastIndexByte(p, '.')
		if i < 0 {
			return
		}
		p = p[:i]
	}
	r.pkg(f.Path, p, to)
}

// class adds the file of a fully qualified class; of several the one nearest to
// the importing file.
func (r *jvmResolver) class(from, qualified string, to *targets) bool {
	name := qualified[strings.LastIndexByte(qualified, '.')+1:]
	var candidates []string
	want := strings.ReplaceAll(qualified, ".", "/")
	for _, c := range r.classes[name] {
		if isPackagePath(c[:len(dirOf(c))+min(1, len(dirOf(c)))+len(name)], want) {
			candidates = append(candidates, c)
		}
	}
	c, ok := nearest(from, candidates)
	return ok && r.t.first(to, c)
}

// pkg adds the files of a package, those nearest to the importing file when
// several source roots hold it.
func (r *jvmResolver) pkg(from, qualified string, to *targets) {
	want := strings.ReplaceAll(qualified, ".", "/")
	var candidates []string
	for _, d := range r.dirs[want[strings.LastIndexByte(want, '/')+1:]] {
		if isPackagePath(d, want) {
			candidates = append(candidates, d+"/")
		}
	}
	if d, ok := nearest(from, candidates); ok {
		to.group(r.group[strings.TrimSuffix(d, "/")])
	}
}

// isPackagePath reports whether p names want below a source root. In a known
// layout the root is given, so that src/main/java/util is not java/util.
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
