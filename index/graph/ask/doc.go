// Package ask turns what people call a place of the code into nodes of the
// graph, and the tests that the graph knows into commands that run them.
//
// What always holds:
//
//   - A place is a path, path:line, path:name, a name or a folder; what several
//     definitions are called stands for all of them, in ascending order.
//   - A place that nothing goes by is a [PlaceError], which knows the names
//     most like it. Any other error is a defect of the index.
//   - Nothing but the index is read.
package ask

import (
	"fmt"
	"strings"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/stream"
)

// Session is an index with its graph, open for questions.
type Session struct {
	Index *index.Index
	Graph *graph.Graph
	Root  string // absolute; absolute paths below it are places, too
	Dir   string // a folder of the index, slash-separated, where paths may start from as well; empty for none
}

// PlaceError says that nothing goes by a name.
type PlaceError struct {
	Given string   // as it was asked for
	What  string   // what is wrong with it
	File  string   // the file that was to define it, when there is one
	Near  []string // places with a similar name, the most similar first
}

func (e *PlaceError) Error() string { return e.Advise("check the spelling") }

// Advise is the error in words, with what to do when no name is similar.
func (e *PlaceError) Advise(otherwise string) string {
	s := fmt.Sprintf("%s: %s", e.Given, e.What)
	switch {
	case len(e.Near) > 0:
		s += "; did you mean " + strings.Join(e.Near, ", ") + "?"
	case otherwise != "":
		s += "; " + otherwise
	}
	return s
}

// IsTest reports whether a path of the index is that of a test.
func (s *Session) IsTest(path string) bool {
	f, ok := s.file(path)
	return ok && f.Role == stream.RoleTest
}

func (s *Session) file(path string) (index.File, bool) {
	id, ok := s.Index.Lookup(path)
	if !ok {
		return index.File{}, false
	}
	f, err := s.Index.File(id)
	return f, err == nil
}
