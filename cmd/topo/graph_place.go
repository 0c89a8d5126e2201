package main

import (
	"errors"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
)

// find finds a place and says which command helps when there is none.
func (s *graphSession) find(given string) (*ask.Places, error) {
	p, err := s.ask.Find(given)
	var place *ask.PlaceError
	switch {
	case err == nil:
		return p, nil
	case !errors.As(err, &place):
		return nil, err
	case place.What == ask.WrongLine:
		return nil, usagef("%s", place.Advise(""))
	case place.File != "":
		return nil, usagef("%s", place.Advise("topo graph file "+place.File+" lists what it defines"))
	}
	return nil, usagef("%s", place.Advise("topo index --deep brings the index up to date"))
}

// allIDs are the nodes of several places.
func allIDs(nodes []graph.Node) map[int]bool {
	m := make(map[int]bool, len(nodes))
	for i := range nodes {
		m[nodes[i].ID] = true
	}
	return m
}
