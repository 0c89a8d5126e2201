// Command topo finds the code of a repository that a task is about.
//
// It wires the stages, which are libraries, to streams, flags, environment
// and exit codes, and does nothing else. What always holds here: standard
// output carries records or the text that was asked for, and everything said
// to a person goes to standard error; a stage that fails before its first record
// writes nothing, and an empty pipe is an error to the next one; the exit code is
// decided in exit.go alone, the values of flags by package settings;
// quick is the composition of the functions behind scan, index, score and
// select, so that their outputs are the same bytes.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() { os.Exit(mainCode()) }

// mainCode runs the command line of this process and returns its exit code.
func mainCode() int {
	// Without a receiver for SIGPIPE a write to a closed standard output kills
	// the process before it can finish its work; with one, the write fails with
	// EPIPE, which exitCode takes for success. Notify, unlike Ignore, is not
	// inherited by git.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() {
		stop() // a second Ctrl-C kills at once
		time.Sleep(abortGrace)
		os.Exit(exitInterrupted)
	})
	collectAfter(quietHeap)
	return run(ctx, systemFactory(), os.Args[1:])
}

// abortGrace is how long a stage may take to remove its temporary files after
// Ctrl-C before the process ends regardless.
const abortGrace = 5 * time.Second

// run executes the command line args and returns the exit code, after saying
// on standard error what went wrong.
func run(ctx context.Context, f *factory, args []string) int {
	root := newRoot(f)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !f.started {
		err = usageError{err} // the command line was not understood
	}
	code := exitCode(ctx, err)
	if code != exitOK && code != exitInterrupted {
		io.WriteString(f.err, message(err))
	}
	return code
}
