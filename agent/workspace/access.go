package workspace

import (
	"path"

	"github.com/topo-dev/topo/agent"
)

// Access is what a call that reads or writes the path does: the path that it
// leads to and, where a link makes that another, the path as it is written, so
// that a rule on either of them counts.
func (w *Workspace) Access(op agent.Op, name string) ([]agent.Access, error) {
	resolved, err := w.Resolve(name)
	if err != nil {
		return nil, err
	}
	if op == agent.OpWrite {
		if err := writable(name, resolved); err != nil {
			return nil, err
		}
	}
	list := []agent.Access{{Op: op, Path: resolved}}
	if written, err := w.relative(name); err == nil {
		if written = path.Clean(written); written != resolved && written != ".." && !isBelow(written, "..") {
			list = append(list, agent.Access{Op: op, Path: written})
		}
	}
	return list, nil
}

func isBelow(p, dir string) bool {
	return len(p) > len(dir) && p[:len(dir)] == dir && p[len(dir)] == '/'
}
