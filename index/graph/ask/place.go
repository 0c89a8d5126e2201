package ask

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/internal/lazy"
)

// Places are the nodes that a place stands for.
type Places struct {
	Given  string
	Nodes  []graph.Node // at least one, ascending by id
	Folder bool         // it is a folder; the nodes are the files below it
}

// IDs are the numbers of the nodes.
func (p *Places) IDs() []int {
	ids := make([]int, len(p.Nodes))
	for i := range p.Nodes {
		ids[i] = p.Nodes[i].ID
	}
	return ids
}

// Only leaves the nodes that keep accepts, unless there is none.
func (p *Places) Only(keep func(*graph.Node) bool) {
	var out []graph.Node
	for i := range p.Nodes {
		if keep(&p.Nodes[i]) {
			out = append(out, p.Nodes[i])
		}
	}
	if len(out) > 0 {
		p.Nodes = out
	}
}

// WrongLine is what is wrong with a place whose line is 0.
const WrongLine = "lines count from 1"

// Places with a line, as compilers, editors and GitHub write them: a.go:5,
// a.go:5:12, a.go#L5, a.go#L5-L9.
var placeAt = lazy.Regexp(`^(.+?)(?::(\d+)(?::\d+)?|#L(\d+)(?:-L?\d+)?)$`)

// Find finds a place: a path, path:line, path:name, a name, or a folder. The
// beginning of a path may be left out where that leaves one file.
func (s *Session) Find(given string) (*Places, error) {
	p := &Places{Given: given}
	at := s.relative(given)
	if m := placeAt().FindStringSubmatch(at); m != nil {
		if id, ok := s.fileAt(m[1]); ok {
			line, err := strconv.Atoi(m[2] + m[3])
			if err != nil || line < 1 {
				return nil, &PlaceError{Given: given, What: WrongLine}
			}
			return p, s.atLine(p, id, line)
		}
		if ends, err := s.filesEndingIn(m[1]); err != nil || len(ends) > 1 {
			return nil, cmp.Or(err, s.severalFiles(p, ends))
		}
	}
	if id, ok := s.lookup(at); ok {
		return p, s.wholeFile(p, id)
	}
	for i := range len(at) {
		if at[i] != ':' || i+1 < len(at) && at[i+1] == ':' || i > 0 && at[i-1] == ':' {
			continue
		}
		if id, ok := s.fileAt(at[:i]); ok {
			return p, s.inFile(p, id, plainName(at[i+1:]))
		}
	}
	err := s.findName(p, at)
	if err == nil && len(p.Nodes) == 0 {
		err = s.findFolderOrSuffix(p, at)
	}
	return p, err
}

func (s *Session) wholeFile(p *Places, id int) error {
	nodes, err := s.FileNodes(id)
	if err == nil {
		p.Nodes = nodes[:1]
	}
	return err
}

// relative is a path as the index has it; anything else is left as it is.
func (s *Session) relative(given string) string {
	if filepath.IsAbs(given) {
		if rel, err := filepath.Rel(s.Root, given); err == nil && !strings.HasPrefix(rel, "..") {
			return filepath.ToSlash(rel)
		}
	}
	return strings.TrimPrefix(given, "./")
}

// FileNodes are the node of a file and those of its definitions, which follow
// it.
func (s *Session) FileNodes(file int) ([]graph.Node, error) {
	at, err := s.Graph.FileNode(file)
	if err != nil {
		return nil, err
	}
	var nodes []graph.Node
	for id := at; id < s.Graph.NumNodes(); id++ {
		n, err := s.Graph.Node(id)
		if err != nil {
			return nil, err
		}
		if len(nodes) > 0 && (n.Path != nodes[0].Path || n.Kind == graph.NodeFile) {
			break
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// WithDocs are the nodes that FileNodes gives, where each definition begins with
// the doc comment before it: who changes that changes what it documents.
func (s *Session) WithDocs(file int, nodes []graph.Node) ([]graph.Node, error) {
	chunks, err := s.Index.Chunks(file)
	if err != nil {
		return nil, err
	}
	docs := make(map[[2]int]int, len(chunks)) // by the lines of a definition
	for _, c := range chunks {
		if c.DocLine > 0 && c.DocLine < c.StartLine {
			docs[[2]int{c.StartLine, c.EndLine}] = c.DocLine
		}
	}
	out := slices.Clone(nodes)
	for i := range out {
		if line, ok := docs[[2]int{out[i].Line, out[i].EndLine}]; ok {
			out[i].Line = line
		}
	}
	return out, nil
}

// atLine is the innermost definition around a line, else the file.
func (s *Session) atLine(p *Places, file, line int) error {
	nodes, err := s.FileNodes(file)
	if err != nil {
		return err
	}
	p.Nodes = []graph.Node{nodes[Innermost(nodes, line)]}
	return nil
}

// Innermost is the position of the smallest definition that holds the line; 0,
// the file itself, when none does.
func Innermost(nodes []graph.Node, line int) int {
	best := 0
	for i, n := range nodes {
		if i > 0 && n.Line <= line && line <= n.EndLine &&
			(best == 0 || n.EndLine-n.Line <= nodes[best].EndLine-nodes[best].Line) {
			best = i
		}
	}
	return best
}

func (s *Session) inFile(p *Places, file int, name string) error {
	nodes, err := s.FileNodes(file)
	if err != nil {
		return err
	}
	var names []string
	for _, n := range nodes[1:] {
		if calledBy(&n, name) {
			p.Nodes = append(p.Nodes, n)
		}
		names = append(names, n.Name)
	}
	if len(p.Nodes) > 0 {
		return nil
	}
	near := Nearest(name, slices.Values(names))
	for i := range near {
		near[i] = nodes[0].Path + ":" + near[i]
	}
	return &PlaceError{Given: p.Given, What: fmt.Sprintf("%s defines no %q", nodes[0].Path, name), File: nodes[0].Path, Near: near}
}

// calledBy reports whether a definition goes by a name: its own, or the end of
// it after a dot or slash.
func calledBy(n *graph.Node, name string) bool {
	if n.Name == name {
		return true
	}
	rest, ok := strings.CutSuffix(n.Name, name)
	return ok && name != "" && (strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/") || strings.HasSuffix(rest, "::"))
}

// findName finds nodes by name, by the last parts of their names, or by the
// packages before it: "store.New" is New in a folder or file called store.
func (s *Session) findName(p *Places, name string) error {
	err := s.withName(p, name, func(*graph.Node) bool { return true })
	if plain := plainName(name); err == nil && len(p.Nodes) == 0 && plain != name {
		name = plain
		err = s.withName(p, name, func(n *graph.Node) bool { return n.Kind != graph.NodeFile })
	}
	parts := strings.Split(name, ".")
	for i := 1; i < len(parts) && err == nil && len(p.Nodes) == 0; i++ {
		pkg, rest := parts[i-1], strings.Join(parts[i:], ".")
		err = s.withName(p, rest, func(n *graph.Node) bool {
			file := path.Base(n.Path)
			return path.Base(path.Dir(n.Path)) == pkg || strings.TrimSuffix(file, path.Ext(file)) == pkg
		})
	}
	slices.SortFunc(p.Nodes, func(a, b graph.Node) int { return a.ID - b.ID })
	return err
}

// withName adds the nodes that go by a name and that keep accepts.
func (s *Session) withName(p *Places, name string, keep func(*graph.Node) bool) error {
	seen := map[int]bool{}
	for _, key := range []string{graph.LastPart(graph.NodeFile, name), graph.LastPart(graph.NodeMethod, name), name} {
		ids, err := s.Graph.Named(key)
		if err != nil {
			return err
		}
		for _, id := range ids {
			n, err := s.Graph.Node(id)
			if err != nil {
				return err
			}
			if !seen[id] && calledBy(&n, name) && keep(&n) {
				seen[id] = true
				p.Nodes = append(p.Nodes, n)
			}
		}
	}
	return nil
}

// unknownName returns the error for a name that no node has.
func (s *Session) unknownName(given, name string) error {
	var failed error
	near := Nearest(name, func(yield func(string) bool) {
		for id := range s.Graph.NumNodes() {
			n, err := s.Graph.Node(id)
			if err != nil {
				failed = err
				return
			}
			if n.Kind == graph.NodeExternal {
				continue
			}
			if !yield(n.Name) {
				return
			}
		}
	})
	if failed != nil {
		return failed
	}
	return &PlaceError{Given: given, What: "nothing in the index has this name", Near: near}
}

// PlaceOf names a node in a form that Find resolves to it.
func PlaceOf(r graph.Ref) string {
	if r.Path == "" || r.Path == r.Name {
		return r.Name
	}
	return r.Path + ":" + r.Name
}
