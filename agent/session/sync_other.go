//go:build !linux

package session

import "os"

// datasync brings what was written to the disk.
func datasync(f *os.File) error { return f.Sync() }
