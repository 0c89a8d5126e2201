package host

import (
	"io"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/session"
	"github.com/topo-dev/topo/internal/fault"
)

// Last is the name of the newest session.
const Last = session.Last

// SessionInfo describes a session.
type SessionInfo = session.Info

// Sessions describes the sessions of the tree, the oldest first.
func (h *Host) Sessions() ([]SessionInfo, error) { return h.sessions.List() }

// Resolve returns the ID of the session that name means: an ID, the beginning of
// one, or [Last].
func (h *Host) Resolve(name string) (string, error) {
	id, err := h.sessions.Resolve(name)
	if err != nil {
		return "", fault.Usagef("session %w", err)
	}
	return id, nil
}

// Events calls got for each stored event of a session, in order.
func (h *Host) Events(name string, got func(agent.Event) error) error {
	id, err := h.Resolve(name)
	if err != nil {
		return err
	}
	return h.sessions.Read(id, got)
}

// Markdown writes a session as a document.
func (h *Host) Markdown(w io.Writer, name string) error {
	var events []agent.Event
	err := h.Events(name, func(e agent.Event) error { events = append(events, e); return nil })
	if err != nil {
		return err
	}
	return session.Markdown(w, events)
}

// Fork begins a session with the transcript of another up to the end of a step, 0
// for all of it, and with its rights. The other session and the tree stay as they
// are.
func (h *Host) Fork(name string, step int) (id string, err error) {
	from, err := h.Resolve(name)
	if err != nil {
		return "", err
	}
	var log *session.Log
	id, err = h.newSession(func(id string) (err error) {
		log, _, err = h.sessions.Fork(from, id, step)
		return err
	})
	if err != nil {
		return "", fault.Of(fault.Usage, err)
	}
	defer log.Close()
	return id, h.grants.Copy(from, id, h.root)
}
