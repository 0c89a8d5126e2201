package openai

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// params makes the body of a request.
func (f Flavour) params(req agent.Request) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{
		Model:         req.Model,
		Messages:      messages(req),
		Tools:         tools(req.Tools),
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	}
	switch n := int64(req.MaxTokens); {
	case n <= 0:
	case f.MaxCompletion:
		p.MaxCompletionTokens = openai.Int(n)
	default:
		p.MaxTokens = openai.Int(n)
	}
	if req.Schema != nil {
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: "answer", Schema: json.RawMessage(wire.Canonical(req.Schema))}}
	}
	if f.CacheKey {
		p.PromptCacheKey = openai.String(cacheKey(req))
	}
	extra := map[string]any{}
	switch {
	case req.Effort != "" && f.Router:
		extra["reasoning"] = map[string]any{"effort": req.Effort}
	case req.Effort != "":
		p.ReasoningEffort = shared.ReasoningEffort(req.Effort)
	}
	if f.Router {
		extra["usage"] = map[string]any{"include": true}
		if strings.HasPrefix(req.Model, "anthropic/") { // the only models there that cache nothing unless told
			extra["cache_control"] = map[string]any{"type": "ephemeral"}
		}
	}
	if len(extra) > 0 {
		p.SetExtraFields(extra)
	}
	return p
}

// cacheKey is the same for all requests of a session and differs between
// sessions, without naming either.
func cacheKey(req agent.Request) string {
	h := sha256.New()
	h.Write([]byte(req.System))
	if len(req.Messages) > 0 {
		h.Write([]byte("\x00" + req.Messages[0].Text()))
	}
	return "topo-" + hex.EncodeToString(h.Sum(nil)[:12])
}

// tools keeps the schemas below their first level as they are; their bytes are
// part of the prefix that is cached.
func tools(specs []agent.ToolSpec) (out []openai.ChatCompletionToolUnionParam) {
	for _, s := range specs {
		def := shared.FunctionDefinitionParam{Name: toolName(s.Name)}
		if s.Description != "" {
			def.Description = openai.String(s.Description)
		}
		var schema map[string]json.RawMessage
		if json.Unmarshal(wire.Canonical(s.Schema), &schema) == nil {
			def.Parameters = shared.FunctionParameters{}
			for k, v := range schema {
				def.Parameters[k] = v
			}
		}
		out = append(out, openai.ChatCompletionFunctionTool(def))
	}
	return out
}

// messages turns a transcript into the API's, where each result is a message of
// its own.
func messages(req agent.Request) (out []openai.ChatCompletionMessageParamUnion) {
	if req.System != "" {
		out = append(out, openai.SystemMessage(req.System))
	}
	for _, m := range req.Messages {
		if m.Role == agent.Assistant {
			if a, ok := assistant(m); ok {
				out = append(out, openai.ChatCompletionMessageParamUnion{OfAssistant: &a})
			}
			continue
		}
		for _, b := range m.Blocks {
			if b.Result != nil {
				out = append(out, openai.ToolMessage(result(*b.Result), b.Result.ID))
			}
		}
		if text := m.Text(); text != "" {
			out = append(out, openai.UserMessage(text))
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

func assistant(m agent.Message) (a openai.ChatCompletionAssistantMessageParam, ok bool) {
	if text := m.Text(); text != "" {
		a.Content.OfString, ok = openai.String(text), true
	}
	for _, c := range m.Calls() {
		a.ToolCalls = append(a.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
			ID:       c.ID,
			Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: toolName(c.Name), Arguments: string(wire.Canonical(c.Input))},
		}})
		ok = true
	}
	for _, b := range m.Blocks {
		if b.Kind == agent.BlockThinking && strings.HasPrefix(b.Signature, "[") && json.Valid([]byte(b.Signature)) {
			a.SetExtraFields(map[string]any{"reasoning_details": json.RawMessage(b.Signature)})
		}
	}
	return a, ok
}

var badName = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// toolName is a name that the API takes; see the package anthropic.
func toolName(name string) string {
	name = badName.ReplaceAllString(name, "_")
	if name == "" {
		return "_"
	}
	return name[:min(len(name), 64)]
}
