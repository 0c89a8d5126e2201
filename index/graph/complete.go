package graph

import (
	"slices"
	"strings"
)

// maxCompared bounds how many names [Graph.Complete] looks at: those of a large
// repository are read in a few milliseconds.
const maxCompared = 20_000

// Complete lists names of definitions and files of the tree that begin with prefix,
// sorted, at most most of them. A prefix with a dot is completed to qualified names
// too, such as Server.Close.
func (g *Graph) Complete(prefix string, most int) ([]string, error) {
	out, err := g.namesFrom(prefix, most, func(name string, _ Node) string { return name })
	if dot := strings.LastIndexByte(prefix, '.'); err == nil && dot >= 0 {
		var more []string
		more, err = g.namesFrom(prefix[dot+1:], most, func(_ string, n Node) string {
			if strings.HasPrefix(n.Name, prefix) {
				return n.Name
			}
			return ""
		})
		out = append(out, more...)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(most, len(out))], err
}

// namesFrom lists what the nodes of the tree are called whose last part begins with
// prefix; those that are called "" are left out.
func (g *Graph) namesFrom(prefix string, most int, called func(name string, n Node) string) (out []string, err error) {
	at, err := g.firstName(prefix)
	if err != nil {
		return nil, err
	}
	for end := min(g.numNames, at+maxCompared); at < end && len(out) < most; at++ {
		name, _, err := g.nameAt(at)
		if err != nil || !strings.HasPrefix(string(name), prefix) {
			return out, err
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
			if n.Path == "" {
				continue // outside of the tree
			}
			if full := called(string(name), n); full != "" {
				out = append(out, full)
			}
		}
		out = slices.Compact(out)
	}
	return out, nil
}
