package ask

import (
	"path"
	"slices"
	"strings"

	"github.com/topo-dev/topo/internal/lazy"
)

// ofPointer is how Go writes a method of a pointer: "(*Server).Close".
var ofPointer = lazy.Regexp(`\(\*?(\w+)\)`)

// inClosure is what Go adds to a function for a closure in it, in stack traces.
var inClosure = lazy.Regexp(`(?:\.func\d+|\.\d+|-fm)+$`)

// plainName converts a name as people, stack traces and other languages write it
// to the graph's form: "(*Server).Close", "net/http.(*Server).Close.func1",
// "Server::close", "Server#close", "close()".
func plainName(name string) string {
	name = strings.TrimSuffix(name, "()")
	name = ofPointer().ReplaceAllString(name, "$1")
	if i := strings.LastIndexByte(name, '/'); i >= 0 && strings.Contains(name[i:], ".") {
		name = name[i+1:]
	}
	name = inClosure().ReplaceAllString(name, "")
	name = strings.NewReplacer("::", ".", "#", ".").Replace(name)
	for _, root := range []string{"crate.", "self.", "super."} {
		name = strings.TrimPrefix(name, root)
	}
	return name
}

// fileAt finds a file by its path, or by a suffix that only one file's path has.
func (s *Session) fileAt(name string) (id int, ok bool) {
	if id, ok = s.lookup(name); ok {
		return id, true
	}
	ends, err := s.filesEndingIn(name)
	if err != nil || len(ends) != 1 {
		return 0, false
	}
	return ends[0], true
}

// lookup finds a file by its path, from the session's folder or from the root.
func (s *Session) lookup(name string) (id int, ok bool) {
	if s.Dir != "" {
		if id, ok = s.Index.Lookup(path.Join(s.Dir, name)); ok {
			return id, true
		}
	}
	return s.Index.Lookup(name)
}

// filesEndingIn are the files whose paths end in a path.
func (s *Session) filesEndingIn(name string) (files []int, err error) {
	if name == "" {
		return nil, nil
	}
	for id := range s.Index.NumFiles() {
		f, err := s.Index.File(id)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(f.Path, "/"+name) {
			files = append(files, id)
		}
	}
	return files, nil
}

// findFolderOrSuffix interprets what is not a name as a folder or the end of a path.
func (s *Session) findFolderOrSuffix(p *Places, at string) error {
	var inside []int
	for _, folder := range []string{path.Join(s.Dir, at), path.Clean(at)} {
		if folder += "/"; at != "" && folder == "./" {
			folder = ""
		}
		for id := range s.Index.NumFiles() {
			f, err := s.Index.File(id)
			if err != nil {
				return err
			}
			if strings.HasPrefix(f.Path, folder) {
				inside = append(inside, id)
			}
		}
		if p.Folder = len(inside) > 0; p.Folder {
			break
		}
	}
	if len(inside) == 0 {
		ends, err := s.filesEndingIn(at)
		if err != nil {
			return err
		}
		if len(ends) > 1 {
			return s.severalFiles(p, ends)
		}
		inside = ends
	}
	for _, id := range inside {
		at, err := s.Graph.FileNode(id)
		if err != nil {
			return err
		}
		n, err := s.Graph.Node(at)
		if err != nil {
			return err
		}
		p.Nodes = append(p.Nodes, n)
	}
	if len(p.Nodes) == 0 {
		return s.unknownName(p.Given, plainName(at))
	}
	return nil
}

// severalFiles is the error for the end of more than one path.
func (s *Session) severalFiles(p *Places, files []int) error {
	e := &PlaceError{Given: p.Given, What: "several files are called so"}
	for _, id := range files[:min(len(files), NearMost)] {
		f, err := s.Index.File(id)
		if err != nil {
			return err
		}
		e.Near = append(e.Near, f.Path)
	}
	slices.Sort(e.Near)
	return e
}
