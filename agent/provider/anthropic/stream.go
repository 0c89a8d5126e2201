package anthropic

import (
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// event is any event of a stream. Fields that an event does not have stay zero.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		Model string `json:"model"`
		Usage tokens `json:"usage"`
	} `json:"message"`
	Block struct {
		Type      string          `json:"type"`
		Text      string          `json:"text"`
		Thinking  string          `json:"thinking"`
		Signature string          `json:"signature"`
		Data      string          `json:"data"`
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Input     json.RawMessage `json:"input"`
	} `json:"content_block"`
	Delta struct {
		Type        string `json:"type"`
		Text        string `json:"text"`
		Thinking    string `json:"thinking"`
		Signature   string `json:"signature"`
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
	Usage tokens `json:"usage"`
}

// tokens are counts that came so far. A later event overrides what it names.
type tokens struct {
	Input      count `json:"input_tokens"`
	Output     count `json:"output_tokens"`
	CacheRead  count `json:"cache_read_input_tokens"`
	CacheWrite count `json:"cache_creation_input_tokens"`
}

// count is a number that may be missing.
type count struct {
	n   int
	set bool
}

// UnmarshalJSON reads a count. Null and what is no count leave it as it is.
func (c *count) UnmarshalJSON(b []byte) error {
	var n int
	if json.Unmarshal(b, &n) == nil && n >= 0 && string(b) != "null" {
		c.n, c.set = n, true
	}
	return nil
}

func (u *tokens) update(v tokens) {
	for _, p := range [][2]*count{{&u.Input, &v.Input}, {&u.Output, &v.Output}, {&u.CacheRead, &v.CacheRead}, {&u.CacheWrite, &v.CacheWrite}} {
		if p[1].set {
			*p[0] = *p[1]
		}
	}
}

// reader reads answers to one request, each from the start.
type reader struct {
	wire *wire.Client
	req  agent.Request

	draft *wire.Draft
	parts map[int]*part
	count tokens
	model string
	stop  string
}

// part is a content block. Draft is nil for a kind that is not known.
type part struct {
	draft *wire.Part
	whole string // input that came with the start of a call, for servers that send no pieces
	ended bool
}

func newReader(c *wire.Client, req agent.Request) *reader { return &reader{wire: c, req: req} }

func (r *reader) read(body io.Reader, emit func(agent.Delta)) (agent.Response, error) {
	r.draft, r.parts = wire.NewDraft(r.req.Messages, emit), map[int]*part{}
	r.count, r.model, r.stop = tokens{}, r.req.Model, ""
	events := wire.NewEvents(body, r.wire.Limits.Line)
	for {
		raw, err := events.Next()
		if err == io.EOF {
			return agent.Response{}, r.wire.Protocol("the answer ended before the message did")
		}
		if err != nil {
			return agent.Response{}, err
		}
		done, err := r.event(raw)
		if err != nil {
			return agent.Response{}, err
		}
		if done {
			return r.finish()
		}
	}
}

// event takes one event. Done is true for the last of a message.
func (r *reader) event(raw wire.Event) (done bool, err error) {
	var e event
	if err := json.Unmarshal(raw.Data, &e); err != nil {
		var kind struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(raw.Data, &kind) == nil && !known[kind.Type] && !known[raw.Name] {
			return false, nil
		}
		return false, r.wire.Protocol("an event that is not valid: %v", err)
	}
	if e.Type == "" {
		e.Type = raw.Name
	}
	switch e.Type {
	case "message_start":
		r.count.update(e.Message.Usage)
		if e.Message.Model != "" {
			r.model = e.Message.Model
		}
	case "content_block_start":
		return false, r.begin(e)
	case "content_block_delta":
		return false, r.delta(e)
	case "content_block_stop":
		r.end(e.Index)
	case "message_delta":
		r.count.update(e.Usage)
		if e.Delta.StopReason != "" {
			r.stop = e.Delta.StopReason
		}
	case "message_stop":
		return true, nil
	case "error":
		f, _ := wire.ReadFault(raw.Data)
		f.Inside = true
		return false, r.wire.Error(f)
	}
	return false, nil
}

// known are the events that mean something here. One of them that cannot be read
// is an error; any other is skipped.
var known = map[string]bool{
	"message_start": true, "content_block_start": true, "content_block_delta": true, "content_block_stop": true,
	"message_delta": true, "message_stop": true, "error": true,
}

func (r *reader) begin(e event) error {
	if r.parts[e.Index] != nil {
		return r.wire.Protocol("block %d began twice", e.Index)
	}
	p := &part{}
	r.parts[e.Index] = p
	switch b := e.Block; b.Type {
	case "text":
		p.draft = r.draft.Open(e.Index, agent.BlockText)
		p.draft.Add(b.Text)
	case "thinking":
		p.draft = r.draft.Open(e.Index, agent.BlockThinking)
		p.draft.Add(b.Thinking)
		p.draft.Sign(b.Signature)
	case "redacted_thinking":
		p.draft = r.draft.Open(e.Index, agent.BlockRedacted)
		p.draft.Sign(b.Data)
	case "tool_use":
		p.draft = r.draft.OpenCall(e.Index, b.ID, b.Name)
		if in := string(b.Input); in != "null" && in != "{}" {
			p.whole = in
		}
	}
	return nil
}

func (r *reader) delta(e event) error {
	p := r.parts[e.Index]
	switch {
	case p == nil:
		return r.wire.Protocol("a piece of block %d, which never began", e.Index)
	case p.ended:
		return r.wire.Protocol("a piece of block %d after its end", e.Index)
	case p.draft == nil:
		return nil
	}
	switch d := e.Delta; d.Type {
	case "text_delta":
		p.draft.Add(d.Text)
	case "thinking_delta":
		p.draft.Add(d.Thinking)
	case "signature_delta":
		p.draft.Sign(d.Signature)
	case "input_json_delta":
		p.draft.Add(d.PartialJSON)
	}
	return nil
}

func (r *reader) end(index int) {
	p := r.parts[index]
	if p == nil || p.ended {
		return
	}
	p.ended = true
	if p.whole != "" && p.draft.Len() == 0 {
		p.draft.Add(p.whole)
	}
}

// stops are the reasons to stop by their names in the API.
var stops = map[string]agent.StopReason{
	"end_turn":                      agent.StopEnd,
	"stop_sequence":                 agent.StopEnd,
	"tool_use":                      agent.StopCalls,
	"max_tokens":                    agent.StopMaxTokens,
	"pause_turn":                    agent.StopPause,
	"refusal":                       agent.StopRefusal,
	"model_context_window_exceeded": agent.StopContext,
}

func (r *reader) finish() (agent.Response, error) {
	if r.stop == "" {
		return agent.Response{}, r.wire.Protocol("the message stopped without a reason")
	}
	for _, i := range slices.Sorted(maps.Keys(r.parts)) { // blocks that nobody ended
		r.end(i)
	}
	stop, ok := stops[r.stop]
	if !ok {
		stop = agent.StopEnd // a reason of the future; the message itself is whole
	}
	return r.draft.Response(stop, r.count.usage(r.model), r.model), nil
}
