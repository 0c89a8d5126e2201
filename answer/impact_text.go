package answer

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/internal/english"
)

// Text shows the targets, then each tier by file, then the blast radius.
func (a *Impact) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	title := "target"
	if a.Diff != nil {
		if a.Diff.Files == 0 {
			t.line("%s", a.Diff.nothing())
			return
		}
		title = "changed"
	}
	a.tier(t, title, tierTarget)
	for _, name := range affectedTiers() {
		a.tier(t, name, name)
	}
	a.tier(t, "often changed together, a hint from history", tierTogether)
	color := yellow
	switch a.Impact.Level {
	case algo.LevelNone, algo.LevelLow:
		color = green
	case algo.LevelHigh:
		color = red
	}
	t.line("%s %s in %s, %s; level %s", t.paint(bold, "blast radius:"), english.Count(a.Impact.Symbols, "symbol"),
		english.Count(a.Impact.Files, "file"), english.Count(a.Impact.Tests, "test"), t.paint(color, a.Impact.Level))
}

// tier shows the symbols of a tier under the files they stand in, the nearest
// file first.
func (a *Impact) tier(t *text, title, name string) {
	var list []SymbolRecord
	first := map[string]int{}
	for i, r := range a.Symbols {
		if r.Tier != name {
			continue
		}
		list = append(list, r)
		if _, ok := first[r.Path]; !ok {
			first[r.Path] = i
		}
	}
	if len(list) == 0 {
		return
	}
	t.line("%s", t.paint(bold, title))
	slices.SortStableFunc(list, func(a, b SymbolRecord) int { return cmp.Compare(first[a.Path], first[b.Path]) })
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].Path == list[0].Path {
			n++
		}
		t.line("  %s", t.paint(cyan, Visible(cmp.Or(list[0].Path, "outside of files"))))
		t.tierOfFile(list[:n])
		list = list[n:]
	}
	if more := a.More[name]; more > 0 {
		t.line("  and %d more", more)
	}
}

// tierOfFile shows the symbols of one tier and file.
func (t *text) tierOfFile(list []SymbolRecord) {
	var rows [][]cell
	var under [][]string
	for _, r := range list {
		confidence := cell{}
		if r.Distance > 0 {
			confidence = sure(r.Confidence)
		}
		note := strings.TrimSpace(r.Change + " " + r.Reason)
		if r.From != "" {
			note += " from " + r.From
		}
		if r.Test {
			note += " (test)"
		}
		line := cell{"", "", true}
		if r.Line > 0 {
			line = figure(r.Line)
		}
		rows = append(rows, []cell{line, confidence, {r.Kind, dim, false}, {r.Symbol, bold, false}, {note, dim, false}})
		under = append(under, t.sites(r.Sites, r.MoreSites))
	}
	t.tableOver("    ", rows, under)
}

// nothing says that nothing changed.
func (d *DiffSummary) nothing() string {
	switch {
	case d.Staged:
		return "nothing is staged that differs from " + Visible(d.Range)
	case strings.Contains(d.Range, ".."):
		return "nothing changed in " + Visible(d.Range)
	}
	return "nothing changed since " + Visible(d.Range)
}
