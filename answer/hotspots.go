package answer

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/stream"
)

// HotspotRecord is a file record of the stream with what makes the file hot, so
// a renderer shows it. One in JSON:
//
//	{"Record":"hotspot","Path":"store/store.go","Score":1,"Tokens":105,"Language":"go","Role":"impl","Size":420,"Sha256":"…","Churn":2,"Complexity":2,"Functions":4,"Worst":"store/store.go:Store.Get"}
type HotspotRecord struct {
	Path       string
	PathBase64 string  `json:",omitempty"` // exact bytes of a path that is not valid UTF-8
	Score      float64 // churn × complexity as a share of the highest, 0 to 1
	Tokens     int
	Language   string
	Role       stream.Role
	Size       int64
	Sha256     string `json:",omitempty"`
	Churn      int    // commits that changed the file
	Complexity int    // sum of the functions' cognitive complexity
	Functions  int
	Worst      string // the most complex function, as a place
}

// Hotspots are the files that change often and are hard to change.
type Hotspots struct {
	Head
	Files []HotspotRecord // the hottest first
	Tail

	worst []graph.Ref // of each file
}

// Hotspots ranks the files by the commits that changed them times the cognitive
// complexity of their functions. limit is the most files; 0 for 20, less than 0
// for all.
func (s *Session) Hotspots(ctx context.Context, limit int) (*Hotspots, error) {
	churn, err := s.churn()
	if err != nil {
		return nil, err
	}
	spots, err := algo.Hotspots(ctx, s.Graph, churn, orDefault(limit, 20))
	if err != nil {
		return nil, err
	}
	a := &Hotspots{Head: s.head("hotspots-answer", "hotspots"), Files: []HotspotRecord{}, Tail: s.tail()}
	for _, h := range spots {
		rec, err := s.hotspot(h)
		if err != nil {
			return nil, err
		}
		a.Files, a.worst = append(a.Files, rec), append(a.worst, h.Worst)
		a.TotalTokens += rec.Tokens
	}
	a.TotalFiles = len(a.Files)
	if len(spots) == 0 {
		a.hint("no file with functions has a history in the index; a hot spot needs commits")
	} else {
		a.next("symbol", placeOf(spots[0].Worst))
		a.next("impact", spots[0].Path)
	}
	return a, nil
}

// churn is the number of commits that changed each file, of which the index
// knows.
func (s *Session) churn() (map[string]int, error) {
	churn := map[string]int{}
	var buf []uint32
	for id := range s.Index.NumFiles() {
		f, err := s.Index.File(id)
		if err != nil {
			return nil, err
		}
		if buf, err = s.Index.FileCommits(id, buf); err != nil {
			return nil, err
		}
		churn[f.Path] = len(buf)
	}
	return churn, nil
}

func (s *Session) hotspot(h algo.Hotspot) (HotspotRecord, error) {
	rec := HotspotRecord{Path: h.Path, Score: rounded(h.Score), Churn: h.Churn, Complexity: h.Complexity, Functions: h.Functions, Worst: placeOf(h.Worst)}
	if !utf8.ValidString(h.Path) {
		rec.PathBase64 = base64.StdEncoding.EncodeToString([]byte(h.Path))
	}
	id, ok := s.Index.Lookup(h.Path)
	if !ok {
		return rec, nil
	}
	f, err := s.Index.File(id)
	if err != nil {
		return rec, err
	}
	rec.Tokens, rec.Language, rec.Role, rec.Size = stream.EstimateTokens(f.Size), f.Language, f.Role, f.Size
	if f.Skipped == "" {
		rec.Sha256 = hex.EncodeToString(f.Sha256[:])
	}
	return rec, nil
}

// Records are the files.
func (a *Hotspots) Records() []any { return anys(a.Files) }

// Text is a table of the files.
func (a *Hotspots) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	rows := [][]cell{head(">score", ">commits", ">complexity", ">functions", "path", "most complex")}
	for i, h := range a.Files {
		worst := strings.TrimPrefix(h.Worst, h.Path+":")
		if i < len(a.worst) {
			worst = fmt.Sprintf("%s:%d", a.worst[i].Name, a.worst[i].Line)
		}
		rows = append(rows, []cell{{fmt.Sprintf("%.2f", h.Score), green, true}, figure(h.Churn), figure(h.Complexity), figure(h.Functions),
			{h.Path, bold, false}, {worst, dim, false}})
	}
	t.table("", rows)
}
