package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// State is a session at one moment: what its events so far add up to. The loop
// and a resumed log both get it by [State.Apply] alone: what is sent to
// a model is what was stored.
type State struct {
	Session, Parent string
	Root            string
	Provider, Model string
	Seq             int64 // of the last stored event
	Step            int   // of the last request
	Messages        []Message
	Usage           Usage    // the sum over the session
	Rules           []string // granted so far, in the order of being granted
	Stop            StopReason
	Outcome         Outcome // of the last run; empty while one is under way

	prompts []string       // what the user asked, also what compaction removed
	notices []string       // for the model, once its calls are answered
	touched []string       // files that were written in messages that compaction removed
	todo    string         // the last list of the todo tool
	calls   []*pendingCall // of the last assistant message, until they are answered
	counted int            // tokens of the transcript up to the last assistant message, as the provider counted
	since   int            // bytes of the transcript after that
}

// pendingCall is a call that the transcript has no result for yet.
type pendingCall struct {
	call    Call
	started bool
	result  *CallResult
}

// Apply adds an event. It fails, and leaves the state as it was, on an event
// that cannot follow: a log that was tampered with or cut in the middle.
func (s *State) Apply(e Event) error {
	if e.Event.Live() {
		return nil
	}
	if e.Seq != s.Seq+1 {
		return fmt.Errorf("event %d follows event %d", e.Seq, s.Seq)
	}
	if err := s.apply(e); err != nil {
		return fmt.Errorf("event %d: %s: %w", e.Seq, e.Event, err)
	}
	s.Seq = e.Seq
	return nil
}

func (s *State) apply(e Event) error {
	switch e.Event {
	case EventSession:
		s.Session, s.Parent, s.Root, s.Provider, s.Model = e.Session, e.Parent, e.Root, e.Provider, e.Model
		s.Outcome = ""
		s.grant(e.Rules)
	case EventPrompt, EventResults:
		return s.applyUser(e)
	case EventContext:
		if len(s.calls) > 0 {
			return errUnanswered
		}
		s.add(UserText(e.Text))
	case EventUndone:
		s.notices = append(s.notices, e.Text)
		s.notify()
	case EventStep:
		s.Step = e.Step
	case EventMessage:
		return s.applyAssistant(e)
	case EventPermission:
		s.grant(e.Rules)
	case EventCallStart, EventCallEnd, EventRecovered:
		return s.applyCall(e)
	case EventCompaction:
		return s.applyCompaction(e)
	case EventEnd:
		s.Outcome = e.Outcome
	}
	return nil
}

func (s *State) grant(rules []string) {
	for _, r := range rules {
		if !slices.Contains(s.Rules, r) {
			s.Rules = append(s.Rules, r)
		}
	}
}

// notify informs the model of what happened between runs, as soon as the
// transcript can take it.
func (s *State) notify() {
	if len(s.calls) > 0 || len(s.Messages) == 0 {
		return
	}
	for _, n := range s.notices {
		s.add(UserText(n))
	}
	s.notices = nil
}

var errUnanswered = errors.New("tool calls before it have no results")

func (s *State) applyUser(e Event) error {
	if e.Message == nil || e.Message.Role != User || len(e.Message.Blocks) == 0 {
		return errors.New("no user message")
	}
	if err := checkUser(*e.Message, s.pending()); err != nil {
		return err
	}
	s.remember(*e.Message)
	s.calls = nil
	if e.Event == EventPrompt {
		s.prompts = append(s.prompts, e.Message.Text())
	}
	s.add(*e.Message)
	s.notify()
	return nil
}

// todoTool is the name of the tool whose last list outlives compaction.
const todoTool = "todo"

// remember keeps the list of what is to be done.
func (s *State) remember(m Message) {
	for _, b := range m.Blocks {
		for _, p := range s.calls {
			if b.Result != nil && b.Result.ID == p.call.ID && p.call.Name == todoTool && !b.Result.IsError {
				s.todo = b.Result.Content
			}
		}
	}
}

func (s *State) applyAssistant(e Event) error {
	switch {
	case e.Message == nil || e.Message.Role != Assistant:
		return errors.New("no assistant message")
	case len(s.calls) > 0:
		return errUnanswered
	case len(s.Messages) == 0:
		return errors.New("an answer before any question")
	}
	m := answered(*e.Message)
	if err := checkAssistant(m); err != nil {
		return err
	}
	for _, c := range m.Calls() {
		s.calls = append(s.calls, &pendingCall{call: c})
	}
	s.Stop = e.Stop
	s.add(m)
	s.counted, s.since = 0, transcriptBytes(s.Messages)
	if e.Usage != nil {
		s.Usage.Add(*e.Usage)
		if n := e.Usage.Total(); n > 0 {
			s.counted, s.since = n, 0
		}
	}
	return nil
}

// answered gives a message that says nothing a text, since no provider takes
// one without.
func answered(m Message) Message {
	for _, b := range m.Blocks {
		if b.Kind == BlockCall || b.Kind == BlockText && b.Text != "" {
			return m
		}
	}
	m.Blocks = append(slices.Clip(m.Blocks), Block{Kind: BlockText, Text: "(no answer)"})
	return m
}

func (s *State) applyCall(e Event) error {
	id := ""
	switch {
	case e.Call != nil:
		id = e.Call.ID
	case e.Result != nil:
		id = e.Result.ID
	default:
		return errors.New("no call")
	}
	for _, c := range s.calls {
		if c.call.ID != id {
			continue
		}
		switch e.Event {
		case EventCallStart:
			c.started = true
		case EventCallEnd:
			c.result = e.Result
		}
		return nil
	}
	return fmt.Errorf("call %q is not one of those under way", id)
}

func (s *State) applyCompaction(e Event) error {
	if len(s.calls) > 0 {
		return errUnanswered
	}
	if err := ValidTranscript(e.Messages); err != nil {
		return err
	}
	s.Messages, s.touched = slices.Clone(e.Messages), slices.Clone(e.Paths)
	s.counted, s.since = 0, transcriptBytes(s.Messages)
	if e.Usage != nil {
		s.Usage.Add(*e.Usage)
	}
	return nil
}

// add appends a message, or joins it to the last one of the same role: roles
// alternate in a transcript.
func (s *State) add(m Message) {
	s.since += messageBytes(m)
	if n := len(s.Messages); n > 0 && s.Messages[n-1].Role == m.Role {
		last := s.Messages[n-1]
		last.Blocks = append(slices.Clip(last.Blocks), m.Blocks...)
		s.Messages = append(slices.Clip(s.Messages[:n-1]), last)
		return
	}
	s.Messages = append(s.Messages, m)
}

// pending lists the calls that have no result in the transcript yet.
func (s *State) pending() (calls []Call) {
	for _, c := range s.calls {
		calls = append(calls, c.call)
	}
	return calls
}

// bytesPerToken is low: the estimate errs to the side of compacting
// too early: code has 3 to 4 bytes a token in the vocabularies in use.
const bytesPerToken = 3

// contextTokens estimates the size of the transcript in tokens: what the
// provider counted last, and what came since by its bytes.
func (s *State) contextTokens() int { return s.counted + s.since/bytesPerToken }

func transcriptBytes(messages []Message) (n int) {
	for _, m := range messages {
		n += messageBytes(m)
	}
	return n
}

func messageBytes(m Message) (n int) {
	for _, b := range m.Blocks {
		n += 8 + len(b.Text) + len(b.Signature)
		if b.Call != nil {
			n += len(b.Call.ID) + len(b.Call.Name) + len(b.Call.Input)
		}
		if b.Result != nil {
			n += len(b.Result.ID) + len(b.Result.Content)
		}
	}
	return n
}

// isObject reports whether raw is a JSON object.
func isObject(raw json.RawMessage) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal(raw, &m) == nil && m != nil
}
