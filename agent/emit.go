package agent

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// Redacted replaces a secret in events.
const Redacted = "[redacted]"

// emitter numbers and stores events and keeps the state of the session. It is
// safe for use by several goroutines.
type emitter struct {
	cfg     *Config
	secrets []string // as they are written inside a JSON string
	plain   *strings.Replacer

	mu    sync.Mutex
	state *State
	err   error  // of the sink or of the state; nothing is emitted after it
	stop  func() // called once there is an error
}

func newEmitter(cfg *Config, state *State, stop func()) *emitter {
	e := &emitter{cfg: cfg, state: state, stop: stop}
	var pairs []string
	for _, s := range cfg.Secrets {
		// A short one is a word of everyday use, and no key.
		if len(s) < 8 {
			continue
		}
		quoted, _ := json.Marshal(s)
		e.secrets = append(e.secrets, string(quoted[1:len(quoted)-1]))
		pairs = append(pairs, s, Redacted)
	}
	e.plain = strings.NewReplacer(pairs...)
	return e
}

// emit passes an event on and, unless it is live, stores it. After a failure it
// does nothing but return the first error.
func (e *emitter) emit(ev Event) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return e.err
	}
	ev.Time = e.cfg.Now().UTC().Truncate(time.Millisecond)
	if ev.Event == EventSession {
		ev.Version = LogVersion
	}
	if e.state.Session != "" {
		ev.Session = e.state.Session
	}
	if ev.Step == 0 {
		ev.Step = e.state.Step
	}
	ev = e.redact(ev)
	if err := e.pass(ev); err != nil {
		e.err = err
		e.stop()
	}
	return e.err
}

func (e *emitter) pass(ev Event) error {
	if ev.Event.Live() {
		return e.cfg.Sink.Emit(ev)
	}
	return Record(e.state, e.cfg.Sink, ev)
}

// Record numbers an event, applies it to the state and stores it. It is for what
// happens to a session between its runs, such as an undo. The state is of no use
// any more after an error.
func Record(state *State, sink Sink, ev Event) error {
	ev.Seq = state.Seq + 1
	if err := state.Apply(ev); err != nil {
		return err
	}
	return sink.Emit(ev)
}

// redactText replaces the secrets in text.
func (e *emitter) redactText(s string) string { return e.plain.Replace(s) }

// redact replaces the secrets in the event.
func (e *emitter) redact(ev Event) Event {
	if len(e.secrets) == 0 {
		return ev
	}
	raw, err := json.Marshal(ev)
	if err != nil {
		return ev // and the sink will say so
	}
	found := false
	for _, s := range e.secrets {
		if bytes.Contains(raw, []byte(s)) {
			raw, found = []byte(strings.ReplaceAll(string(raw), s, Redacted)), true
		}
	}
	if !found {
		return ev
	}
	var clean Event
	if json.Unmarshal(raw, &clean) != nil {
		return Event{Event: ev.Event, Session: ev.Session, Time: ev.Time, Step: ev.Step, Text: Redacted}
	}
	return clean
}

// failure is the first error of a sink.
func (e *emitter) failure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}
