package rules

import (
	"bytes"
	"context"
	"fmt"

	"github.com/topo-dev/topo/detect"
)

// shortestLine is an average line that even dense code does not fall below, in
// bytes: smaller files are not read.
const shortestLine = 8

// LargeFile finds source files with so many lines that nobody knows them.
func LargeFile(low, medium int) detect.Detector {
	return detect.Detector{
		ID: "large-file", Category: "size",
		Doc: "source files of very many lines",
		Why: "A file that large holds several subjects, and every change to one of them meets the others. Files without functions hold data and are left alone.",
		Run: func(ctx context.Context, c *detect.Code, report func(detect.Finding)) error {
			for _, f := range c.Files {
				if !f.Ordinary() || len(f.Functions) == 0 || f.Size < int64(low)*shortestLine {
					continue
				}
				content, err := c.Content(f)
				if err != nil {
					return err
				}
				n := bytes.Count(content, []byte("\n"))
				if s, ok := graded(n, low, medium); ok {
					report(detect.Finding{Severity: s, Path: f.Path, Value: n, Limit: low,
						Message: fmt.Sprintf("%d lines with %d functions", n, len(f.Functions)),
						Advice:  "split it by subject; the outline shows what belongs together"})
				}
			}
			return ctx.Err()
		},
	}
}
