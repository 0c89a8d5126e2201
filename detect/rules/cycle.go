package rules

import (
	"context"
	"fmt"
	"strings"

	"github.com/topo-dev/topo/detect"
)

// ImportCycle finds files that import each other in a circle.
func ImportCycle() detect.Detector {
	const large = 8 // files from which on a circle is a structure gone wrong
	return detect.Detector{
		ID: "import-cycle", Category: "architecture",
		Doc: "files that import each other in a circle",
		Why: "None of the files can be understood, tested or loaded alone, and which of them is loaded first decides what works. Imports within functions and of types only are not counted.",
		Run: func(ctx context.Context, c *detect.Code, report func(detect.Finding)) error {
			d := &deferredImports{c: c}
			cycles, err := c.ImportCycles(ctx, d.counts)
			if err == nil {
				err = d.err
			}
			for _, cycle := range cycles {
				var names []string
				for _, f := range cycle.Path {
					names = append(names, f.Path)
				}
				s := detect.Low
				if len(cycle.Files) >= large {
					s = detect.Medium
				}
				report(detect.Finding{Severity: s, Path: names[0], Value: len(cycle.Files), Limit: 2, Related: names[1:],
					Message: fmt.Sprintf("%d files import each other: %s → %s", len(cycle.Files), strings.Join(names, " → "), names[0]),
					Advice:  "move what both need into a third file, or import where it is used"})
			}
			return err
		},
	}
}
