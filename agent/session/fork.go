package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/topo-dev/topo/agent"
)

// errCut ends the reading of a log at the step where a fork begins.
var errCut = errors.New("the fork begins here")

// Fork makes a session newID of what happened in session id up to the end of a
// step; 0 is all of it. It returns the state that the new session begins with.
func (s *Store) Fork(id, newID string, step int) (*Log, *agent.State, error) {
	if step < 0 {
		return nil, nil, fmt.Errorf("session %s: there is no step %d", id, step)
	}
	if _, err := s.path(newID); err != nil {
		return nil, nil, err
	}
	// Read before anything is made: a session that is not there leaves no trace.
	state := &agent.State{}
	var events []agent.Event
	err := s.Read(id, func(e agent.Event) error {
		if step > 0 && state.Step >= step && opens(e, step) {
			return errCut
		}
		e.Session = newID
		if e.Event == agent.EventSession {
			e.Parent = id
		}
		events = append(events, e)
		return state.Apply(e)
	})
	if err != nil && !errors.Is(err, errCut) {
		return nil, nil, err
	}
	if step > state.Step {
		return nil, nil, fmt.Errorf("session %s: there is no step %d; the last is %d", id, step, state.Step)
	}
	log, err := s.Create(newID)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range events {
		err = errors.Join(err, log.write(e))
	}
	err = errors.Join(err, datasync(log.f), copyOutputs(s.Outputs(id), s.Outputs(newID)))
	if err != nil {
		log.Close()
		return nil, nil, fmt.Errorf("session %s: %w", newID, err)
	}
	return log, state, nil
}

// opens reports whether e belongs to what came after the end of the step.
func opens(e agent.Event, step int) bool {
	switch e.Event {
	case agent.EventEnd, agent.EventSession, agent.EventPrompt, agent.EventContext:
		return true
	case agent.EventStep:
		return e.Step > step
	}
	return false
}

// copyOutputs gives a fork the outputs that its transcript refers to.
func copyOutputs(from, to string) error {
	entries, err := os.ReadDir(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if err := copyFile(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
