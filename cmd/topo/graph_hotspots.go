package main

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/stream"
)

type hotspotsOptions struct {
	graphOptions
	Top int
}

// hotspotRecord is a file record of the stream with what makes the file hot,
// so that topo render shows it.
type hotspotRecord struct {
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

func newGraphHotspots(f *factory, runF func(context.Context, *hotspotsOptions) error) *cobra.Command {
	opts := &hotspotsOptions{graphOptions: graphOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "hotspots",
		Short: "Rank files that change often and are hard to change",
		Long: `Rank the files by the number of commits that changed them times the cognitive
complexity of their functions. The records are those of files, so that the answer
can go on to topo select and topo render.`,
		Example: "  topo graph hotspots --top 5\n  topo graph hotspots --format jsonl | topo render --max-tokens 8000",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.Top < 0 {
				return usagef("--top %d: must not be negative; give 0 for all files", opts.Top)
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return opts.answering(cmd.Context(), opts.ask)
		},
	}
	cmd.Flags().IntVar(&opts.Top, "top", 20, "list this many files, 0 for all")
	addGraphFlags(cmd, &opts.graphOptions, tableFormats, 0)
	return cmd
}

func (o *hotspotsOptions) ask(ctx context.Context, s *graphSession) (*answer, error) {
	churn := map[string]int{}
	for id := range s.x.NumFiles() {
		f, err := s.x.File(id)
		if err != nil {
			return nil, err
		}
		commits, err := s.x.FileCommits(id, nil)
		if err != nil {
			return nil, err
		}
		churn[f.Path] = len(commits)
	}
	spots, err := algo.Hotspots(ctx, s.g, churn, o.Top)
	if err != nil {
		return nil, err
	}
	a := &answer{query: "hotspots", files: []any{}, human: func(t *graphText) { t.hotspots(spots) }}
	for _, h := range spots {
		rec := hotspotRecord{Path: h.Path, Score: rounded(h.Score), Churn: h.Churn, Complexity: h.Complexity,
			Functions: h.Functions, Worst: ask.PlaceOf(h.Worst)}
		if !utf8.ValidString(h.Path) {
			rec.PathBase64 = base64.StdEncoding.EncodeToString([]byte(h.Path))
		}
		if id, ok := s.x.Lookup(h.Path); ok {
			f, err := s.x.File(id)
			if err != nil {
				return nil, err
			}
			rec.Tokens, rec.Language, rec.Role, rec.Size = stream.EstimateTokens(f.Size), f.Language, f.Role, f.Size
			if f.Skipped == "" {
				rec.Sha256 = hex.EncodeToString(f.Sha256[:])
			}
		}
		a.files = append(a.files, rec)
	}
	if len(spots) == 0 {
		a.hint("no file with functions has a history in the index; a hot spot needs commits")
	} else {
		a.hint("next: topo graph symbol "+ask.Quote(ask.PlaceOf(spots[0].Worst)), "next: topo graph impact "+ask.Quote(spots[0].Path))
	}
	return a, nil
}

func (t *graphText) hotspots(spots []algo.Hotspot) {
	rows := [][]cell{head(">score", ">commits", ">complexity", ">functions", "path", "most complex")}
	for _, h := range spots {
		rows = append(rows, []cell{{fmt.Sprintf("%.2f", h.Score), green, true}, figure(h.Churn), figure(h.Complexity), figure(h.Functions),
			{h.Path, bold, false}, {fmt.Sprintf("%s:%d", h.Worst.Name, h.Worst.Line), dim, false}})
	}
	t.table("", rows)
}
