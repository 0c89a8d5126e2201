package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/topo-dev/topo/stream"
)

// waitNotice is how long a command waits for its standard input before it
// says what it waits for: some programs start others with a pipe that they
// never write to.
const waitNotice = 3 * time.Second

// errNothing says that standard input is a pipe that nobody wrote to: a stage before
// this one has failed.
var errNothing = usagef("stream: standard input is empty: the stage before wrote nothing, so look at its error; give </dev/null when there is none")

// input reads the stream on standard input; nil when there is none. A pipe has a
// stream, unless the stage before failed; the error is [errNothing] then.
func (f *factory) input(ctx context.Context) (*stream.Stream, error) {
	if !f.inStream {
		return nil, nil
	}
	first := time.AfterFunc(waitNotice, func() {
		f.notef("waiting for a stream on standard input; give </dev/null when there is none")
	})
	defer first.Stop()
	s, err := stream.Read(ctx, &notifying{f.stdin(ctx), func() { first.Stop() }})
	switch {
	case errors.Is(err, stream.ErrEmpty) && f.inPipe:
		return nil, errNothing
	case errors.Is(err, stream.ErrEmpty):
		return nil, nil
	}
	return s, err
}

// required is input for commands that cannot do without.
func (f *factory) required(ctx context.Context, example string) (*stream.Stream, error) {
	s, err := f.input(ctx)
	if err == nil && s == nil {
		return nil, usagef("stream: nothing on standard input; pipe one in, as in: %s", example)
	}
	return s, err
}

// notifying calls got at every read that returns.
type notifying struct {
	r   io.Reader
	got func()
}

func (n *notifying) Read(p []byte) (int, error) {
	k, err := n.r.Read(p)
	n.got()
	return k, err
}
