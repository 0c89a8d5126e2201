package answer

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/topo-dev/topo/index/graph"
)

// Measures are the figures of a definition, and of the file that holds it.
type Measures struct {
	Cyclomatic int     `json:",omitempty"` // decisions + 1
	Cognitive  int     `json:",omitempty"`
	Nesting    int     `json:",omitempty"` // deepest nesting of control flow
	Params     int     `json:",omitempty"`
	Lines      int     `json:",omitempty"`
	FanIn      int     // distinct callers; of a file other files that use it, of a type or variable what uses it
	FanOut     int     // the same the other way
	Unknown    int     // calls out of it that could not be resolved
	PageRank   float64 // share of the whole graph's, 0 to 1
	Between    float64 // share of the shortest ways between others that lead through it, 0 to 1
	Community  string  `json:",omitempty"` // label of the group of files that its file is in
	Commits    int     `json:",omitempty"` // that changed the file, as far as the index knows the history
	LastChange string  `json:",omitempty"` // of the file, RFC 3339
	Authors    int     `json:",omitempty"` // who changed the file
	LastAuthor string  `json:",omitempty"`
}

// measuresOf are the figures of a node by itself.
func measuresOf(n *graph.Node) *Measures {
	return &Measures{Cyclomatic: n.Metrics.Cyclomatic, Cognitive: n.Metrics.Cognitive, Nesting: n.Metrics.Nesting,
		Params: n.Metrics.Params, Lines: n.Metrics.Lines, FanIn: n.FanIn, FanOut: n.FanOut, Unknown: n.Unknown,
		PageRank: math.Round(float64(n.PageRank)*1e9) / 1e9, Between: math.Round(float64(n.Between)*1e9) / 1e9}
}

// measure adds to the figures of a node the history of its file.
func (s *Session) measure(n *graph.Node) (*Measures, error) {
	m := measuresOf(n)
	if n.Path == "" {
		return m, nil
	}
	id, ok := s.Index.Lookup(n.Path)
	if !ok {
		return m, s.Index.Err()
	}
	if n.Community >= 0 {
		var err error
		if m.Community, err = s.Graph.CommunityLabel(int(n.Community)); err != nil {
			return nil, err
		}
	}
	commits, err := s.Index.FileCommits(id, nil)
	if err != nil {
		return nil, err
	}
	var authors []string
	for i, c := range commits { // newest first
		commit, err := s.Index.Commit(int(c))
		if err != nil {
			return nil, err
		}
		if i == 0 {
			m.LastChange = time.Unix(commit.Time, 0).UTC().Format(time.RFC3339)
			m.LastAuthor = commit.Author
		}
		authors = append(authors, commit.Author)
	}
	slices.Sort(authors)
	m.Commits, m.Authors = len(commits), len(slices.Compact(authors))
	return m, nil
}

// rows are the figures for a person.
func (m *Measures) rows(n *SymbolRecord) [][]cell {
	var rows [][]cell
	add := func(name string, v int) { rows = append(rows, []cell{{name, dim, false}, figure(v)}) }
	if n.runs() {
		add("cyclomatic complexity", m.Cyclomatic)
		add("cognitive complexity", m.Cognitive)
		add("nesting", m.Nesting)
		add("parameters", m.Params)
	}
	if m.Lines > 0 {
		add("lines", m.Lines)
	}
	add("fan-in", m.FanIn)
	add("fan-out", m.FanOut)
	add("unresolved calls", m.Unknown)
	rows = append(rows, []cell{{"pagerank", dim, false}, share(m.PageRank)}, []cell{{"betweenness", dim, false}, share(m.Between)})
	if n.Path != "" {
		add("commits to the file", m.Commits)
		add("authors of the file", m.Authors)
	}
	return rows
}

// share is the cell of a small part of a whole.
func share(v float64) cell {
	if v == 0 {
		return cell{"0", "", true}
	}
	return cell{strconv.FormatFloat(v, 'g', 2, 64), "", true}
}
