package rules

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/topo-dev/topo/detect"
)

// UnstableHotspot finds the few files that change most and are hardest to
// change: Tornhill, "Your Code as a Crime Scene" (2015). At most `most` of them
// are reported, those with the highest product.
func UnstableHotspot(commits, cognitive, most int) detect.Detector {
	return detect.Detector{
		ID: "unstable-hotspot", Category: "history",
		Doc: "complex files that change all the time",
		Why: "Effort spent there pays back with every further change; complex code that nobody touches can wait.",
		Run: func(ctx context.Context, c *detect.Code, report func(detect.Finding)) error {
			type spot struct {
				f                   *detect.File
				complexity, product int
			}
			var all []spot
			for _, f := range c.Files {
				sum := 0
				for _, fn := range f.Functions {
					sum += fn.Metrics.Cognitive
				}
				if f.Ordinary() && f.Commits >= commits && sum >= cognitive {
					all = append(all, spot{f, sum, sum * f.Commits})
				}
			}
			slices.SortStableFunc(all, func(a, b spot) int { return cmp.Compare(b.product, a.product) })
			for i, s := range all[:min(len(all), most)] {
				severity := detect.Low
				if i < 3 {
					severity = detect.Medium
				}
				report(detect.Finding{Severity: severity, Path: s.f.Path, Value: s.f.Commits, Limit: commits,
					Message: fmt.Sprintf("%d commits changed this file, whose functions have a cognitive complexity of %d in all", s.f.Commits, s.complexity),
					Advice:  "split off what changes most, and simplify that first"})
			}
			return ctx.Err()
		},
	}
}
