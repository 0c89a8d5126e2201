// Package lang holds what topo knows of each language: its names, the files it
// is written in, how it writes comments and strings, what its tests are called
// and the command that runs them; and the two decisions made from that, the
// language of a file ([Detect]) and its part in the repository ([RoleOf]).
//
// What always holds: both decisions are pure functions of path and head, never
// panic, read no file and keep no state; a language's Name is stable, because
// indexes and streams store it; loading the package costs nothing, the tables
// are constants in the binary and the lookup maps are built at the first call.
package lang

import (
	"sync"

	"github.com/topo-dev/topo/stream"
)

// Version changes whenever a decision may come out otherwise than before:
// what was decided earlier and remembered is decided again.
const Version = 1

// HeadSize is how many bytes of a file the decisions look at. A longer head is
// cut; a shorter or nil one gives the best answer that the path allows.
const HeadSize = 8 << 10

// Language is one language: all that is known of it but for the code that
// reads its syntax tree (package chunk) and resolves its names (package graph).
// An extension, file name or interpreter belongs to one language only, its usual
// one; where others share an extension, the content decides (see ambiguous.go).
type Language struct {
	Name         string   // canonical, lower case, such as "cpp"; stable
	Display      string   // as its users write it, such as "C++"
	Aliases      []string // other names that [ByName] accepts
	Extensions   []string // with the dot; lower case unless the case matters
	Filenames    []string // whole base names
	Interpreters []string // of a #! line, without version
	Fence        string   // id after the ``` of a Markdown fence; empty is Name
	Comment      Comment
	Strings      Strings
	TestFiles    Names // what a file of tests is called
	Tests        Tests
	Generated    Names       // what generators call their output
	Role         stream.Role // of a file whose path says nothing else

	// Grammar names the language close enough to this one for its grammar to
	// read it; empty for one with a grammar of its own, or with none.
	Grammar string
	// Family names the languages whose definitions see each other by the same
	// rules, such as "java"; empty for a language without a code graph.
	Family string
	// OpenTypes is set when the methods of a type may be in any file of its folder.
	OpenTypes bool
	// NamedArguments is set when a call may name its arguments.
	NamedArguments bool
}

// FenceID is the id after the ``` of a Markdown fence.
func (l *Language) FenceID() string {
	if l.Fence != "" {
		return l.Fence
	}
	return l.Name
}

// Names is a naming convention for files. Prefix and Suffix are about the stem,
// the base name without its last extension, and never match a whole stem: a
// suffix "Test" matches FooTest.java, not Test.java. A capital at the edge is
// its own boundary: prefix "Test" wants a capital or digit next, and a suffix in
// capitals only ("IT") wants a small letter or digit before it.
type Names struct {
	Exact  []string // whole base names
	Prefix []string // starts of the stem
	Suffix []string // ends of the stem
	Dirs   []string // directory names anywhere above the file
}

// All is every language, sorted by name. The slice is the caller's, the
// languages are shared and must not be changed.
func All() []*Language {
	all := make([]*Language, 0, len(registry)+len(codeTable)+len(textTable))
	all = append(all, registry...)
	for _, t := range [...][]Language{codeTable, textTable} {
		for i := range t {
			all = append(all, &t[i])
		}
	}
	sortByName(all)
	return all
}

// ByName finds a language by its name or one of its aliases, ignoring case;
// nil when there is none.
func ByName(name string) *Language { return lookup().names[lower(name)] }

// tables are the lookup maps of the registry.
type tables struct {
	names        map[string]*Language
	extensions   map[string]*Language
	filenames    map[string]*Language
	interpreters map[string]*Language
}

var lookup = sync.OnceValue(func() *tables {
	t := &tables{
		names:        make(map[string]*Language, 512),
		extensions:   make(map[string]*Language, 1024),
		filenames:    make(map[string]*Language, 256),
		interpreters: make(map[string]*Language, 128),
	}
	for _, l := range All() {
		t.names[l.Name] = l
		for _, a := range l.Aliases {
			t.names[a] = l
		}
		for _, e := range l.Extensions {
			t.extensions[e] = l
		}
		for _, f := range l.Filenames {
			t.filenames[f] = l
		}
		for _, i := range l.Interpreters {
			t.interpreters[i] = l
		}
	}
	return t
})
