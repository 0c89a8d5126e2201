package graph

import (
	"slices"
	"strings"
)

// maxCompared bounds how many names [Graph.Complete] looks at: those of a large
// repository are read in a few milliseconds.
const maxCompared = 20_000

// Complete lists names of definitions and files of the tree that begin with prefix,
// sorted, at most most of them. A prefix with a dot is completed to qualified names,
// such as Server.Close.
func (g *Graph) Complete(prefix string, most int) ([]string, error) {
	tail := prefix[strings.LastIndexByte(prefix, '.')+1:]
	at, err := g.firstName(tail)
	if err != nil {
		return nil, err
	}
	var out []string
	for end := min(g.numNames, at+maxCompared); at < end && len(out) < most; at++ {
		name, _, err := g.nameAt(at)
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(string(name), tail) {
			break
		}
		ids, err := g.nodesOfName(at)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			n, err := g.Node(id)
			if err != nil {
				return nil, err
			}
			switch {
			case n.Path == "": // outside of the tree
			case len(tail) == len(prefix):
				out = append(out, string(name))
			case strings.HasPrefix(n.Name, prefix):
				out = append(out, n.Name)
			}
		}
		out = slices.Compact(out)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(most, len(out))], nil
}
