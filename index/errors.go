package index

import "fmt"

// RebuildCommand is the command that builds an index from scratch. Every
// error that cannot be cured otherwise names it.
const RebuildCommand = "topo index --deep --force"

// CorruptError says that an index file is damaged. No answer read from the
// damaged part was given out.
type CorruptError struct {
	Path    string // of the index file
	Section string // tag of the damaged section; "header" for what precedes them
	Reason  string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("index %s: section %s is damaged: %s; rebuild it with: %s", e.Path, e.Section, e.Reason, RebuildCommand)
}

// VersionError says that an index was written by a newer format version than
// this build reads. An older one is not an error to [Update], which rebuilds.
type VersionError struct {
	Path string
	Have uint32 // version of the file
	Want uint32 // newest version that this build reads
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("index %s: format version %d, this topo reads version %d; update topo or rebuild the index with: %s",
		e.Path, e.Have, e.Want, RebuildCommand)
}

// LockError says that another process was still writing the index when the
// context ended. It unwraps to the context's error.
type LockError struct {
	Path string // of the lock file
	Err  error
}

func (e *LockError) Error() string {
	return fmt.Sprintf("index lock %s is held by another topo that is writing; wait for it and try again: %v", e.Path, e.Err)
}

func (e *LockError) Unwrap() error { return e.Err }

// WriteError says that an index could not be written. The previous one is
// unchanged, and no temporary file is left.
type WriteError struct {
	Path string
	Op   string // what was being done: "create", "write", "sync", "verify", "rename", "lock"
	Err  error
}

func (e *WriteError) Error() string {
	return fmt.Sprintf("index %s: %s: %v; the index that was there before is unchanged", e.Path, e.Op, e.Err)
}

func (e *WriteError) Unwrap() error { return e.Err }
