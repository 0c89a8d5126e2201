package score

import (
	"testing"

	"github.com/topo-dev/topo"
)

func TestHeuristicOrder(t *testing.T) {
	impl := topo.RoleImpl
	tests := []struct {
		what          string
		query         string
		better, worse topo.File
	}{
		{"depth", "eviction", topo.File{Path: "a/eviction.go", Role: impl}, topo.File{Path: "a/b/c/d/eviction.go", Role: impl}},
		{"role test", "eviction", topo.File{Path: "a/eviction.go", Role: impl}, topo.File{Path: "a/eviction_test.go", Role: topo.RoleTest}},
		{"role order", "eviction", topo.File{Path: "a/eviction_test.go", Role: topo.RoleTest}, topo.File{Path: "a/eviction.yaml", Role: topo.RoleConfig}},
		{"role docs", "eviction", topo.File{Path: "a/eviction.yaml", Role: topo.RoleConfig}, topo.File{Path: "a/eviction.md", Role: topo.RoleDocs}},
		{"role generated", "eviction", topo.File{Path: "a/eviction.md", Role: topo.RoleDocs}, topo.File{Path: "a/eviction.pb.go", Role: topo.RoleGenerated}},
		{"size", "eviction", topo.File{Path: "a/eviction.go", Role: impl, Size: 4 << 10}, topo.File{Path: "b/eviction.go", Role: impl, Size: 900 << 10}},
		{"well-known", "eviction", topo.File{Path: "src/eviction.go", Role: impl}, topo.File{Path: "etc/eviction.go", Role: impl}},
		{"vendored", "eviction", topo.File{Path: "a/b/eviction.go", Role: impl}, topo.File{Path: "vendor/eviction.go", Role: impl}},
		{"name over folder", "eviction", topo.File{Path: "x/eviction.go", Role: impl}, topo.File{Path: "eviction/x.go", Role: impl}},
		{"whole over part", "evict", topo.File{Path: "x/evict.go", Role: impl}, topo.File{Path: "x/eviction.go", Role: impl}},
		{"two words over one", "pod eviction", topo.File{Path: "x/pod_eviction.go", Role: impl}, topo.File{Path: "x/eviction.go", Role: impl}},
		{"named outright", "fails in lib/flags.go while parsing of eviction", topo.File{Path: "lib/flags.go", Role: impl}, topo.File{Path: "lib/eviction.go", Role: impl}},
	}
	for _, tt := range tests {
		files := []topo.File{tt.better, tt.worse, {Path: "other/file.go", Role: impl}, {Path: "more/pod.go", Role: impl}}
		v := heuristic(mustQuery(t, tt.query), files)
		if v[0] <= v[1] {
			t.Errorf("%s: %s has %v, %s has %v", tt.what, tt.better.Path, v[0], tt.worse.Path, v[1])
		}
	}
}

func TestHeuristicSaysNothingWithoutMatch(t *testing.T) {
	files := []topo.File{{Path: "src/main.go", Role: topo.RoleImpl}, {Path: "evil/vic.go", Role: topo.RoleImpl}}
	for i, v := range heuristic(mustQuery(t, "evict pods"), files) {
		if v != 0 {
			t.Errorf("%s has %v", files[i].Path, v)
		}
	}
}
