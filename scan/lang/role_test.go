package lang

import (
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

func TestRoleOf(t *testing.T) {
	n := 0
	seen := map[string]bool{}
	for role, paths := range rolePaths {
		for _, p := range strings.Fields(paths) {
			if seen[p] {
				t.Errorf("%s stands twice in the table", p)
			}
			seen[p] = true
			n++
			language := Detect(p, nil)
			if got := RoleOf(p, language, nil); got != stream.Role(role) {
				t.Errorf("RoleOf(%q, %q) = %s, want %s", p, language, got, role)
			}
		}
	}
	if n < 250 {
		t.Errorf("the table holds %d paths, want at least 250", n)
	}
	t.Logf("%d paths", n)
}
