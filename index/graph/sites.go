package graph

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Ends are the two nodes of an edge.
type Ends struct{ From, To int }

// Site is one line that an edge comes from. One in JSON:
//
//	{"Path":"net/server.go","Line":91,"Text":"s.conn.Close()"}
type Site struct {
	Path string
	Line int    // 1-based
	Text string // the line as it was indexed, without the space around it, at most 200 bytes
}

// Sites are the lines that some edges come from, by path and line.
type Sites struct {
	List []Site
	More int // lines beyond those listed
}

// maxSiteText bounds the text of a line, bytes: code that someone wrote fits,
// what a tool put on one line does not flood the answer.
const maxSiteText = 200

// spot is a line of a file.
type spot struct{ file, line int }

// Sites finds the lines that edges of a kind come from, up to most for each
// list of edges, all for 0 or less. Calls and imports have lines, nothing else.
//
// The index holds where a file calls and imports, not what each of those leads
// to. So a line is one of the edge's if it is in the node that the edge
// starts at and names the other; of a name that a definition uses for several
// things, the lines that by their form can not be meant are left out. A call by
// a name that says nothing of its target, such as a variable's, has no line.
func (g *Graph) Sites(ctx context.Context, kind EdgeKind, of [][]Ends, most int) ([]Sites, error) {
	spots, err := g.spots(ctx, kind, of)
	if err != nil {
		return nil, err
	}
	out := make([]Sites, len(of))
	asked := map[int][]siteText{}
	for i, list := range spots {
		slices.SortFunc(list, func(a, b spot) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line)) })
		list = slices.Compact(list)
		if most > 0 && len(list) > most {
			out[i].More, list = len(list)-most, list[:most]
		}
		out[i].List = make([]Site, len(list))
		for k, s := range list {
			asked[s.file] = append(asked[s.file], siteText{s.line, &out[i].List[k]})
		}
	}
	var buf []byte
	for i, file := range slices.Sorted(maps.Keys(asked)) {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if buf, err = g.siteTexts(file, asked[file], buf); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// spots finds the lines of each list of edges, one file after the other.
func (g *Graph) spots(ctx context.Context, kind EdgeKind, of [][]Ends) ([][]spot, error) {
	type edgeOf struct {
		answer int
		Ends
	}
	byFile := map[int][]edgeOf{}
	for i, edges := range of {
		for _, e := range edges {
			b, err := g.record(e.From)
			if err != nil {
				return nil, err
			}
			if file := le.Uint32(b); file != noFile {
				byFile[int(file)] = append(byFile[int(file)], edgeOf{i, e})
			}
		}
	}
	out := make([][]spot, len(of))
	for i, file := range slices.Sorted(maps.Keys(byFile)) {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r, err := g.siteReader(kind, file)
		if err != nil {
			return nil, err
		}
		for _, e := range byFile[file] {
			to, err := g.Node(e.To)
			if err != nil {
				return nil, err
			}
			for _, line := range r.lines(e.From, &to) {
				out[e.answer] = append(out[e.answer], spot{file, line})
			}
		}
	}
	return out, nil
}

// siteText is a line whose text is asked for.
type siteText struct {
	line int
	to   *Site
}

// siteTexts fills in the lines of one file.
func (g *Graph) siteTexts(file int, asked []siteText, buf []byte) ([]byte, error) {
	f, err := g.x.File(file)
	if err != nil {
		return buf, err
	}
	if buf, err = g.x.Content(file, buf); err != nil {
		return buf, err
	}
	slices.SortStableFunc(asked, func(a, b siteText) int { return cmp.Compare(a.line, b.line) })
	rest, at := buf, 1
	for _, a := range asked {
		for ; at < a.line && len(rest) > 0; at++ {
			_, rest, _ = bytes.Cut(rest, []byte{'\n'})
		}
		line, _, _ := bytes.Cut(rest, []byte{'\n'})
		*a.to = Site{Path: f.Path, Line: a.line, Text: clippedLine(line)}
	}
	return buf, nil
}

// clippedLine is a line of source for an answer.
func clippedLine(line []byte) string {
	line = bytes.TrimSpace(line)
	if len(line) <= maxSiteText {
		return strings.ToValidUTF8(string(line), "\uFFFD")
	}
	end := maxSiteText - len("…")
	for end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return strings.ToValidUTF8(string(line[:end]), "\uFFFD") + "…"
}
