package openai

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// chunk is one event of a stream.
type chunk struct {
	Model   string          `json:"model"`
	Error   json.RawMessage `json:"error"`
	Usage   *tokens         `json:"usage"`
	Choices []struct {
		Index  int    `json:"index"`
		Finish string `json:"finish_reason"`
		Delta  struct {
			Content   text              `json:"content"`
			Refusal   text              `json:"refusal"`
			Reasoning text              `json:"reasoning"`         // OpenRouter, vLLM
			Thoughts  text              `json:"reasoning_content"` // DeepSeek, llama.cpp, older vLLM
			Details   []json.RawMessage `json:"reasoning_details"` // OpenRouter
			Calls     []callPiece       `json:"tool_calls"`
		} `json:"delta"`
	} `json:"choices"`
}

type callPiece struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

// tokens is the usage as servers report it.
type tokens struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Details    struct {
		Cached  int `json:"cached_tokens"`
		Written int `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	CacheHit  int      `json:"prompt_cache_hit_tokens"` // DeepSeek
	Cost      *float64 `json:"cost"`                    // OpenRouter, USD
	Estimated *float64 `json:"estimated_cost"`          // DeepInfra, USD
}

// text is a string, or a list of parts that hold one, as some servers send.
type text string

// UnmarshalJSON reads either form; anything else is no text.
func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(s)
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(b, &parts) == nil {
		for _, p := range parts {
			*t += text(p.Text)
		}
	}
	return nil
}

// arguments are a piece of JSON in a string, or the JSON itself, as some servers
// send.
type arguments string

// UnmarshalJSON reads either form.
func (a *arguments) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*a = arguments(s)
	} else if b = bytes.TrimSpace(b); string(b) != "null" {
		*a = arguments(b)
	}
	return nil
}

// reader reads answers to one request, each from the start.
type reader struct {
	wire *wire.Client
	req  agent.Request

	draft    *wire.Draft
	places   int // blocks so far
	said     *wire.Part
	thought  *wire.Part
	details  details
	calls    []*call
	finished string
	refused  bool
	usage    *tokens
	model    string
}

func newReader(c *wire.Client, req agent.Request) *reader { return &reader{wire: c, req: req} }

func (r *reader) read(body io.Reader, emit func(agent.Delta)) (agent.Response, error) {
	*r = reader{wire: r.wire, req: r.req, draft: wire.NewDraft(r.req.Messages, emit), model: r.req.Model}
	events := wire.NewEvents(body, r.wire.Limits.Line)
	for {
		e, err := events.Next()
		switch {
		case err == io.EOF && r.finished != "":
			return r.finish()
		case err == io.EOF:
			return agent.Response{}, r.wire.Protocol("the answer ended before the message did")
		case err != nil:
			return agent.Response{}, err
		case string(bytes.TrimSpace(e.Data)) == "[DONE]":
			if r.finished == "" {
				return agent.Response{}, r.wire.Protocol("the answer is done without a reason to finish")
			}
			return r.finish()
		}
		if err := r.event(e); err != nil {
			return agent.Response{}, err
		}
		if r.finished != "" && r.usage != nil {
			return r.finish()
		}
	}
}

// event takes one event. One that is no chunk is skipped, unless it is cut.
func (r *reader) event(e wire.Event) error {
	var c chunk
	if err := json.Unmarshal(e.Data, &c); err != nil {
		return r.wire.Protocol("an event that is not valid: %v", err)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return r.fault(e.Data)
	}
	if c.Model != "" {
		r.model = c.Model
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		d := choice.Delta
		r.think(d.Reasoning, d.Thoughts, d.Details)
		r.say(d.Content)
		if d.Refusal != "" {
			r.refused = true
			r.say(d.Refusal)
		}
		for _, p := range d.Calls {
			r.call(p)
		}
		if choice.Finish != "" {
			r.finished = choice.Finish
		}
	}
	if r.finished == "error" {
		return r.fault([]byte(`{"error":{"type":"server_error","message":"the model failed in the middle of its answer"}}`))
	}
	if c.Usage != nil && r.finished != "" { // some send a count with every chunk
		r.usage = c.Usage
	}
	return nil
}

func (r *reader) fault(data []byte) error {
	f, _ := wire.ReadFault(data)
	f.Inside = true
	return r.wire.Error(f)
}

// say appends to the answer. A text after something else is a block of its own.
func (r *reader) say(s text) {
	if s == "" {
		return
	}
	if r.said == nil {
		r.said = r.draft.Open(r.place(), agent.BlockText)
	}
	r.said.Add(string(s))
}

func (r *reader) think(reasoning, thoughts text, pieces []json.RawMessage) {
	s := reasoning
	if s == "" {
		s = thoughts
	}
	for _, raw := range pieces {
		if t := r.details.add(raw); s == "" {
			s = text(t)
		}
	}
	if s == "" && len(pieces) == 0 {
		return
	}
	if r.thought == nil {
		r.thought = r.draft.Open(r.place(), agent.BlockThinking)
	}
	r.thought.Add(string(s))
}

func (r *reader) place() int {
	r.places++
	return r.places
}

// stops are the reasons to finish by their names.
var stops = map[string]agent.StopReason{
	"stop":           agent.StopEnd,
	"tool_calls":     agent.StopCalls,
	"length":         agent.StopMaxTokens,
	"content_filter": agent.StopRefusal,
}

func (r *reader) finish() (agent.Response, error) {
	for _, c := range r.calls {
		c.open(r)
	}
	if r.thought != nil {
		r.thought.Sign(r.details.json())
	}
	stop, ok := stops[strings.ToLower(r.finished)]
	if !ok {
		stop = agent.StopEnd // a reason of the future; the message itself is whole
	}
	if r.refused {
		stop = agent.StopRefusal
	}
	usage := agent.Usage{}
	if r.usage != nil {
		usage = r.usage.usage(r.wire.Name, r.model)
	}
	return r.draft.Response(stop, usage, r.model), nil
}
