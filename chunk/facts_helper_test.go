package chunk

import (
	"go/build"
	"os"
	"path/filepath"
	"testing"
)

// goRoot is the source of the standard library.
func goRoot(t testing.TB) string {
	t.Helper()
	root := filepath.Join(build.Default.GOROOT, "src")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the Go source tree is not installed here")
	}
	return root
}
