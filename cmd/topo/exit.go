package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/stream"
)

// The exit codes. They are part of the interface: see exitCodes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitEnvironment = 3
	exitRemote      = 4
	exitLimit       = 5
	exitRefused     = 6
	exitInterrupted = 130
)

// exitCodes lists the exit codes for describe and the manual.
var exitCodes = []struct {
	Code    int
	Meaning string
}{
	{exitOK, "success; also when the reader of standard output went away"},
	{exitFailed, "a check that was asked for failed"},
	{exitUsage, "wrong usage or bad input: flags, arguments, configuration or the stream"},
	{exitEnvironment, "the environment failed: no git, unreadable disk, full disk, lock held, damaged index"},
	{exitRemote, "a remote service failed"},
	{exitLimit, "a limit ended the agent's run: steps, time, tokens or money; topo agent --resume goes on"},
	{exitRefused, "the model refused, or the agent needed a permission that nobody could grant"},
	{exitInterrupted, "interrupted by Ctrl-C; nothing was left half-written"},
}

// Each of these types wraps an error and gives it its exit code.
type (
	usageError  struct{ error } // bad flags, arguments, configuration or stream
	checkError  struct{ error } // a check the user asked for failed
	envError    struct{ error } // the machine, its disk or its tools
	remoteError struct{ error } // a service that is not on this machine
	limitError  struct{ error } // a limit ended a run of the agent
	refuseError struct{ error } // the model, or the permissions
)

func (e usageError) Unwrap() error  { return e.error }
func (e checkError) Unwrap() error  { return e.error }
func (e envError) Unwrap() error    { return e.error }
func (e remoteError) Unwrap() error { return e.error }
func (e limitError) Unwrap() error  { return e.error }
func (e refuseError) Unwrap() error { return e.error }

// usagef returns an error of the form "what: where; what to do" for bad input.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// envf is usagef for failures of the environment.
func envf(format string, args ...any) error { return envError{fmt.Errorf(format, args...)} }

// exitCode is the one place where an error becomes an exit code. An error
// without a type of its own came from the disk or from git.
func exitCode(ctx context.Context, err error) int {
	var (
		usage  usageError
		check  checkError
		env    envError
		remote remoteError
		limit  limitError
		refuse refuseError
		stream *stream.StreamError
	)
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitOK
	case ctx.Err() != nil, errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &check):
		return exitFailed
	case errors.As(err, &remote), topo.KindOf(err) == topo.Remote:
		return exitRemote
	case errors.As(err, &limit):
		return exitLimit
	case errors.As(err, &refuse):
		return exitRefused
	case errors.As(err, &env):
		return exitEnvironment
	case topo.KindOf(err) == topo.Environment:
		return exitEnvironment
	case topo.KindOf(err) == topo.Usage:
		return exitUsage
	case errors.As(err, &usage), errors.As(err, &stream):
		return exitUsage
	}
	return exitEnvironment
}

// message is the one line that tells err to a person. Control characters in it,
// which may come from file names of the repository, are escaped.
func message(err error) string {
	var b strings.Builder
	b.WriteString("topo: ")
	b.WriteString(answer.Visible(strings.TrimSpace(err.Error())))
	b.WriteByte('\n')
	return b.String()
}
