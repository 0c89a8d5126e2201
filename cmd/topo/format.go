package main

import (
	"errors"
	"io/fs"

	"github.com/topo-dev/topo/internal/english"
)

// plural is "1 file" or "2 files".
func plural(n int, what string) string {
	return english.Count(n, what)
}

// rootCause is the reason without the path that the message names already.
func rootCause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
