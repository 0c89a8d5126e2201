package answer

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/internal/english"
)

// CommunityRecord is one community. One in JSON:
//
//	{"Record":"community","Community":0,"Label":"net: server.go, conn.go","Size":14,"Inside":220,"Outside":31,"Files":["net/conn.go"]}
type CommunityRecord struct {
	Community int
	Label     string
	Size      int // files
	Inside    int // weight of the edges between its files: 100 for a sure one
	Outside   int // weight of the edges to files of others
	Files     []string
}

// CommunitiesOptions say how the files are divided.
type CommunitiesOptions struct {
	Seed  uint64 // of the division; the same seed gives the same one
	Limit int    // most communities; 0 for 50, less than 0 for all
}

// Communities are groups of files that use each other more than the rest.
type Communities struct {
	Head
	Communities []CommunityRecord // the largest first
	Total       int               // communities there are
	Modularity  float64           // how well they divide the files, at most 1
	Tail
}

// Communities divides the files by the Louvain method.
func (s *Session) Communities(ctx context.Context, o CommunitiesOptions) (*Communities, error) {
	c, err := algo.FindCommunities(ctx, s.Graph, o.Seed)
	if err != nil {
		return nil, err
	}
	a := &Communities{Head: s.head("communities-answer", "communities"), Communities: []CommunityRecord{}, Total: len(c.List), Modularity: c.Modularity, Tail: s.tail()}
	limit := orDefault(o.Limit, 50)
	for i, g := range c.List {
		if limit > 0 && i == limit {
			a.cut("communities")
			a.hint(fmt.Sprintf("%d of %d communities are listed; {limit} 0 gives all", limit, len(c.List)))
			break
		}
		rec := CommunityRecord{Community: g.ID, Label: g.Label, Size: g.Size, Inside: g.Inside, Outside: g.Outside}
		for _, f := range g.Files {
			rec.Files = append(rec.Files, f.Path)
		}
		a.Communities = append(a.Communities, rec)
	}
	switch {
	case len(c.List) == 0:
		a.hint("no two files have an edge between them; {ask} shows what the graph holds", Ask{Question: "stats"})
		return a, nil
	case c.Modularity < 0.3:
		a.hint(fmt.Sprintf("modularity %.2f: the files hang together as one, so that the division says little", math.Round(c.Modularity*100)/100))
	}
	a.next("file", c.List[0].Files[0].Path)
	return a, nil
}

// Records are the communities.
func (a *Communities) Records() []any { return anys(a.Communities) }

// Text is a table of the communities.
func (a *Communities) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	t.line("%s", t.paint(bold, fmt.Sprintf("%s, modularity %.2f", english.Count(a.Total, "community"), a.Modularity)))
	if len(a.Communities) == 0 {
		return
	}
	rows := [][]cell{head(">id", ">files", ">inside", ">outside", "label")}
	for _, c := range a.Communities {
		rows = append(rows, []cell{figure(c.Community), figure(c.Size), figure(c.Inside), figure(c.Outside), {c.Label, bold, false}})
	}
	t.table("", rows)
}
