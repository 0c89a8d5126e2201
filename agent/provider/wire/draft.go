package wire

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/topo-dev/topo/agent"
)

// Draft is an assistant message that is still being received. It passes on the
// pieces and puts the message together.
type Draft struct {
	emit  func(agent.Delta)
	taken map[string]bool // ids of calls in the transcript and in this message
	parts []*Part
	calls int
}

// Part is a block of a draft.
type Part struct {
	draft *Draft
	kind  agent.BlockKind
	order int // place within the message
	index int // of a call, among the calls
	id    string
	name  string
	sign  strings.Builder
	text  strings.Builder // also the input of a call
}

// NewDraft begins a message that answers the transcript.
func NewDraft(transcript []agent.Message, emit func(agent.Delta)) *Draft {
	d := &Draft{emit: emit, taken: map[string]bool{}}
	for _, m := range transcript {
		for _, b := range m.Blocks {
			if b.Call != nil {
				d.taken[b.Call.ID] = true
			}
		}
	}
	return d
}

// Open begins a block of text, thinking or redacted thinking at a place of the
// message. Places need not come in order, and may have gaps.
func (d *Draft) Open(place int, kind agent.BlockKind) *Part {
	p := &Part{draft: d, kind: kind, order: place}
	d.parts = append(d.parts, p)
	return p
}

// OpenCall begins a tool call. An id that is missing, or that a call before it
// has, is replaced by a fresh one.
func (d *Draft) OpenCall(place int, id, name string) *Part {
	p := d.Open(place, agent.BlockCall)
	p.index, p.name, p.id = d.calls, name, id
	d.calls++
	for n := len(d.taken) + 1; p.id == "" || d.taken[p.id]; n++ {
		p.id = fmt.Sprintf("call_%d", n)
	}
	d.taken[p.id] = true
	d.emit(agent.Delta{Kind: agent.DeltaCall, Index: p.index, ID: p.id, Name: name})
	return p
}

// Add appends a piece of text, of thinking, or of a call's input.
func (p *Part) Add(s string) {
	if s == "" {
		return
	}
	p.text.WriteString(s)
	switch p.kind {
	case agent.BlockText:
		p.draft.emit(agent.Delta{Kind: agent.DeltaText, Text: s})
	case agent.BlockThinking:
		p.draft.emit(agent.Delta{Kind: agent.DeltaThinking, Text: s})
	case agent.BlockCall:
		p.draft.emit(agent.Delta{Kind: agent.DeltaInput, Index: p.index, Text: s})
	}
}

// Sign appends to the signature of thinking, or to the data of redacted
// thinking.
func (p *Part) Sign(s string) { p.sign.WriteString(s) }

// Len is the number of bytes that Add was given.
func (p *Part) Len() int { return p.text.Len() }

// Complete reports whether the input of a call is valid JSON so far.
func (p *Part) Complete() bool { return json.Valid([]byte(p.text.String())) }

// Response is the message as it ended. A reason to stop that does not fit the
// message is mended: servers say "stop" of a message that holds calls.
func (d *Draft) Response(stop agent.StopReason, usage agent.Usage, model string) agent.Response {
	switch {
	case stop == agent.StopEnd && d.calls > 0:
		stop = agent.StopCalls
	case stop == agent.StopCalls && d.calls == 0:
		stop = agent.StopEnd
	}
	return agent.Response{Message: d.message(stop), Stop: stop, Usage: usage, Model: model}
}

func (d *Draft) message(stop agent.StopReason) agent.Message {
	sort.SliceStable(d.parts, func(i, j int) bool { return d.parts[i].order < d.parts[j].order })
	m := agent.Message{Role: agent.Assistant}
	for _, p := range d.parts {
		if b := p.block(stop); b.Text != "" || b.Signature != "" || b.Call != nil {
			m.Blocks = append(m.Blocks, b)
		}
	}
	return m
}

func (p *Part) block(stop agent.StopReason) agent.Block {
	text := strings.ToValidUTF8(p.text.String(), "\ufffd")
	if p.kind != agent.BlockCall {
		return agent.Block{Kind: p.kind, Text: text, Signature: p.sign.String()}
	}
	c := &agent.Call{ID: p.id, Name: p.name}
	c.Input, c.Invalid = input(text, stop)
	return agent.Block{Kind: agent.BlockCall, Call: c}
}

// input reads what a model wrote as the input of a call. No text at all is an
// empty object, unless the message was cut: then it may be the beginning of one.
// A whole object cannot be the beginning of another, so it counts also then.
func input(text string, stop agent.StopReason) (raw json.RawMessage, invalid string) {
	none := json.RawMessage("{}")
	cut := stop != agent.StopCalls && stop != agent.StopEnd
	if strings.TrimSpace(text) == "" && !cut {
		return none, ""
	}
	var v json.RawMessage
	err := json.Unmarshal([]byte(text), &v)
	switch {
	case err != nil && cut:
		return none, fmt.Sprintf("the call was cut off before its input was complete (%s); send it again, in smaller parts if it is long", stop)
	case err != nil:
		return none, fmt.Sprintf("the input is not valid JSON: %v; send the whole call again", err)
	case v[0] != '{':
		return none, "the input is valid JSON but no object; send an object that fits the tool's schema"
	}
	return Canonical(v), ""
}
