package score

import (
	"testing"

	"github.com/topo-dev/topo/stream"
)

func TestHeuristicOrder(t *testing.T) {
	impl := stream.RoleImpl
	tests := []struct {
		what          string
		query         string
		better, worse stream.File
	}{
		{"depth", "eviction", stream.File{Path: "a/eviction.go", Role: impl}, stream.File{Path: "a/b/c/d/eviction.go", Role: impl}},
		{"role test", "eviction", stream.File{Path: "a/eviction.go", Role: impl}, stream.File{Path: "a/eviction_test.go", Role: stream.RoleTest}},
		{"role order", "eviction", stream.File{Path: "a/eviction_test.go", Role: stream.RoleTest}, stream.File{Path: "a/eviction.yaml", Role: stream.RoleConfig}},
		{"role docs", "eviction", stream.File{Path: "a/eviction.yaml", Role: stream.RoleConfig}, stream.File{Path: "a/eviction.md", Role: stream.RoleDocs}},
		{"role generated", "eviction", stream.File{Path: "a/eviction.md", Role: stream.RoleDocs}, stream.File{Path: "a/eviction.pb.go", Role: stream.RoleGenerated}},
		{"size", "eviction", stream.File{Path: "a/eviction.go", Role: impl, Size: 4 << 10}, stream.File{Path: "b/eviction.go", Role: impl, Size: 900 << 10}},
		{"well-known", "eviction", stream.File{Path: "src/eviction.go", Role: impl}, stream.File{Path: "etc/eviction.go", Role: impl}},
		{"vendored", "eviction", stream.File{Path: "a/b/eviction.go", Role: impl}, stream.File{Path: "vendor/eviction.go", Role: impl}},
		{"name over folder", "eviction", stream.File{Path: "x/eviction.go", Role: impl}, stream.File{Path: "eviction/x.go", Role: impl}},
		{"whole over part", "evict", stream.File{Path: "x/evict.go", Role: impl}, stream.File{Path: "x/eviction.go", Role: impl}},
		{"two words over one", "pod eviction", stream.File{Path: "x/pod_eviction.go", Role: impl}, stream.File{Path: "x/eviction.go", Role: impl}},
		{"named outright", "fails in lib/flags.go while parsing of eviction", stream.File{Path: "lib/flags.go", Role: impl}, stream.File{Path: "lib/eviction.go", Role: impl}},
	}
	for _, tt := range tests {
		files := []stream.File{tt.better, tt.worse, {Path: "other/file.go", Role: impl}, {Path: "more/pod.go", Role: impl}}
		v := heuristic(mustQuery(t, tt.query), files)
		if v[0] <= v[1] {
			t.Errorf("%s: %s has %v, %s has %v", tt.what, tt.better.Path, v[0], tt.worse.Path, v[1])
		}
	}
}

func TestHeuristicSaysNothingWithoutMatch(t *testing.T) {
	files := []stream.File{{Path: "src/main.go", Role: stream.RoleImpl}, {Path: "evil/vic.go", Role: stream.RoleImpl}}
	for i, v := range heuristic(mustQuery(t, "evict pods"), files) {
		if v != 0 {
			t.Errorf("%s has %v", files[i].Path, v)
		}
	}
}
