package chunk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/topo-dev/topo/internal/goldensum"
)

// TestVersion refuses goldens that change without a version that makes indexes
// read the files again.
func TestVersion(t *testing.T) {
	var goldens []goldensum.Golden
	for language, src := range samples(t) {
		g := goldensum.Golden{Name: language, Input: src}
		for _, kind := range []string{".golden", ".facts"} {
			text, err := os.ReadFile(filepath.Join("testdata", language+kind))
			if err != nil && !(kind == ".facts" && errors.Is(err, fs.ErrNotExist)) {
				t.Fatal(err)
			}
			g.Output = append(g.Output, text...)
		}
		goldens = append(goldens, g)
	}
	goldensum.Check(t, filepath.Join("testdata", "versions.sum"), fmt.Sprintf("%d.%d", Version, FactsVersion),
		"chunk.Version for chunks, chunk.FactsVersion for facts", *update, goldens)
}
