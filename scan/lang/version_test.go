package lang

import (
	"fmt"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// decisions is the digest of the decisions on all known names, at
// this Version.
const decisions = 0x4710c7fc65b37265

// TestVersion fails when a decision changed and Version did not.
func TestVersion(t *testing.T) {
	h := xxhash.New()
	for _, l := range All() {
		for _, names := range [][]string{l.Extensions, l.Filenames} {
			for _, n := range names {
				path := "a/b" + n
				language := Detect(path, nil)
				_, _ = fmt.Fprintln(h, path, language, RoleOf(path, language, nil))
			}
		}
	}
	if got := h.Sum64(); got != decisions {
		t.Errorf("decisions changed: raise Version and set decisions to %#x", got)
	}
}
