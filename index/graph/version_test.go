package graph

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/internal/goldensum"
)

// TestVersions refuses edges that change without a version that makes the graph
// be built again. A version of the chunker does too, since all is read again.
func TestVersions(t *testing.T) {
	var goldens []goldensum.Golden
	for dir, kind := range map[string]string{"testdata": "link", "testdata/code": "code"} {
		archives, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
		if err != nil || len(archives) == 0 {
			t.Fatalf("%s: no archives, %v", dir, err)
		}
		for _, path := range archives {
			comment, files := archive(t, path)
			g := goldensum.Golden{Name: kind + "/" + strings.TrimSuffix(filepath.Base(path), ".txtar"), Output: files["EDGES"]}
			delete(files, "EDGES")
			for line := range strings.Lines(comment) {
				if strings.Contains(line, "->") {
					g.Output = append(g.Output, line...)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(files)) {
				g.Input = fmt.Appendf(g.Input, "%s\n%s", name, files[name])
			}
			goldens = append(goldens, g)
		}
	}
	goldensum.Check(t, filepath.Join("testdata", "versions.sum"), fmt.Sprintf("%d.%d.%d.%d", Version, BuildVersion, chunk.Version, chunk.FactsVersion),
		"graph.Version for imports, graph.BuildVersion for other edges", *updateGolden, goldens)
}
