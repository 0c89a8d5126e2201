package rules

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/internal/lazy"
)

// visibility says which functions of a language only their own file, folder or
// module can use.
type visibility struct {
	language string
	// hidden reports whether a function is one, by its first line and its source.
	hidden func(f *detect.Function, first, source []byte) bool
	// scope are the files that see it, none where that is not known; nil for its own
	// alone.
	scope func(u *uses, f *detect.Function) []*detect.File
}

// visibilities is sorted by language. Of the others nothing is reported.
var visibilities = []visibility{
	{"c", hiddenInC, nil},
	{"csharp", hiddenInCSharp, func(u *uses, f *detect.Function) []*detect.File { return u.folders[path.Dir(f.Path)] }},
	{"go", hiddenInGo, func(u *uses, f *detect.Function) []*detect.File { return u.folders[path.Dir(f.Path)] }},
	{"java", hiddenInJava, nil},
	{"php", hiddenInPHP, seenInPHP},
	{"rust", hiddenInRust, belowFolder},
}

func visibilityOf(language string) *visibility {
	for i := range visibilities {
		if visibilities[i].language == language {
			return &visibilities[i]
		}
	}
	return nil
}

var (
	staticC       = lazy.Regexp(`^\s*static\b`)
	privateJava   = lazy.Regexp(`^\s*(?:(?:static|final|synchronized|native)\s+)*private\b`)
	privateCSharp = lazy.Regexp(`^\s*(?:(?:static|async|unsafe|extern|new|readonly)\s+)*private\b`)
	privatePHP    = lazy.Regexp(`^\s*(?:(?:abstract|final|static)\s+)*private\b`)
	privateRust   = lazy.Regexp(`^\s*(?:(?:async|unsafe|const)\s+)*fn\b`)
)

// serialized are private methods that Java's serialization calls by name.
var serialized = map[string]bool{"readObject": true, "writeObject": true, "readResolve": true, "writeReplace": true, "readObjectNoData": true}

func hiddenInC(f *detect.Function, first, source []byte) bool {
	return strings.HasSuffix(f.Path, ".c") && staticC().Match(first) && bytes.ContainsRune(source, '{')
}

// hiddenInGo leaves out methods, which an interface may ask for.
func hiddenInGo(f *detect.Function, _, source []byte) bool {
	r, _ := utf8.DecodeRuneInString(f.BareName())
	return !f.Method() && !unicode.IsUpper(r) && bytes.ContainsRune(source, '{')
}

func hiddenInJava(f *detect.Function, first, _ []byte) bool {
	return f.Method() && privateJava().Match(first) && !serialized[f.BareName()]
}

// hiddenInPHP leaves out the methods that PHP calls by itself.
func hiddenInPHP(f *detect.Function, first, _ []byte) bool {
	return f.Method() && privatePHP().Match(first) && !strings.HasPrefix(f.BareName(), "__")
}

// seenInPHP is the function's own file; none when it declares a trait, whose private
// methods are those of any class that uses it, here or elsewhere.
func seenInPHP(u *uses, f *detect.Function) []*detect.File {
	if own, err := u.of(f.File); err != nil || own["trait"] > 0 {
		return nil
	}
	return []*detect.File{f.File}
}

// hiddenInCSharp leaves out what has attributes, which frameworks look for, and
// constructors, which may be there to keep others from making a value. The parts of
// a type are mostly in one folder.
func hiddenInCSharp(f *detect.Function, first, source []byte) bool {
	scope := strings.TrimSuffix(f.Name, "."+f.BareName())
	return f.Method() && privateCSharp().Match(first) && f.BareName() != scope[strings.LastIndexByte(scope, '.')+1:] &&
		f.BareName() != "this" && f.BareName() != "Main" && bytes.ContainsAny(source, "{=")
}

func hiddenInRust(f *detect.Function, first, _ []byte) bool {
	return !f.Method() && !strings.Contains(f.Name, ".") && !strings.HasPrefix(f.BareName(), "_") && privateRust().Match(first)
}

// belowFolder are the files of a module of Rust and of those inside of it.
func belowFolder(u *uses, f *detect.Function) []*detect.File {
	dir := path.Dir(f.Path)
	var all []*detect.File
	for _, file := range u.c.Files {
		if dir == "." || strings.HasPrefix(file.Path, dir+"/") {
			all = append(all, file)
		}
	}
	return all
}
