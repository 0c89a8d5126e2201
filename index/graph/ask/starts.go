package ask

import "github.com/topo-dev/topo/index/graph"

// Starts are the nodes a walk starts at: calls start at what is defined in a
// place, imports at its file, or at the files of a module.
func (s *Session) Starts(p *Places, kind graph.EdgeKind, reverse bool) ([]int, error) {
	if kind == graph.EdgeCalls {
		p.Only(func(n *graph.Node) bool { return n.Kind == graph.NodeFunction || n.Kind == graph.NodeMethod })
		return s.Within(p.IDs())
	}
	p.Only(func(n *graph.Node) bool {
		return n.Kind == graph.NodeFile || n.Kind == graph.NodeModule || n.Kind == graph.NodeExternal
	})
	from := p.IDs()
	for _, n := range p.Nodes {
		file := n.ID
		if n.Path != "" && n.Kind != graph.NodeFile {
			id, ok := s.Index.Lookup(n.Path)
			if !ok {
				continue
			}
			var err error
			if file, err = s.Graph.FileNode(id); err != nil {
				return nil, err
			}
			from = append(from, file)
		}
		edges, err := s.contains(file, reverse && n.Kind != graph.NodeModule)
		if err != nil {
			return nil, err
		}
		for _, id := range edges {
			other, err := s.Graph.Node(id)
			if err != nil {
				return nil, err
			}
			if other.Kind == graph.NodeModule || other.Kind == graph.NodeFile {
				from = append(from, id)
			}
		}
	}
	return from, nil
}

// contains are the ends of the edges that say what a node contains, or what
// contains it.
func (s *Session) contains(id int, reverse bool) ([]int, error) {
	edges, err := s.Graph.Out(id)
	if reverse {
		edges, err = s.Graph.In(id)
	}
	var ids []int
	for _, e := range edges {
		if e.Kind == graph.EdgeContains {
			ids = append(ids, e.Other)
		}
	}
	return ids, err
}

// Within adds to nodes what they contain.
func (s *Session) Within(ids []int) ([]int, error) {
	seen := map[int]bool{}
	var all []int
	for queue := ids; len(queue) > 0; queue = queue[1:] {
		if seen[queue[0]] {
			continue
		}
		seen[queue[0]] = true
		all = append(all, queue[0])
		inner, err := s.contains(queue[0], false)
		if err != nil {
			return nil, err
		}
		queue = append(queue[:len(queue):len(queue)], inner...)
	}
	return all, nil
}
