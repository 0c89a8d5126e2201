package main

import (
	"errors"
	"fmt"
	"io/fs"
)

// plural is "1 file" or "2 files".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// humanBytes is a number of bytes for a person, such as "4.2 MiB".
func humanBytes(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	v, i := float64(n)/unit, 0
	for v >= unit && i < 3 {
		v, i = v/unit, i+1
	}
	return fmt.Sprintf("%.1f %ciB", v, "KMGT"[i])
}

// rootCauseChain is the operating system's error inside of err, so that the
// os package's tests work on wrapped errors.
func rootCauseChain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p
	}
	return err
}
