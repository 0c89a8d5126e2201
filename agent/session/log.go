package session

import (
	"fmt"
	"io"
	"os"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/stream"
)

// Log writes the events of one session. It is an [agent.Sink].
type Log struct{ f *os.File }

// durable lists the events that are on the disk before the run goes on. Those
// before them are then, too. What a tool does after call_start cannot be undone
// by a crash, so the log must know of it.
func durable(k agent.EventKind) bool {
	switch k {
	case agent.EventPrompt, agent.EventCallStart, agent.EventResults, agent.EventCompaction, agent.EventEnd:
		return true
	}
	return false
}

// Emit appends an event. A live event is not stored.
func (l *Log) Emit(e agent.Event) error {
	if e.Event.Live() {
		return nil
	}
	err := l.write(e)
	if err == nil && durable(e.Event) {
		err = datasync(l.f)
	}
	if err != nil {
		return fmt.Errorf("session %s: event %d: %w", e.Session, e.Seq, err)
	}
	return nil
}

// write appends an event with one system call: a killed process leaves whole
// lines.
func (l *Log) write(e agent.Event) error {
	line, err := stream.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if len(line) > maxLine {
		return fmt.Errorf("%d bytes, and the most is %d", len(line), maxLine)
	}
	_, err = l.f.Write(line)
	return err
}

// Close gives up the lock.
func (l *Log) Close() error { return l.f.Close() }

// Resume opens a session to go on with it and returns its state. A last line
// that was cut short is removed from the log.
func (s *Store) Resume(id string) (*Log, *agent.State, error) {
	f, err := s.open(id, os.O_RDWR)
	if err != nil {
		return nil, nil, err
	}
	l, state, err := resume(f)
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("session %s: %w", id, err)
	}
	return l, state, nil
}

func resume(f *os.File) (*Log, *agent.State, error) {
	l, err := lock(f)
	if err != nil {
		return nil, nil, err
	}
	state := &agent.State{}
	end, err := scan(f, func(e agent.Event) error { return state.Apply(e) })
	if err != nil {
		return nil, nil, err
	}
	if err := agent.ValidTranscript(state.Messages); err != nil {
		return nil, nil, fmt.Errorf("the transcript is not valid: %w", err)
	}
	if err := f.Truncate(end); err != nil {
		return nil, nil, err
	}
	_, err = f.Seek(end, io.SeekStart)
	return l, state, err
}
