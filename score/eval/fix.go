package eval

import (
	"regexp"
	"slices"
	"strings"

	"github.com/topo-dev/topo/internal/lazy"
)

// fixWithin is how many commits after a case's are taken for its fix by the
// files they changed.
const fixWithin = 200

// Fix finds the commit that answered a case among those after its own, oldest
// first: the one whose name ends the case's ID, as in caddy-04a44a3c7d; else the
// one whose subject carries the number that ends it, as in pylint-4175, for the
// pull request; else the first of the next 200 that changed just the wanted
// files. source reports whether a file counts. It returns "" when there is none.
//
// Of 648 commits and 217 issues whose fix is known otherwise, the last rule by
// itself finds 93 % and 84 %, and another commit in 1 % and 10 %.
func Fix(c Case, commits []Change, source func(path string) bool) string {
	last := c.ID[strings.LastIndexByte(c.ID, '-')+1:]
	switch {
	case abbreviated(last):
		for _, k := range commits {
			if strings.HasPrefix(k.ID, last) {
				return k.ID
			}
		}
	case digits(last):
		names := regexp.MustCompile(`\(#` + last + `\)|^Merge (pull request|PR) #` + last + `\b`)
		for _, k := range commits {
			if names.MatchString(k.Subject) {
				return k.ID
			}
		}
	}
	wanted := slices.Sorted(slices.Values(c.Gold))
	for _, k := range commits[:min(fixWithin, len(commits))] {
		var touched []string
		for _, f := range k.Files {
			if source(f) {
				touched = append(touched, f)
			}
		}
		slices.Sort(touched)
		if slices.Equal(touched, wanted) {
			return k.ID
		}
	}
	return ""
}

var (
	abbreviated = lazy.Matcher(`^[0-9a-f]{7,40}$`)
	digits      = lazy.Matcher(`^[0-9]{1,6}$`)
)
