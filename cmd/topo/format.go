package main

import (
	"github.com/topo-dev/topo/internal/english"
)

// plural is "1 file" or "2 files".
func plural(n int, what string) string {
	return english.Count(n, what)
}
