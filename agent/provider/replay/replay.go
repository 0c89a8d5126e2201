// Package replay plays a recorded session: it answers each request with the
// message that comes next in the recording. It needs no key and no network, so
// that the whole agent can be tried, shown and tested.
//
// # The recording
//
// A recording is the log of a session, as topo agent export --format jsonl writes
// it: one event a line (see [agent.Event]). Of these kinds it takes what is named
// and skips the rest:
//
//	session     Model
//	prompt      Message: its text is the title
//	message     Message, Stop and Usage: what is played
//	results     Message: which calls had failed
//
// What always holds:
//
//   - What is played depends on the request alone: a session can be
//     stopped, resumed and forked.
//   - A message is played only when the session went the way of the recording: the
//     calls before it were answered, and failed or not as they did then. Otherwise
//     the request fails and says where the ways parted. A recorded "the tests
//     pass" is never said of tests that were not run.
package replay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// Name is the provider's name.
const Name = "replay"

// Limits of a recording, in bytes of a line and in messages.
const (
	maxLine  = 16 << 20
	maxTurns = 10_000
)

// Recording is what can be played.
type Recording struct {
	Title string // the task of the recorded session
	Model string
	Turns []Turn
}

// Turn is one message and how its calls went.
type Turn struct {
	Message agent.Message
	Stop    agent.StopReason
	Usage   agent.Usage
	Failed  map[string]bool // by id of the call; nil when the recording ends before the results
}

// Read reads a recording. Errors name the line.
func Read(r io.Reader) (rec Recording, err error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	n := 0
	for sc.Scan() {
		n++
		if line := strings.TrimSpace(sc.Text()); line != "" {
			if err := rec.add([]byte(line)); err != nil {
				return rec, fmt.Errorf("recording, line %d: %w", n, err)
			}
		}
	}
	if err := sc.Err(); err != nil {
		return rec, fmt.Errorf("recording, after line %d: %w", n, err)
	}
	if len(rec.Turns) == 0 {
		return rec, errors.New("recording: no message in it; is it the log of a session?")
	}
	return rec, nil
}

// add takes one event.
func (rec *Recording) add(line []byte) error {
	var e agent.Event
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	switch {
	case e.Event == agent.EventSession && e.Version > agent.LogVersion:
		return fmt.Errorf("version %d of the log is newer than %d, which this build reads; use a newer topo", e.Version, agent.LogVersion)
	case e.Event == agent.EventSession:
		rec.Model = e.Model
	case e.Event == agent.EventPrompt && e.Message != nil && rec.Title == "":
		rec.Title = e.Message.Text()
	case e.Event == agent.EventMessage && e.Message != nil:
		if len(rec.Turns) >= maxTurns {
			return fmt.Errorf("more than %d messages", maxTurns)
		}
		t := Turn{Message: *e.Message, Stop: e.Stop}
		if e.Usage != nil {
			t.Usage = *e.Usage
		}
		rec.Turns = append(rec.Turns, t)
	case e.Event == agent.EventResults && e.Message != nil && len(rec.Turns) > 0:
		failed := map[string]bool{}
		for _, b := range e.Message.Blocks {
			if b.Result != nil {
				failed[b.Result.ID] = b.Result.IsError
			}
		}
		rec.Turns[len(rec.Turns)-1].Failed = failed
	}
	return nil
}

// Provider plays a recording. It is safe for use by several goroutines.
type Provider struct {
	rec Recording

	// Pace is how long each word takes; 0 plays at once.
	Pace time.Duration
}

// New makes a provider of a recording.
func New(rec Recording) *Provider { return &Provider{rec: rec} }

// Name returns "replay".
func (p *Provider) Name() string { return Name }

// Stream plays the message that follows the request's transcript.
func (p *Provider) Stream(ctx context.Context, req agent.Request, emit func(agent.Delta)) (agent.Response, error) {
	if err := ctx.Err(); err != nil {
		return agent.Response{}, err
	}
	n, err := p.rec.next(req.Messages)
	if err != nil {
		return agent.Response{}, &agent.ProviderError{Provider: Name, Kind: agent.ErrRequest, Message: err.Error(), Err: err}
	}
	t := p.rec.Turns[n]
	d := wire.NewDraft(req.Messages, emit)
	for i, b := range t.Message.Blocks {
		if err := p.block(ctx, d, i, b); err != nil {
			return agent.Response{}, err
		}
	}
	usage := t.Usage
	usage.USD = new(float64) // playing costs nothing
	return d.Response(t.Stop, usage, p.rec.Model), nil
}

// block plays one block in words.
func (p *Provider) block(ctx context.Context, d *wire.Draft, place int, b agent.Block) error {
	switch {
	case b.Call != nil:
		input := string(b.Call.Input)
		if b.Call.Invalid != "" {
			input = "(" + b.Call.Invalid
		}
		d.OpenCall(place, b.Call.ID, b.Call.Name).Add(input)
	case b.Kind == agent.BlockText || b.Kind == agent.BlockThinking || b.Kind == agent.BlockRedacted:
		part := d.Open(place, b.Kind)
		for word := range strings.SplitAfterSeq(b.Text, " ") {
			if err := p.wait(ctx); err != nil {
				return err
			}
			part.Add(word)
		}
		part.Sign(b.Signature)
	}
	return ctx.Err()
}

func (p *Provider) wait(ctx context.Context) error {
	if p.Pace <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(p.Pace)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
