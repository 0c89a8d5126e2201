package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/host"
	"github.com/topo-dev/topo/face/term"
)

// runAgent plays one turn of a session.
func runAgent(ctx context.Context, o *agentOptions) error {
	answer, err := o.answer()
	if err != nil {
		return err
	}
	t, h, err := o.task(ctx)
	if err != nil {
		return err
	}
	t.Answer = answer
	if o.Recording != "" && (o.Provider == host.Replay || o.Resume != "") {
		file, err := os.Open(o.Recording)
		if err != nil {
			return usagef("--recording %s: %w; give a file that topo agent export --as jsonl wrote", o.Recording, rootCause(err))
		}
		defer file.Close()
		t.Model.Recording = file
	}
	id, err := o.session(h)
	if err != nil {
		return err
	}
	if o.fork && t.Prompt == "" {
		_, err = fmt.Fprintln(o.f.out, id)
		return err
	}
	face := struct {
		agent.Sink
		agent.Asker
	}{o.shown(answer != nil), term.NewTerminal(o.f.err, o.f.errTTY)}
	var r host.Result
	if id == "" {
		r, err = h.Run(ctx, t, face)
	} else {
		r, err = h.Resume(ctx, id, t, face)
	}
	if err != nil {
		return o.runError(r.Session, err)
	}
	if answer != nil && r.Outcome == agent.OutcomeDone {
		if _, err := fmt.Fprintln(o.f.out, r.Text); err != nil {
			return err
		}
	}
	return ending(r)
}

// session is the session to go on with, which may be a fork; empty for a new one.
func (o *agentOptions) session(h *host.Host) (id string, err error) {
	if o.Resume == "" {
		return "", nil
	}
	if id, err = resolveSession(h, o.Resume); err == nil && o.fork {
		id, err = h.Fork(id, o.step)
	}
	return id, hostError(err)
}

// task reads what the run is about, and where.
func (o *agentOptions) task(ctx context.Context) (t host.Task, h *host.Host, err error) {
	root, err := o.demo()
	if err != nil {
		return t, nil, err
	}
	g, err := o.readGiven(ctx)
	if err != nil {
		return t, nil, err
	}
	switch {
	case root != "":
		root, err = o.f.settleStream(root)
	case g.given != nil:
		root, err = o.f.settleStream(g.given.Header.Root)
	default:
		root, err = o.f.settle("")
	}
	if err != nil {
		return t, nil, err
	}
	if h, err = o.f.openHost(ctx, root); err != nil {
		return t, nil, err
	}
	if t.Context, t.Prompt, err = o.contextOf(ctx, g); err != nil {
		return t, nil, err
	}
	if t.Prompt == "" && o.Resume == "" {
		return t, nil, usagef(`task: none given; say what is to be done, as in: topo agent "fix the failing login"`)
	}
	preset := host.Default
	switch {
	case o.ReadOnly:
		preset = host.ReadOnly
	case o.Yes:
		preset = host.Yes
	}
	if t.Rights, err = host.NewRights(preset, o.Allow, o.Deny); err != nil {
		return t, nil, hostError(err)
	}
	t.Model = host.Model{Provider: o.Provider, Name: o.Model, BaseURL: o.BaseURL, Effort: o.Effort, Window: o.Window}
	t.Limits = agent.Limits{Steps: o.MaxSteps, Time: o.Timeout, Tokens: o.BudgetTokens, USD: o.BudgetUSD}
	t.Sandbox = host.Sandbox(o.Sandbox)
	return t, h, nil
}

// demo prepares the session that comes with topo, when that is what is asked for:
// a copy of the little repository it works on, with the right to change it. It
// returns the folder; empty when another root or recording was named.
func (o *agentOptions) demo() (dir string, err error) {
	if o.Provider != host.Replay || o.Recording != "" || o.Resume != "" || o.f.isRootNamed() {
		return "", nil
	}
	if dir, err = os.MkdirTemp("", "topo-demo-"); err == nil {
		o.Task, err = host.WriteDemo(dir)
	}
	if err != nil {
		return "", envf("demo: %w", err)
	}
	o.Yes, o.ReadOnly = true, false
	o.f.notef("this is a recorded session; its tools work for real, in %s; look at it with: topo agent diff --root %s", dir, dir)
	return dir, nil
}

// shown shows the events on standard output; on standard error when that holds the
// answer alone.
func (o *agentOptions) shown(answerOnly bool) agent.Sink {
	notes := o.f.err
	if o.f.quiet {
		notes = nil
	}
	switch {
	case answerOnly && notes == nil:
		return term.NewView(io.Discard, nil, false)
	case answerOnly:
		return term.NewView(o.f.err, notes, false)
	case o.f.outputFormat() == "human":
		return term.NewView(o.f.out, notes, o.f.color())
	}
	return lines{o.f.out}
}

// runError says in the words of the command line why there was no run.
func (o *agentOptions) runError(id string, err error) error {
	var e *host.OptionError
	switch {
	case errors.Is(err, host.ErrNoProvider):
		return usagef("%w, or name one with --provider (topo describe lists them); --provider replay shows a recorded session without a key", err)
	case errors.Is(err, host.ErrReadOnlySession):
		return usagef("--yes: session %s only reads, as it was begun with --read-only; fork it to go on otherwise", id)
	case errors.As(err, &e) && e.Option == "recording":
		return usagef("--recording %s: %w", o.Recording, e.Err)
	}
	return hostError(err)
}

// ending is the error that a run's outcome gives; nil when it is done. The
// provider's error, if any, is in it.
func ending(r host.Result) error {
	text := r.Text
	if r.Outcome == agent.OutcomeLimit || r.Outcome == agent.OutcomeFailed {
		text += fmt.Sprintf("; go on with: topo agent --resume %s", r.Session)
	}
	err := fmt.Errorf("agent: %s: %s", r.Outcome, text)
	var remote *agent.ProviderError
	var wrong *agent.AnswerError
	switch {
	case r.Outcome == agent.OutcomeDone:
		return nil
	case r.Outcome == agent.OutcomeLimit:
		return limitError{err}
	case r.Outcome == agent.OutcomeRefused:
		return refuseError{err}
	case r.Outcome == agent.OutcomeCancelled:
		return context.Canceled
	case errors.As(r.Err, &wrong):
		return checkError{err}
	case errors.As(r.Err, &remote) && remote.Provider == host.Replay:
		return usageError{err}
	case errors.As(r.Err, &remote):
		return remoteError{err}
	}
	return envError{err}
}
