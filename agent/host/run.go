package host

import (
	"context"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/session"
	"github.com/topo-dev/topo/agent/structured"
)

// Task is what a run is to do, with whom and within what limits.
type Task struct {
	Prompt  string          // empty goes on where a session stopped
	Context []agent.Context // given with the prompt; the repository's instructions come along by themselves
	Model   Model
	Limits  agent.Limits
	Rights  Rights
	Sandbox Sandbox
	Answer  *Answer // what the answer has to keep to, see [ParseSchema]; nil is text
}

// Answer checks an answer against a JSON schema.
type Answer = structured.Checker

// ParseSchema reads a JSON schema for [Task].Answer.
func ParseSchema(schema []byte) (*Answer, error) { return structured.New(schema) }

// Face shows a run and answers its questions: a terminal, an editor, a browser, or
// nobody.
type Face interface {
	// Emit gets each event in order, stored ones after they are stored. An error
	// ends the run.
	agent.Sink
	// Ask is asked what the rights leave to a person. [agent.ErrNobody] denies.
	agent.Asker
}

// Result is how a run ended, and its session.
type Result struct {
	Session string
	agent.End
}

// Run begins a session and works on the task until it is done or something ends
// it. The error is for a run that could not be made or stored; how one ended is in
// the result.
func (h *Host) Run(ctx context.Context, t Task, f Face) (Result, error) {
	if err := h.prepare(); err != nil {
		return Result{}, err
	}
	var log *session.Log
	id, err := h.newSession(func(id string) (err error) {
		log, err = h.sessions.Create(id)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	if c, ok := instructions(h.root, h.o.mask()); ok {
		t.Context = append([]agent.Context{c}, t.Context...)
	}
	return h.play(ctx, id, log, &agent.State{}, t, f)
}

// Resume goes on with a session, whatever ended it. Calls that were under way are
// told to the model and not made again.
func (h *Host) Resume(ctx context.Context, name string, t Task, f Face) (Result, error) {
	id, err := h.Resolve(name)
	if err != nil {
		return Result{}, err
	}
	log, state, err := h.sessions.Resume(id)
	if err != nil {
		return Result{}, err
	}
	return h.play(ctx, id, log, state, t, f)
}

// play plays one turn of a session and closes its log.
func (h *Host) play(ctx context.Context, id string, log *session.Log, state *agent.State, t Task, f Face) (r Result, err error) {
	defer func() {
		if state.Seq == 0 { // nothing happened in it
			h.sessions.Discard(id)
		}
		log.Close()
	}()
	r.Session = id
	model, err := h.open(t.Model, state)
	if err != nil {
		return r, err
	}
	cfg := agent.Config{Provider: model.client, Model: model.name, System: agent.SystemPrompt(), Window: model.window,
		Effort: t.Model.Effort, Limits: t.Limits, Asker: f, Now: h.now, Secrets: h.secrets(model.secret)}
	if h.fixed() {
		cfg.Parallel = 1
	}
	if t.Answer != nil {
		cfg.Schema, cfg.Check = t.Answer.Schema(), t.Answer.Check
	}
	turn := agent.Turn{Prompt: t.Prompt, Context: t.Context,
		Session: agent.Event{Session: id, Root: h.root, Provider: cfg.Provider.Name(), Model: cfg.Model}}
	w, err := h.work(ctx, id, t, &cfg, &turn)
	if err != nil {
		return r, err
	}
	defer w.Close()
	cfg.Sink = sinks{log, h.granting(id), w, f}
	r.End, err = agent.Run(ctx, cfg, state, turn)
	return r, err
}

// granting is a sink that keeps the rules that a person grants.
func (h *Host) granting(id string) agent.Sink {
	return sinkFunc(func(e agent.Event) error {
		if e.Event != agent.EventPermission || len(e.Rules) == 0 {
			return nil
		}
		return h.grants.Add(id, h.root, e.Rules)
	})
}

// sinkFunc is a function as a sink.
type sinkFunc func(agent.Event) error

// Emit calls the function.
func (s sinkFunc) Emit(e agent.Event) error { return s(e) }

// sinks passes an event to each in turn, until one fails.
type sinks []agent.Sink

// Emit passes the event on.
func (s sinks) Emit(e agent.Event) error {
	for _, sink := range s {
		if err := sink.Emit(e); err != nil {
			return err
		}
	}
	return nil
}
