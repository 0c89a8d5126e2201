package workspace

import (
	"fmt"
	"strings"
	"unicode"
)

// protected are the names of directories and files that are never written, at
// any depth: whoever writes into .git chooses programs that git runs, and topo
// trusts the bytes of its own cache.
var protected = []struct{ name, why string }{
	{".git", "git's own files are changed by git alone; run a git command instead"},
	{"git~1", "it is another name of .git on some file systems"},
	{".topo-cache", "topo's cache is written by topo alone"},
}

// Protected returns why the path, slash-separated, must not be written, or "".
func Protected(path string) string {
	for name := range strings.SplitSeq(path, "/") {
		name = foldedName(name)
		for _, p := range protected {
			if name == p.name {
				return p.why
			}
		}
	}
	return ""
}

// foldedName is the name that a lenient file system takes a name for: without
// regard to case, without the code points that HFS+ ignores, and without what
// NTFS drops from its end (dots, spaces, and the name of a stream).
func foldedName(name string) string {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	return strings.TrimRight(name, ". ")
}

// writable refuses what must not be written, judged by the path as given and by
// the one that it leads to.
func writable(path, resolved string) error {
	for _, p := range []string{path, resolved} {
		if why := Protected(strings.ReplaceAll(p, `\`, "/")); why != "" {
			return fmt.Errorf("%s: %w: %s", show(path), ErrProtected, why)
		}
	}
	if resolved == "." {
		return fmt.Errorf("%s: %w: it is the root itself", show(path), ErrNotRegular)
	}
	if strings.ContainsFunc(resolved, unicode.IsControl) {
		return fmt.Errorf("%s: %w: it holds control characters", show(path), ErrBadPath)
	}
	return nil
}
