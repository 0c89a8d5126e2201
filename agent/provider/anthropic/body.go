package anthropic

import "encoding/json"

// request is the body of a request to /v1/messages.
// https://docs.anthropic.com/en/api/messages
type request struct {
	Model     string    `json:"model"`
	MaxTokens int       `json:"max_tokens"`
	System    []*block  `json:"system,omitempty"`
	Tools     []*tool   `json:"tools,omitempty"`
	Messages  []message `json:"messages"`
	Thinking  *thinking `json:"thinking,omitempty"`
	Output    *output   `json:"output_config,omitempty"`
	Stream    bool      `json:"stream"`
}

type message struct {
	Role    string   `json:"role"`
	Content []*block `json:"content"`
}

// block is a block of content of any type; each type uses some of the fields.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	Thinking  *string         `json:"thinking,omitempty"` // present though empty
	Signature string          `json:"signature,omitempty"`
	Data      string          `json:"data,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   []*block        `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
	Cache     *cache          `json:"cache_control,omitempty"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
	Cache       *cache          `json:"cache_control,omitempty"`
}

type cache struct {
	Type string `json:"type"`
}

type thinking struct {
	Type    string `json:"type"`
	Display string `json:"display,omitempty"`
	Budget  int    `json:"budget_tokens,omitempty"`
}

type output struct {
	Effort string  `json:"effort,omitempty"`
	Format *format `json:"format,omitempty"`
}

type format struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}
