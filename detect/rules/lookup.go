package rules

import (
	"context"
	"fmt"
	"strings"

	"github.com/topo-dev/topo/detect"
)

func lookup(id string) (detect.Detector, error) {
	var known []string
	for _, d := range All() {
		if d.ID == id {
			return d, nil
		}
		known = append(known, d.ID)
	}
	return detect.Detector{}, fmt.Errorf("unknown detector %q; one of %s", id, strings.Join(known, ", "))
}

// each makes the Run of a detector that looks at one function at a time. look
// returns nil for a function that is fine.
func each(look func(*detect.Function) *detect.Finding) func(context.Context, *detect.Code, func(detect.Finding)) error {
	return func(ctx context.Context, c *detect.Code, report func(detect.Finding)) error {
		for _, f := range c.Functions {
			if !f.File.Ordinary() {
				continue
			}
			if found := look(f); found != nil {
				place(found, f)
				report(*found)
			}
		}
		return ctx.Err()
	}
}

// place fills in where a finding about a function is.
func place(found *detect.Finding, f *detect.Function) {
	found.Path, found.Line, found.EndLine, found.Symbol = f.Path, f.Line, f.EndLine, f.Name
}

// graded is the severity of a value: that of the last limit it reaches, of low,
// medium and high ones. ok is false below the first.
func graded(value int, limits ...int) (s detect.Severity, ok bool) {
	for i, limit := range limits {
		if value >= limit {
			s, ok = detect.Severity(i), true
		}
	}
	return s, ok
}
