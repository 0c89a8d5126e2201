package main

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/topo-dev/topo/index/graph"
)

// places are the nodes that a place on the command line stands for.
type places struct {
	given string
	nodes []graph.Node
}

func (p *places) ids() []int {
	ids := make([]int, len(p.nodes))
	for i := range p.nodes {
		ids[i] = p.nodes[i].ID
	}
	return ids
}

// allIDs are the nodes of several places.
func allIDs(nodes []graph.Node) map[int]bool {
	m := make(map[int]bool, len(nodes))
	for i := range nodes {
		m[nodes[i].ID] = true
	}
	return m
}

// only leaves the nodes that keep accepts, unless there is none.
func (p *places) only(keep func(*graph.Node) bool) {
	var out []graph.Node
	for i := range p.nodes {
		if keep(&p.nodes[i]) {
			out = append(out, p.nodes[i])
		}
	}
	if len(out) > 0 {
		p.nodes = out
	}
}

var placeAt = regexp.MustCompile(`^(.+):(\d+)$`)

// find finds a place: a path, path:line, path:name, or a name.
func (s *graphSession) find(given string) (*places, error) {
	p := &places{given: given}
	at := s.relative(given)
	if m := placeAt.FindStringSubmatch(at); m != nil {
		if id, ok := s.x.Lookup(m[1]); ok {
			line, err := strconv.Atoi(m[2])
			if err != nil || line < 1 {
				return nil, usagef("%s: lines count from 1", given)
			}
			return p, s.atLine(p, id, line)
		}
	}
	if id, ok := s.x.Lookup(at); ok {
		nodes, err := s.fileNodes(id)
		if err != nil {
			return nil, err
		}
		p.nodes = nodes[:1]
		return p, nil
	}
	for i := range len(at) {
		if at[i] != ':' || i+1 < len(at) && at[i+1] == ':' || i > 0 && at[i-1] == ':' {
			continue
		}
		if id, ok := s.x.Lookup(at[:i]); ok {
			return p, s.inFile(p, id, at[i+1:])
		}
	}
	return p, s.named(p, at)
}

// relative is a path as the index has it; anything else is left as it is.
func (s *graphSession) relative(given string) string {
	if filepath.IsAbs(given) {
		if rel, err := filepath.Rel(s.t.repo.Root, given); err == nil && !strings.HasPrefix(rel, "..") {
			return filepath.ToSlash(rel)
		}
	}
	return strings.TrimPrefix(given, "./")
}

// fileNodes are the node of a file and those of its definitions, which follow
// it.
func (s *graphSession) fileNodes(file int) ([]graph.Node, error) {
	at, err := s.g.FileNode(file)
	if err != nil {
		return nil, err
	}
	var nodes []graph.Node
	for id := at; id < s.g.NumNodes(); id++ {
		n, err := s.g.Node(id)
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

// atLine is the innermost definition around a line, else the file.
func (s *graphSession) atLine(p *places, file, line int) error {
	nodes, err := s.fileNodes(file)
	if err != nil {
		return err
	}
	p.nodes = []graph.Node{nodes[innermost(nodes, line)]}
	return nil
}

// innermost is the position of the smallest definition that holds the line; 0,
// the file itself, when none does.
func innermost(nodes []graph.Node, line int) int {
	best := 0
	for i, n := range nodes {
		if i > 0 && n.Line <= line && line <= n.EndLine &&
			(best == 0 || n.EndLine-n.Line <= nodes[best].EndLine-nodes[best].Line) {
			best = i
		}
	}
	return best
}

func (s *graphSession) inFile(p *places, file int, name string) error {
	nodes, err := s.fileNodes(file)
	if err != nil {
		return err
	}
	var names []string
	for _, n := range nodes[1:] {
		if calledBy(&n, name) {
			p.nodes = append(p.nodes, n)
		}
		names = append(names, n.Name)
	}
	if len(p.nodes) > 0 {
		return nil
	}
	near := nearest(name, slices.Values(names))
	for i := range near {
		near[i] = nodes[0].Path + ":" + near[i]
	}
	return usagef("%s: %s defines no %q%s", p.given, nodes[0].Path, name, didYouMean(near, "topo graph file "+nodes[0].Path+" lists what it defines"))
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

// named finds nodes by name, by the last parts of their names, or by the
// package before it: "store.New" is New in a folder or file called store.
func (s *graphSession) named(p *places, name string) error {
	err := s.withName(p, name, func(*graph.Node) bool { return true })
	if pkg, rest, ok := strings.Cut(name, "."); ok && err == nil && len(p.nodes) == 0 {
		err = s.withName(p, rest, func(n *graph.Node) bool {
			file := path.Base(n.Path)
			return path.Base(path.Dir(n.Path)) == pkg || strings.TrimSuffix(file, path.Ext(file)) == pkg
		})
	}
	if err == nil && len(p.nodes) == 0 {
		err = s.unknown(p.given, name)
	}
	slices.SortFunc(p.nodes, func(a, b graph.Node) int { return a.ID - b.ID })
	return err
}

// withName adds the nodes that go by a name and that keep accepts.
func (s *graphSession) withName(p *places, name string, keep func(*graph.Node) bool) error {
	seen := map[int]bool{}
	for _, key := range []string{graph.LastPart(graph.NodeFile, name), graph.LastPart(graph.NodeMethod, name), name} {
		ids, err := s.g.Named(key)
		if err != nil {
			return err
		}
		for _, id := range ids {
			n, err := s.g.Node(id)
			if err != nil {
				return err
			}
			if !seen[id] && calledBy(&n, name) && keep(&n) {
				seen[id] = true
				p.nodes = append(p.nodes, n)
			}
		}
	}
	return nil
}

// unknown is the error for a name that nothing has.
func (s *graphSession) unknown(given, name string) error {
	var failed error
	near := nearest(name, func(yield func(string) bool) {
		for id := range s.g.NumNodes() {
			n, err := s.g.Node(id)
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
	return usagef("%s: nothing in the index has this name%s", given, didYouMean(near, "topo index --deep brings the index up to date"))
}

func didYouMean(near []string, otherwise string) string {
	if len(near) == 0 {
		return "; " + otherwise
	}
	return "; did you mean " + strings.Join(near, ", ") + "?"
}

// narrow says how to ask for one of several places of the same name.
func (p *places) narrow(command string) []string {
	if len(p.nodes) < 2 {
		return nil
	}
	n := &p.nodes[0]
	return []string{fmt.Sprintf("%s names %d places; ask for one of them: %s %s", p.given, len(p.nodes), command, quoteArg(placeOf(n.Ref())))}
}

// placeOf is how to name a node on the command line.
func placeOf(r graph.Ref) string {
	if r.Path == "" || r.Path == r.Name {
		return r.Name
	}
	return r.Path + ":" + r.Name
}

var plainArg = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// quoteArg quotes an argument for a shell where it needs to be.
func quoteArg(s string) string {
	if plainArg.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
