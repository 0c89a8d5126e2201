package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// request sends the transcript and returns the answer. Without an answer and
// without an end the transcript has changed and the request is to be made again.
func (l *loop) request(ctx context.Context) (*Response, *End) {
	l.steps++
	if l.emit(Event{Event: EventStep, Step: l.state.Step + 1}) != nil {
		return nil, nil
	}
	resp, err := l.stream(ctx, l.newRequest(l.state.Messages), l.delta)
	if err == nil {
		l.full = 0
		return &resp, nil
	}
	if end := ended(ctx); end != nil {
		return nil, end
	}
	var pe *ProviderError
	if errors.As(err, &pe) && pe.Kind == ErrContext {
		if l.full++; l.full <= maxFull {
			l.note("the transcript is longer than the model's context window; shortening it")
			l.compact(ctx)
			return nil, nil
		}
	}
	return nil, &End{Outcome: OutcomeFailed, Text: err.Error(), Err: err}
}

func (l *loop) newRequest(messages []Message) Request {
	return Request{Model: l.cfg.Model, System: l.cfg.System, Tools: l.specs, Messages: messages,
		MaxTokens: l.cfg.MaxTokens, Effort: l.cfg.Effort, Schema: l.cfg.Schema}
}

// stream asks the provider. A panic in it is an error: the transcript must not
// be lost over it.
func (l *loop) stream(ctx context.Context, req Request, emit func(Delta)) (resp Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: the provider failed: %v", l.cfg.Provider.Name(), p)
		}
	}()
	return l.cfg.Provider.Stream(ctx, req, emit)
}

// delta passes a piece of the answer on.
func (l *loop) delta(d Delta) {
	switch d.Kind {
	case DeltaText:
		l.emit(Event{Event: EventText, Text: d.Text})
	case DeltaThinking:
		l.emit(Event{Event: EventThinking, Text: d.Text})
	case DeltaCall:
		l.emit(Event{Event: EventCallDraft, Call: &Call{ID: d.ID, Name: d.Name, Input: json.RawMessage("{}")}})
	case DeltaReset:
		l.emit(Event{Event: EventReset, Text: d.Reason})
	case DeltaRetry:
		l.emit(Event{Event: EventRetry, Attempt: d.Attempt, WaitMs: d.Wait.Milliseconds(), Text: d.Reason})
	}
}

// accept stores the answer in the form that transcripts have: calls with IDs of
// their own and objects as inputs, whatever the provider passed on.
func (l *loop) accept(resp Response) Message {
	m := resp.Message
	m.Role, m.Blocks = Assistant, slices.Clone(m.Blocks)
	taken := map[string]bool{}
	for _, old := range l.state.Messages {
		for _, c := range old.Calls() {
			taken[c.ID] = true
		}
	}
	m.Blocks = slices.DeleteFunc(m.Blocks, func(b Block) bool {
		return b.Kind == BlockResult || b.Kind == BlockCall && b.Call == nil
	})
	for i, b := range m.Blocks {
		if b.Kind != BlockCall {
			continue
		}
		c := *b.Call
		if !isObject(c.Input) {
			c.Input, c.Invalid = json.RawMessage("{}"), orElse(c.Invalid, "the input is no JSON object")
		}
		for n := 2; c.ID == "" || taken[c.ID]; n++ {
			c.ID = fmt.Sprintf("%s_%d", orElse(b.Call.ID, "call"), n)
		}
		taken[c.ID] = true
		m.Blocks[i].Call = &c
	}
	usage := resp.Usage
	l.usage.Add(usage)
	model := resp.Model
	l.emit(Event{Event: EventMessage, Message: &m, Stop: resp.Stop, Usage: &usage, Model: model})
	return m
}
