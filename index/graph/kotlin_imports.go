package graph

import (
	"strings"
)

// kotlinFiles are the files of Kotlin by what they declare: a file says its package
// and holds definitions of any name, whatever its path.
type kotlinFiles struct {
	names    map[string][]uint32 // qualified name → files
	packages map[string]*kotlinPackage
}

// kotlinPackage is a package. What its tests declare is there for tests alone.
type kotlinPackage struct {
	all, library     []uint32
	ofAll, ofLibrary int64 // number of the group, −1 before it is made
}

func kotlinFilesOf(t *tree) kotlinFiles {
	k := kotlinFiles{names: map[string][]uint32{}, packages: map[string]*kotlinPackage{}}
	for i := range t.in.Files {
		f := &t.in.Files[i]
		if f.Language != "kotlin" || f.Declared == nil {
			continue
		}
		pkg, names := f.Declared()
		p := k.packages[pkg]
		if p == nil {
			p = &kotlinPackage{ofAll: -1, ofLibrary: -1}
			k.packages[pkg] = p
		}
		if p.all = append(p.all, uint32(i)); !kotlinTest(f.Path) {
			p.library = append(p.library, uint32(i))
		}
		base, _, _ := strings.Cut(f.Path[strings.LastIndexByte(f.Path, '/')+1:], ".")
		for _, name := range append(names, base+"Kt") { // what Java calls the functions of the file
			if pkg != "" {
				name = pkg + "." + name
			}
			if list := k.names[name]; len(list) == 0 || list[len(list)-1] != uint32(i) {
				k.names[name] = append(list, uint32(i))
			}
		}
	}
	return k
}

// kotlinTest tells the source sets of tests: src/test, src/commonTest, src/androidTest.
func kotlinTest(path string) bool {
	_, below, ok := strings.Cut("/"+path, "/src/")
	set, _, _ := strings.Cut(below, "/")
	return ok && (set == "test" || strings.HasSuffix(set, "Test"))
}

// resolve leads an import to all files that declare its name, which are several for
// overloads and for what each platform declares, and one with a wildcard to those of
// the package. A member leads to the files of what holds it.
func (k *kotlinFiles) resolve(t *tree, from uint32, p string, to *targets) bool {
	p = strings.ReplaceAll(p, "`", "")
	p, wildcard := strings.CutSuffix(p, ".*")
	test := kotlinTest(t.in.Files[from].Path)
	if pkg := k.packages[p]; wildcard && pkg != nil {
		number, files := &pkg.ofLibrary, pkg.library
		if test {
			number, files = &pkg.ofAll, pkg.all
		}
		if len(files) == 0 {
			return false
		}
		if *number < 0 {
			*number = int64(t.newGroup(files))
		}
		to.group(uint32(*number))
		return true
	}
	for n := 0; n < 4 && p != ""; n++ {
		found := false
		for _, f := range k.names[p] {
			if test || !kotlinTest(t.in.Files[f].Path) {
				to.file(f)
				found = true
			}
		}
		if found {
			return true
		}
		p = outerScope(p)
	}
	return false
}
