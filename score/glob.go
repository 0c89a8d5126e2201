package score

import (
	"path"
	"strings"
)

// checkGlob reports a malformed pattern.
func checkGlob(pattern string) error {
	for seg := range strings.SplitSeq(pattern, "/") {
		if _, err := path.Match(seg, ""); err != nil {
			return err
		}
	}
	return nil
}

// Glob reports whether the whole of a slash-separated path matches pattern:
// see [Scope]. A malformed pattern matches nothing. Time is bounded by the
// product of the numbers of segments.
func Glob(pattern, name string) bool {
	pat, segs := strings.Split(strings.TrimPrefix(pattern, "/"), "/"), strings.Split(name, "/")
	if pat[len(pat)-1] == "" {
		pat[len(pat)-1] = "**" // a folder means what is in it
	}
	// can[j] reports whether the pattern read so far matches segs[:j].
	can := make([]bool, len(segs)+1)
	can[0] = true
	for i, p := range pat {
		if p == "**" {
			reached := false
			for j := range can {
				before := can[j]
				// At the end ** matches what is inside, at least one segment.
				if i == len(pat)-1 && i > 0 {
					can[j] = reached
				} else {
					can[j] = reached || before
				}
				reached = reached || before
			}
			continue
		}
		for j := len(segs); j > 0; j-- {
			ok := false
			if can[j-1] {
				ok, _ = path.Match(p, segs[j-1])
			}
			can[j] = ok
		}
		can[0] = false
	}
	return can[len(segs)]
}
