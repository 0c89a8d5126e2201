package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/session"
	"github.com/topo-dev/topo/agent/snapshot"
	"github.com/topo-dev/topo/agent/spill"
	"github.com/topo-dev/topo/agent/structured"
)

// runAgent plays one turn of a session.
func runAgent(ctx context.Context, o *agentOptions) error {
	checker, err := o.checker()
	if err != nil {
		return err
	}
	turn, p, err := o.turn(ctx)
	if err != nil {
		return err
	}
	now, fixed, err := o.f.clock()
	if err != nil {
		return err
	}
	log, state, id, err := o.session(p, func() (string, *session.Log, error) { return p.create(now(), fixed) }, turn.Prompt)
	if err != nil || log == nil {
		return err
	}
	defer func() {
		if state.Seq == 0 { // nothing happened in it
			p.sessions.Discard(id)
		}
		log.Close()
	}()
	cfg, err := o.config(state, checker, now, fixed)
	if err != nil {
		return err
	}
	turn.Session = agent.Event{Session: id, Root: p.root, Provider: cfg.Provider.Name(), Model: cfg.Model}
	w, err := o.work(ctx, p, id, &cfg, &turn)
	if err != nil {
		return err
	}
	defer w.Close()
	cfg.Sink = sinks{log, p.granting(id), w, o.face(checker != nil)}
	end, err := agent.Run(ctx, cfg, state, turn)
	if err != nil {
		return envError{err}
	}
	if checker != nil && end.Outcome == agent.OutcomeDone {
		if _, err := fmt.Fprintln(o.f.out, end.Text); err != nil {
			return err
		}
	}
	return ending(id, end)
}

// config is what the flags say of the run.
func (o *agentOptions) config(state *agent.State, checker *structured.Checker, now func() time.Time, fixed bool) (agent.Config, error) {
	model, err := o.model(state)
	if err != nil {
		return agent.Config{}, err
	}
	cfg := agent.Config{Provider: model.provider, Model: model.name, System: agent.SystemPrompt(), Window: model.window, Effort: o.Effort,
		Limits: agent.Limits{Steps: o.MaxSteps, Time: o.Timeout, Tokens: o.BudgetTokens, USD: o.BudgetUSD},
		Asker:  newTerminal(o.f), Now: now, Secrets: secrets(o.f, model.secret)}
	if fixed {
		cfg.Parallel = 1
	}
	if checker != nil {
		cfg.Schema, cfg.Check = checker.Schema(), checker.Check
	}
	return cfg, nil
}

// turn reads what the run is about, and where.
func (o *agentOptions) turn(ctx context.Context) (turn agent.Turn, p *agentPlace, err error) {
	root, err := o.demo()
	if err != nil {
		return turn, nil, err
	}
	g, err := o.readGiven(ctx)
	if err != nil {
		return turn, nil, err
	}
	if g.given != nil && root == "" {
		root = g.given.Header.Root
	}
	if root, err = o.f.settle(root); err != nil {
		return turn, nil, err
	}
	if p, err = o.f.agentPlace(root); err != nil {
		return turn, nil, err
	}
	if o.Resume == "" {
		if c, ok := instructions(p.root); ok {
			turn.Context = append(turn.Context, c)
		}
	}
	more, task, err := o.contextOf(ctx, g)
	if err != nil {
		return turn, nil, err
	}
	turn.Context, turn.Prompt = append(turn.Context, more...), task
	if task == "" && o.Resume == "" {
		return turn, nil, usagef(`task: none given; say what is to be done, as in: topo agent "fix the failing login"`)
	}
	return turn, p, nil
}

// session opens the session of the run: a new one, one to go on with, or a copy.
// Without a log there is nothing to run.
func (o *agentOptions) session(p *agentPlace, create func() (string, *session.Log, error), task string) (*session.Log, *agent.State, string, error) {
	if err := p.prepare(); err != nil {
		return nil, nil, "", err
	}
	if o.Resume == "" {
		id, log, err := create()
		if err != nil {
			return nil, nil, "", envError{err}
		}
		return log, &agent.State{}, id, nil
	}
	id, err := p.resolve(o.Resume)
	if err != nil {
		return nil, nil, "", err
	}
	if o.fork {
		return o.forked(p, id, task)
	}
	log, state, err := p.sessions.Resume(id)
	if err != nil {
		return nil, nil, "", envError{err}
	}
	return log, state, id, nil
}

// forked copies a session. Without a task its name is all that is wanted.
func (o *agentOptions) forked(p *agentPlace, from, task string) (log *session.Log, state *agent.State, id string, err error) {
	now, fixed, err := o.f.clock()
	if err != nil {
		return nil, nil, "", err
	}
	id, err = p.newSession(now(), fixed, func(id string) (err error) {
		log, state, err = p.sessions.Fork(from, id, o.step)
		return err
	})
	if err != nil {
		return nil, nil, "", usageError{err}
	}
	if p.grants != nil {
		if err := p.grants.Copy(from, id, p.root); err != nil {
			log.Close()
			return nil, nil, "", envError{err}
		}
	}
	if task == "" {
		log.Close()
		_, err = fmt.Fprintln(o.f.out, id)
		return nil, nil, "", err
	}
	return log, state, id, nil
}

// create begins a session.
func (p *agentPlace) create(now time.Time, fixed bool) (id string, log *session.Log, err error) {
	id, err = p.newSession(now, fixed, func(id string) (err error) {
		log, err = p.sessions.Create(id)
		return err
	})
	return id, log, err
}

// granting is a sink that keeps the rules that a person grants.
func (p *agentPlace) granting(id string) agent.Sink {
	return sinkFunc(func(e agent.Event) error {
		if p.grants == nil || e.Event != agent.EventPermission || len(e.Rules) == 0 {
			return nil
		}
		return p.grants.Add(id, p.root, e.Rules)
	})
}

// sinkFunc is a function as a sink.
type sinkFunc func(agent.Event) error

// Emit calls the function.
func (s sinkFunc) Emit(e agent.Event) error { return s(e) }

// face shows the events on standard output; on standard error when that holds
// the answer alone.
func (o *agentOptions) face(answerOnly bool) agent.Sink {
	notes := o.f.err
	if o.f.quiet {
		notes = nil
	}
	switch {
	case answerOnly && notes == nil:
		return sinkFunc(func(agent.Event) error { return nil })
	case answerOnly:
		return newView(o.f.err, notes, false)
	case o.f.outputFormat() == "human":
		return newView(o.f.out, notes, o.f.color())
	}
	return lines{o.f.out}
}

// lazySnapshots opens the store of the snapshots when the first is taken, since
// most questions change nothing.
type lazySnapshots struct {
	p     *agentPlace
	store *snapshot.Store
}

// Snapshot records the tree.
func (l *lazySnapshots) Snapshot(ctx context.Context, label string) (id string, skipped []string, err error) {
	if l.store == nil {
		l.store, err = snapshot.Open(ctx, snapshot.Options{Root: l.p.root, Dir: filepath.Join(l.p.cache, snapshotFolder)})
		if err != nil {
			return "", nil, err
		}
	}
	return l.store.Snapshot(ctx, label)
}

// keepOutputs stores outputs that are too long to be shown whole.
func keepOutputs(store *spill.Store) func(agent.Call, string) (string, string) {
	return func(_ agent.Call, text string) (shown, handle string) {
		shown, handle, err := store.Cap(text, maxShownOutput)
		if err != nil {
			shown = spill.Cap(text, "", maxShownOutput)
		}
		return shown, handle
	}
}

// maxShownOutput is how much of a call's output the model reads, in bytes: about
// 8,000 tokens.
const maxShownOutput = 24 << 10
