package ollama

import (
	"encoding/json"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// chat is the body of a request to /api/chat.
type chat struct {
	Model    string          `json:"model"`
	Messages []message       `json:"messages"`
	Tools    []tool          `json:"tools,omitempty"`
	Format   json.RawMessage `json:"format,omitempty"`
	Think    string          `json:"think,omitempty"`
	Stream   bool            `json:"stream"`
	// Truncate and Shift ask for an error where the prompt, or the answer, does
	// not fit. Servers that do not know them ignore them.
	Truncate bool    `json:"truncate"`
	Shift    bool    `json:"shift"`
	Options  options `json:"options"`
}

type options struct {
	NumCtx     int `json:"num_ctx"`
	NumPredict int `json:"num_predict,omitempty"`
}

type message struct {
	Role     string     `json:"role"`
	Content  string     `json:"content"`
	Thinking string     `json:"thinking,omitempty"`
	Calls    []toolCall `json:"tool_calls,omitempty"`
	ToolName string     `json:"tool_name,omitempty"`
	CallID   string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

type tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// request makes the body. Effort turns thinking on; without it the model's own
// way is kept, since models that cannot think refuse the option.
func (p *Provider) request(req agent.Request) chat {
	c := chat{
		Model: req.Model, Messages: messages(req), Think: req.Effort, Stream: true,
		Options: options{NumCtx: p.context, NumPredict: max(0, req.MaxTokens)},
	}
	if req.Schema != nil {
		c.Format = wire.Canonical(req.Schema)
	}
	for _, s := range req.Tools {
		t := tool{Type: "function"}
		t.Function.Name, t.Function.Description = s.Name, s.Description
		t.Function.Parameters = wire.Canonical(s.Schema)
		c.Tools = append(c.Tools, t)
	}
	return c
}

// messages turns a transcript into the API's, where each result is a message of
// its own that names its tool.
func messages(req agent.Request) (out []message) {
	if req.System != "" {
		out = append(out, message{Role: "system", Content: req.System})
	}
	names := map[string]string{}
	for _, m := range req.Messages {
		if m.Role == agent.Assistant {
			if a, ok := assistant(m, names); ok {
				out = append(out, a)
			}
			continue
		}
		for _, b := range m.Blocks {
			if b.Result != nil {
				out = append(out, message{Role: "tool", Content: result(*b.Result), ToolName: names[b.Result.ID], CallID: b.Result.ID})
			}
		}
		if text := m.Text(); text != "" {
			out = append(out, message{Role: "user", Content: text})
		}
	}
	return out
}

// result is the text of a result. The API has no flag for one that failed.
func result(r agent.CallResult) string {
	if r.IsError {
		return "Error: " + r.Content
	}
	return r.Content
}

func assistant(m agent.Message, names map[string]string) (message, bool) {
	a := message{Role: "assistant", Content: m.Text()}
	for _, b := range m.Blocks {
		if b.Kind == agent.BlockThinking && b.Signature == "" { // of another API, it has a signature
			a.Thinking += b.Text
		}
	}
	for _, c := range m.Calls() {
		t := toolCall{ID: c.ID}
		t.Function.Name, t.Function.Arguments = c.Name, wire.Canonical(c.Input)
		names[c.ID] = c.Name
		a.Calls = append(a.Calls, t)
	}
	return a, a.Content != "" || len(a.Calls) > 0
}
