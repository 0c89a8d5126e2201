package openai

import "encoding/json"

// request is the body of a request to /chat/completions.
// https://platform.openai.com/docs/api-reference/chat/create
type request struct {
	Model               string         `json:"model"`
	Messages            []message      `json:"messages"`
	Tools               []tool         `json:"tools,omitempty"`
	MaxTokens           int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
	ResponseFormat      *format        `json:"response_format,omitempty"`
	ReasoningEffort     string         `json:"reasoning_effort,omitempty"`
	PromptCacheKey      string         `json:"prompt_cache_key,omitempty"`
	StreamOptions       map[string]any `json:"stream_options"`
	Stream              bool           `json:"stream"`

	// OpenRouter's own.
	Reasoning    map[string]any `json:"reasoning,omitempty"`
	Usage        map[string]any `json:"usage,omitempty"`
	CacheControl map[string]any `json:"cache_control,omitempty"`
}

type message struct {
	Role       string          `json:"role"`
	Content    *string         `json:"content,omitempty"`
	ToolCalls  []toolCall      `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
	Details    json.RawMessage `json:"reasoning_details,omitempty"` // OpenRouter
}

type toolCall struct {
	Type     string `json:"type"`
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

type format struct {
	Type   string `json:"type"`
	Schema struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}
