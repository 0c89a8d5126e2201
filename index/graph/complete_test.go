package graph

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestComplete(t *testing.T) {
	m := memory{"a.go": []byte("package a\n\nimport \"fmt\"\n\ntype Server struct{}\n\nfunc (s *Server) Close() { fmt.Println() }\n\ntype Conn struct{}\n\nfunc (c Conn) Close() {}\n\nfunc CloseAll() {}\n")}
	_, g := built(t, filepath.Join(t.TempDir(), "x.idx"), m.input())
	for _, tt := range []struct {
		prefix string
		most   int
		want   []string
	}{
		{"Clo", 10, []string{"Close", "CloseAll"}},
		{"Clo", 1, []string{"Close"}},
		{"Server.", 10, []string{"Server.Close"}},
		{"Server.Cl", 10, []string{"Server.Close"}},
		{"Println", 10, nil}, // not of the tree
		{"a.g", 10, []string{"a.go"}},
		{"z", 10, nil},
	} {
		got, err := g.Complete(tt.prefix, tt.most)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q, at most %d: %q, %v, want %q", tt.prefix, tt.most, got, err, tt.want)
		}
	}
}
