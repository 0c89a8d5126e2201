package rules

import (
	"slices"
	"testing"

	"github.com/topo-dev/topo/scan/lang"
)

// What rules say of a language they say once, of one that there is.
func TestTablesOfLanguages(t *testing.T) {
	var hiding, loads []string
	for _, v := range visibilities {
		hiding = append(hiding, v.language)
	}
	for _, l := range loadings {
		loads = append(loads, l.language)
	}
	for _, names := range [][]string{hiding, loads} {
		if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Errorf("%v are not sorted, or one is there twice", names)
		}
		for _, n := range names {
			if l := lang.ByName(n); l == nil || l.Name != n {
				t.Errorf("%s is no language", n)
			}
		}
	}
}
