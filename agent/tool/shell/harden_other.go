//go:build !linux

package shell

// Harden does nothing here: other programs of a user cannot read the environment
// of a process by its number alone.
func Harden() error { return nil }
