package scan

import (
	"errors"
	"fmt"
)

// What can go wrong with a scan as a whole. Test for them with [errors.Is].
// The first group is a mistake of the caller, the second one of the machine.
var (
	ErrNoRoot     = errors.New("the root does not exist")
	ErrRootIsFile = errors.New("the root is not a directory")
	ErrBareRoot   = errors.New("the root is a bare repository and has no working tree")
	ErrNoPath     = errors.New("the path does not exist")
	ErrOutside    = errors.New("the path leaves the root")
	ErrUnknownRev = errors.New("unknown revision")
	ErrNotRepo    = errors.New("not a git repository")
	ErrTooLarge   = errors.New("the file is over the size limit")
	ErrNotRegular = errors.New("not a regular file")
	ErrMissing    = errors.New("the content is not in this clone")

	ErrNoGit      = errors.New("git is not installed")
	ErrGit        = errors.New("git failed")
	ErrUnreadable = errors.New("the root cannot be read")
)

// Error is a failure of the whole scan: what, where and what to do.
type Error struct {
	Reason error  // one of the errors above
	Where  string // path or revision, as the caller gave it
	Advice string // what to do
	Err    error  // the cause, may be nil
}

func (e *Error) Error() string {
	s := e.Reason.Error()
	if e.Where != "" {
		s = fmt.Sprintf("%q: %s", e.Where, s)
	}
	if e.Err != nil {
		s += " (" + e.Err.Error() + ")"
	}
	if e.Advice != "" {
		s += "; " + e.Advice
	}
	return s
}

// Unwrap makes both the reason and the cause visible to [errors.Is].
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Err}
}

// Usage reports whether the caller's input is at fault, not the machine.
func (e *Error) Usage() bool {
	switch e.Reason {
	case ErrNoGit, ErrGit, ErrUnreadable:
		return false
	}
	return true
}
