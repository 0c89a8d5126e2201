package ollama

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// line is one line of an answer.
type line struct {
	Model   string          `json:"model"`
	Error   json.RawMessage `json:"error"`
	Message struct {
		Content  string `json:"content"`
		Thinking string `json:"thinking"`
		Calls    []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	Done   bool   `json:"done"`
	Reason string `json:"done_reason"`
	Prompt int    `json:"prompt_eval_count"`
	Output int    `json:"eval_count"`
}

// reader reads answers to one request, each from the start.
type reader struct {
	p   *Provider
	req agent.Request

	draft  *wire.Draft
	places int
	open   *wire.Part // the block being written, of kind
	kind   agent.BlockKind
	model  string
}

func newReader(p *Provider, req agent.Request) *reader { return &reader{p: p, req: req} }

func (r *reader) read(body io.Reader, emit func(agent.Delta)) (agent.Response, error) {
	*r = reader{p: r.p, req: r.req, draft: wire.NewDraft(r.req.Messages, emit), model: r.req.Model}
	lines := wire.NewLines(body, r.p.wire.Limits.Line)
	for {
		raw, err := lines.Next()
		if err == io.EOF {
			return agent.Response{}, r.p.wire.Protocol("the answer ended before the message did")
		}
		if err != nil {
			return agent.Response{}, err
		}
		if raw = bytes.TrimSpace(raw); len(raw) == 0 {
			continue
		}
		l, err := r.line(raw)
		if err != nil {
			return agent.Response{}, err
		}
		if l.Done {
			return r.finish(l)
		}
	}
}

func (r *reader) line(raw []byte) (l line, err error) {
	if err := json.Unmarshal(raw, &l); err != nil {
		return l, r.p.wire.Protocol("a line that is not valid: %v", err)
	}
	if len(l.Error) > 0 && string(l.Error) != "null" {
		f, _ := wire.ReadFault(raw)
		f.Inside = true
		return l, r.p.wire.Error(f)
	}
	if l.Model != "" {
		r.model = l.Model
	}
	r.add(agent.BlockThinking, l.Message.Thinking)
	r.add(agent.BlockText, l.Message.Content)
	for _, c := range l.Message.Calls {
		r.places++
		r.open = nil
		part := r.draft.OpenCall(r.places, c.ID, c.Function.Name)
		if args := string(c.Function.Arguments); args != "null" {
			part.Add(args)
		}
	}
	return l, nil
}

// add appends to the block of a kind, which a block of another kind ends.
func (r *reader) add(kind agent.BlockKind, s string) {
	if s == "" {
		return
	}
	if r.open == nil || r.kind != kind {
		r.places++
		r.open, r.kind = r.draft.Open(r.places, kind), kind
	}
	r.open.Add(s)
}

func (r *reader) finish(l line) (agent.Response, error) {
	usage := agent.Usage{Input: max(0, l.Prompt), Output: max(0, l.Output)}
	if !strings.Contains(r.model, "cloud") { // models of that name run at Ollama's, for a price
		zero := 0.0
		usage.USD = &zero
	}
	if err := r.truncationError(l); err != nil {
		return agent.Response{}, err
	}
	stop := agent.StopEnd
	if l.Reason == "length" {
		stop = agent.StopMaxTokens
		if l.Prompt+l.Output >= r.p.context {
			stop = agent.StopContext
		}
	}
	return r.draft.Response(stop, usage, r.model), nil
}

// truncationError is the error of a server that read less than it was sent. A count far below
// is no proof: servers before 0.4 leave out what they had cached. One that fills
// at least half of the window is, since what is cut off is the oldest.
func (r *reader) truncationError(l line) error {
	lower := minTokens(r.req)
	switch {
	case l.Prompt <= 0: // not said
		return nil
	case l.Prompt >= r.p.context:
		return r.p.tooLong(fmt.Sprintf("the server read %d tokens of it", l.Prompt))
	case l.Prompt >= r.p.context/2 && l.Prompt < lower:
		return r.p.tooLong(fmt.Sprintf("the server read %d tokens of at least %d", l.Prompt, lower))
	}
	return nil
}
