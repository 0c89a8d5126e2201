package graph

import (
	"strings"
	"sync"
)

// words is the set of the words of s.
func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// oneOf tells the words of s from others. Their set is made when it is first
// asked: most commands read a graph and build none.
func oneOf(s string) func(string) bool {
	set := sync.OnceValue(func() map[string]bool { return words(s) })
	return func(w string) bool { return set()[w] }
}
