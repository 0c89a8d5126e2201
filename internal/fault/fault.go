// Package fault tells whose fault an error is, from which a command takes its
// exit code and a server its status.
package fault

import (
	"errors"
	"fmt"
)

// Kind is whose fault an error is.
type Kind int

// The kinds.
const (
	Usage       Kind = iota + 1 // wrong arguments, configuration, task or stream
	Environment                 // the machine, its disk or its tools
	Remote                      // a service that is not on this machine
)

// Error gives an error its kind.
type Error struct {
	Kind Kind
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error itself.
func (e *Error) Unwrap() error { return e.Err }

// Usagef returns an error of the form "what: where; what to do" for bad input.
func Usagef(format string, args ...any) error { return &Error{Usage, fmt.Errorf(format, args...)} }

// Environmentf is [Usagef] for failures of the machine.
func Environmentf(format string, args ...any) error {
	return &Error{Environment, fmt.Errorf(format, args...)}
}

// Of makes err one of that kind; nil stays nil.
func Of(k Kind, err error) error {
	if err == nil {
		return nil
	}
	return &Error{k, err}
}

// KindOf is the kind of the outermost [Error] in err's chain, 0 without one.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}
