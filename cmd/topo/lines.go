package main

import (
	"io"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/stream"
)

// lines writes each event as a line of JSON.
type lines struct{ out io.Writer }

// Emit writes the event.
func (l lines) Emit(e agent.Event) error { return l.write(e) }

func (l lines) write(v any) error {
	raw, err := stream.Marshal(v)
	if err == nil {
		_, err = l.out.Write(append(raw, '\n'))
	}
	return err
}
