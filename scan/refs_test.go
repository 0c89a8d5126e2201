package scan

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestRefs(t *testing.T) {
	needGit(t)
	home, dir := t.TempDir(), t.TempDir()
	git(t, home, dir, "init", "-q", "-b", "main")
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, home, dir, "add", "-A")
	git(t, home, dir, "commit", "-q", "-m", "one")
	git(t, home, dir, "branch", "fix")
	git(t, home, dir, "tag", "v1")
	for _, tt := range []struct {
		prefix string
		most   int
		want   []string
	}{
		{"", 10, []string{"fix", "main", "v1"}}, {"v", 10, []string{"v1"}}, {"x", 10, nil},
	} {
		got, err := Refs(t.Context(), dir, tt.prefix, tt.most)
		slices.Sort(got)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, %v, want %q", tt.prefix, got, err, tt.want)
		}
	}
	if got, err := Refs(t.Context(), dir, "", 2); err != nil || len(got) != 2 {
		t.Errorf("at most 2: %q, %v", got, err)
	}
	if _, err := Refs(t.Context(), t.TempDir(), "", 2); err == nil {
		t.Error("no repository gives no error")
	}
}
