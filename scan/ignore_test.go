package scan

import (
	"strings"
	"testing"
)

func TestIgnore(t *testing.T) {
	for _, c := range []struct {
		lines, path string // a trailing slash of path marks a directory
		want        verdict
	}{
		{"*.o", "x.o", ignored},
		{"*.o", "a/b/x.o", ignored},
		{"/x", "x", ignored},
		{"/x", "a/x", noMatch},
		{"a/x", "a/x", ignored},
		{"a/x", "b/a/x", noMatch},
		{"x/", "x", noMatch},
		{"x/", "x/", ignored},
		{"a/*", "a/b", ignored},
		{"a/*", "a/b/c", noMatch},
		{"*/b", "a/b", ignored},
		{"**/b", "b", ignored},
		{"a/**", "a/b/c", ignored},
		{"a/**", "a/", noMatch},
		{"a/**/b", "a/b", ignored},
		{"a/**/b", "a/x/y/b", ignored},
		{"a**/b", "ax/y/b", ignored}, // git's own quirk
		{"*\n!x", "x", included},
		{"!x\n*", "x", ignored},
		{"x  ", "x", ignored},
		{"x\\ ", "x ", ignored},
		{"x\\ ", "x", noMatch},
		{"x\t", "x", noMatch},
		{"x\r\n", "x", ignored},
		{"#x", "#x", noMatch},
		{"\\#x", "#x", ignored},
		{"\\!x", "!x", ignored},
		{"x\\", "x\\", noMatch},
		{"[", "[", noMatch},
		{"[!a]", "b", ignored},
		{"[^a]", "a", noMatch},
		{"[]a]", "]", ignored},
		{"a[/]b", "a/b", noMatch},
		{"[[:digit:]]", "7", ignored},
		{"[[:nope:]]", "n", noMatch},
		{"/", "x/", noMatch},
		{"!", "x", noMatch},
		{"\xEF\xBB\xBFx", "x", ignored},
		{"x\x00y", "x", ignored},
		{"foo?", "foo\xff", ignored},
	} {
		path, dir := strings.CutSuffix(c.path, "/")
		l := parseIgnore([]byte(c.lines), false)
		got := noMatch
		if l != nil {
			got = l.match(path, strings.LastIndexByte(path, '/')+1, dir)
		}
		if got != c.want {
			t.Errorf("%q on %q: %d, want %d", c.lines, c.path, got, c.want)
		}
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add([]byte("*.o\n!a/b\r\n/x/**/y \\ \n[a-z"), "a/b")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		for _, fold := range []bool{false, true} {
			if l := parseIgnore(data, fold); l != nil && path != "" {
				l.match(path, strings.LastIndexByte(path, '/')+1, false)
				l.match(path, strings.LastIndexByte(path, '/')+1, true)
			}
		}
	})
}

func BenchmarkIgnore(b *testing.B) {
	l := parseIgnore([]byte("*.o\n*.a\n*.so\n/build/\nnode_modules/\n.cache\n*.py[co]\ndoc/**/out\n*~\n.*.sw?\n!keep.o\n"), false)
	path := "pkg/kubelet/eviction/eviction_manager_test.go"
	b.ReportAllocs()
	for b.Loop() {
		if l.match(path, 21, false) != noMatch {
			b.Fatal("matched")
		}
	}
}
