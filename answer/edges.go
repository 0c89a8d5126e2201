package answer

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/topo-dev/topo/index/graph"
)

// edgeLister collects nodes with their edges.
type edgeLister struct {
	s       *Session
	limit   int // of edges of one kind in one direction; 0 for all
	symbols []SymbolRecord
	edges   []EdgeRecord
	cut     bool // the limit left edges out
	seen    map[edgeKey]bool
	ends    [][]graph.Ends // of each edge of the answer that is a call
	ids     []int
}

// edgeKey tells edges of an answer apart.
type edgeKey struct {
	from, to, kind string
	confidence     float64
	reason         string
}

// done fills in the lines of the calls and returns the edges.
func (l *edgeLister) done(ctx context.Context) ([]EdgeRecord, error) {
	found, err := l.s.Graph.Sites(ctx, graph.EdgeCalls, l.ends, defaultSites)
	for i, f := range found {
		l.edges[i].Sites, l.edges[i].MoreSites = l.s.lines(f)
	}
	if l.edges == nil {
		l.edges = []EdgeRecord{}
	}
	return l.edges, err
}

// add adds a node with its figures and edges. Without contained the edges to
// what it contains are left out.
func (l *edgeLister) add(n *graph.Node, contained bool) error {
	rec := symbolOf(n.Ref())
	var err error
	if rec.Measures, err = l.s.measure(n); err != nil {
		return err
	}
	l.symbols = append(l.symbols, rec)
	l.ids = append(l.ids, n.ID)
	for _, reverse := range []bool{true, false} {
		edges, err := l.s.Graph.Out(n.ID)
		if reverse {
			edges, err = l.s.Graph.In(n.ID)
		}
		if err != nil {
			return err
		}
		if err := l.addEdges(n, edges, reverse, contained); err != nil {
			return err
		}
	}
	return nil
}

func (l *edgeLister) addEdges(n *graph.Node, edges []graph.Edge, reverse, contained bool) error {
	count := map[graph.EdgeKind]int{}
	for _, e := range edges {
		if e.Kind == graph.EdgeContains && !reverse && !contained {
			continue
		}
		if count[e.Kind]++; l.limit > 0 && count[e.Kind] > l.limit {
			l.cut = true
			continue
		}
		other, err := l.s.Graph.Node(e.Other)
		if err != nil {
			return err
		}
		from, to := n.Ref(), other.Ref()
		if reverse {
			from, to = to, from
		}
		if err := l.addEdge(from, to, e); err != nil {
			return err
		}
		l.ids = append(l.ids, e.Other)
	}
	return nil
}

// addEdge adds an edge, once.
func (l *edgeLister) addEdge(from, to graph.Ref, e graph.Edge) error {
	rec := edgeOf(from, to, e.Kind, e.Confidence)
	if e.Kind == graph.EdgeCoChanges {
		both, all, err := l.s.Graph.Together(from.ID, to.ID)
		if err != nil {
			return err
		}
		rec.Reason = fmt.Sprintf("in %d of the %d commits that changed it", both, all)
	}
	key := edgeKey{rec.From, rec.To, rec.Kind, rec.Confidence, rec.Reason}
	if l.seen[key] {
		return nil
	}
	l.seen[key] = true
	l.edges = append(l.edges, rec)
	var ends []graph.Ends
	if e.Kind == graph.EdgeCalls {
		ends = []graph.Ends{{From: from.ID, To: to.ID}}
	}
	l.ends = append(l.ends, ends)
	return nil
}

// linesOf are the lines of a content from first to last, at most so many; 0 for
// all of them.
func linesOf(content []byte, first, last, most int) []string {
	lines := bytes.Split(content, []byte("\n"))
	last = min(last, len(lines))
	if most > 0 {
		last = min(last, first+most-1)
	}
	out := []string{}
	for i := first; i <= last; i++ {
		out = append(out, strings.TrimSuffix(strings.ToValidUTF8(string(lines[i-1]), "\uFFFD"), "\r"))
	}
	return out
}
