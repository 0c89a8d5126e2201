package host

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestUserFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of other systems")
	}
	for _, c := range []struct {
		system string
		env    map[string]string
		want   Folders
	}{
		{"linux", map[string]string{"HOME": "/h"}, Folders{"/h/.config/topo", "/h/.local/state/topo", "/h/.cache/topo"}},
		{"darwin", map[string]string{"HOME": "/h"}, Folders{"/h/.config/topo", "/h/Library/Application Support/topo", "/h/Library/Caches/topo"}},
		{"windows", map[string]string{"APPDATA": "/r", "LOCALAPPDATA": "/l"}, Folders{"/r/topo", "/l/topo", "/l/topo"}},
		{"linux", map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "/k"}, Folders{"/c/topo", "/s/topo", "/k/topo"}},
		{"linux", map[string]string{"HOME": "/h", "XDG_STATE_HOME": "relative"}, Folders{"/h/.config/topo", "/h/.local/state/topo", "/h/.cache/topo"}},
		{"darwin", map[string]string{"XDG_STATE_HOME": "/s", "TOPO_STATE_DIR": "/mine"}, Folders{State: "/mine"}},
		{"linux", nil, Folders{}},
	} {
		got := userFolders(func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }, c.system)
		if got != c.want {
			t.Errorf("%s %v: %+v, want %+v", c.system, c.env, got, c.want)
		}
	}
}

// TestOneProjectByAnyName: a tree has one key, by whatever path it is reached, and
// its folder is the user's alone.
func TestOneProjectByAnyName(t *testing.T) {
	needGit(t)
	tree := demoTree(t)
	o := optionsOf(t, tree)
	h := open(t, o)
	run(t, h, rightsOf(t, Yes), scripted("write", writeX), &watcher{})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(tree, link); err != nil {
		t.Skip("no symbolic links here")
	}
	o.Root = link
	list, err := open(t, o).Sessions()
	if err != nil || len(list) != 1 {
		t.Errorf("by a link: %v, %v", list, err)
	}
	o.Root = demoTree(t)
	if list, err := open(t, o).Sessions(); err != nil || len(list) != 0 {
		t.Errorf("of another tree: %v, %v", list, err)
	}
	for _, dir := range []string{o.Folders.State, h.State(), filepath.Join(h.State(), sessionsFolder), filepath.Join(h.State(), snapshotsFolder)} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, info, err)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(h.State(), rootFile)); strings.TrimSpace(string(text)) != h.Root() {
		t.Errorf("the project's folder says %q", text)
	}
	if _, err := os.Lstat(filepath.Join(tree, ".topo-cache", sessionsFolder)); err == nil {
		t.Error("there are sessions in the tree")
	}
}
