package answer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/internal/english"
)

// StatsRecord counts what the graph holds. One in JSON:
//
//	{"Record":"stats","Nodes":9,"Edges":12,"NodeKinds":{"file":2,…},"EdgeKinds":{"calls":4,…},"Calls":{"resolved":3,…},"UnknownCalls":1,"Resolved":0.75}
type StatsRecord struct {
	Nodes, Edges int
	NodeKinds    Object  // nodes by kind
	EdgeKinds    Object  // edges by kind
	Calls        Object  // edges of calls by their confidence
	UnknownCalls int     // calls whose target is not known
	Resolved     float64 // share of the calls with a target that is more than a name, 0 to 1
}

// Stats are the counts of a graph and of the files it is made of.
type Stats struct {
	Head
	Stats     StatsRecord
	Languages Object // files by language, the most used first
	Tail
}

// Stats counts nodes and edges by kind, and calls by how sure they are.
func (s *Session) Stats(ctx context.Context) (*Stats, error) {
	a := &Stats{Head: s.head("stats-answer", "stats"), Tail: s.tail()}
	if err := s.count(ctx, &a.Stats); err != nil {
		return nil, err
	}
	languages := map[string]int{}
	for id := range s.Index.NumFiles() {
		f, err := s.Index.File(id)
		if err != nil {
			return nil, err
		}
		languages[cmp.Or(f.Language, "other")]++
	}
	for _, l := range byCount(languages) {
		a.Languages.Add(l, languages[l])
	}
	a.next("hotspots")
	a.next("query", "MATCH (f) RETURN f.name, f.path ORDER BY f.fanin DESC LIMIT 10")
	return a, nil
}

// byCount are the keys of counts, the highest count first.
func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

func (s *Session) count(ctx context.Context, rec *StatsRecord) error {
	var nodes [graph.NodeExternal + 1]int
	var edges [graph.EdgeCoChanges + 1]int
	calls := map[string]int{}
	rec.Nodes = s.Graph.NumNodes()
	for id := range rec.Nodes {
		if id%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n, err := s.Graph.Node(id)
		if err != nil {
			return err
		}
		nodes[n.Kind]++
		rec.UnknownCalls += n.Unknown
		out, err := s.Graph.Out(id)
		if err != nil {
			return err
		}
		rec.Edges += len(out)
		for _, e := range out {
			edges[min(e.Kind, graph.EdgeCoChanges)]++
			if e.Kind == graph.EdgeCalls {
				calls[e.Confidence.Reason()]++
			}
		}
	}
	for k, n := range nodes {
		rec.NodeKinds.Add(graph.NodeKind(k).String(), n)
	}
	for k, n := range edges {
		rec.EdgeKinds.Add(graph.EdgeKind(k).String(), n)
	}
	for _, c := range []graph.Confidence{graph.Resolved, graph.KnownType, graph.Dispatched, graph.Overloaded, graph.NameOnly} {
		rec.Calls.Add(c.Reason(), calls[c.Reason()])
	}
	unsure := rec.UnknownCalls + calls[graph.NameOnly.Reason()]
	if all := edges[graph.EdgeCalls] + rec.UnknownCalls; all > 0 {
		rec.Resolved = rounded(1 - float64(unsure)/float64(all))
	}
	return nil
}

// Records are the counts of the graph.
func (a *Stats) Records() []any { return []any{a.Stats} }

// Text is a table for each kind of count.
func (a *Stats) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	r := &a.Stats
	calls := append(slices.Clip(r.Calls), Field{"unknown", r.UnknownCalls})
	for _, part := range []struct {
		title string
		list  Object
	}{{english.Count(r.Nodes, "node"), r.NodeKinds}, {english.Count(r.Edges, "edge"), r.EdgeKinds},
		{fmt.Sprintf("calls, %.0f %% of them to a known target", 100*r.Resolved), calls},
		{english.Count(a.ScannedFiles, "file") + " by language", a.Languages}} {
		t.line("%s", t.paint(bold, part.title))
		var rows [][]cell
		for _, f := range part.list {
			rows = append(rows, []cell{{f.Key, cyan, false}, figure(f.Value)})
		}
		t.table("  ", rows)
	}
}
