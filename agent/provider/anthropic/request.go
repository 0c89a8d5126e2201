package anthropic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// maxTokens is asked for when the request leaves it open. The API wants a
// number; every model since Claude 4 can write as much.
const maxTokens = 32000

// params makes the body of a request.
func params(req agent.Request) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{
		Model:     req.Model,
		MaxTokens: int64(req.MaxTokens),
		Messages:  messages(req.Messages),
		Tools:     tools(req.Tools),
	}
	if p.MaxTokens <= 0 {
		p.MaxTokens = maxTokens
	}
	if req.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: req.System}}
	}
	think(&p, req.Effort)
	var schema map[string]any
	if req.Schema != nil && json.Unmarshal(req.Schema, &schema) == nil {
		p.OutputConfig.Format = anthropic.JSONOutputFormatParam{Schema: schema}
	}
	mark(&p)
	return p
}

// tools keeps the schemas as they are: their bytes are part of the prefix that
// is cached.
func tools(specs []agent.ToolSpec) (out []anthropic.ToolUnionParam) {
	for _, s := range specs {
		t := anthropic.ToolParam{Name: toolName(s.Name), InputSchema: param.Override[anthropic.ToolInputSchemaParam](json.RawMessage(wire.Canonical(s.Schema)))}
		if s.Description != "" {
			t.Description = anthropic.String(s.Description)
		}
		out = append(out, anthropic.ToolUnionParam{OfTool: &t})
	}
	return out
}

// budgets of thinking in tokens, for models that want a number.
var budgets = map[string]int64{"low": 2048, "medium": 8192, "high": 16384}

// numbered are the models before adaptive thinking.
var numbered = regexp.MustCompile(`^claude-(?:3|[a-z]+-4(?:-[0-5])?(?:-20\d{6})?$)`)

// think sets how much the model thinks. Models since Claude 4.6 decide for
// themselves within an effort; they are asked for summaries, because they
// otherwise put the words between two calls where nobody sees them. Older ones
// think when given a budget, which an effort stands for.
func think(p *anthropic.MessageNewParams, effort string) {
	if !strings.HasPrefix(p.Model, "claude-") { // another maker's model behind the same API
		return
	}
	if !numbered.MatchString(p.Model) {
		p.Thinking = anthropic.ThinkingConfigParamUnion{OfAdaptive: &anthropic.ThinkingConfigAdaptiveParam{
			Display: anthropic.ThinkingConfigAdaptiveDisplaySummarized}}
		p.OutputConfig.Effort = anthropic.OutputConfigEffort(effort)
		return
	}
	if b := min(budgets[effort], p.MaxTokens/2); b >= 1024 { // the least the API takes
		p.Thinking = anthropic.ThinkingConfigParamUnion{OfEnabled: &anthropic.ThinkingConfigEnabledParam{BudgetTokens: b}}
	}
}

// messages turns a transcript into the API's. The API takes no empty text and no
// empty message, and wants results before text.
func messages(transcript []agent.Message) (out []anthropic.MessageParam) {
	for i, m := range transcript {
		var results, rest []anthropic.ContentBlockParamUnion
		for _, b := range m.Blocks {
			u, ok := block(b)
			switch {
			case !ok:
			case b.Kind == agent.BlockResult:
				results = append(results, u)
			default:
				rest = append(rest, u)
			}
		}
		blocks := append(results, rest...)
		if len(blocks) == 0 {
			continue
		}
		if m.Role == agent.User {
			out = append(out, anthropic.NewUserMessage(blocks...))
			continue
		}
		if last := blocks[len(blocks)-1].OfText; i == len(transcript)-1 && last != nil {
			last.Text = strings.TrimRight(last.Text, " \t\r\n") // an answer to go on with may not end in white space
		}
		out = append(out, anthropic.NewAssistantMessage(blocks...))
	}
	return out
}

func block(b agent.Block) (u anthropic.ContentBlockParamUnion, ok bool) {
	switch b.Kind {
	case agent.BlockText:
		return anthropic.NewTextBlock(b.Text), strings.TrimSpace(b.Text) != ""
	case agent.BlockThinking:
		return anthropic.NewThinkingBlock(b.Signature, b.Text), ours(b.Signature)
	case agent.BlockRedacted:
		return anthropic.NewRedactedThinkingBlock(b.Signature), ours(b.Signature)
	case agent.BlockCall:
		if b.Call != nil {
			return anthropic.NewToolUseBlock(callID(b.Call.ID), json.RawMessage(b.Call.Input), toolName(b.Call.Name)), true
		}
	case agent.BlockResult:
		if b.Result != nil {
			return result(*b.Result), true
		}
	}
	return u, false
}

func result(r agent.CallResult) anthropic.ContentBlockParamUnion {
	t := anthropic.ToolResultBlockParam{ToolUseID: callID(r.ID)}
	if r.IsError {
		t.IsError = anthropic.Bool(true)
	}
	if strings.TrimSpace(r.Content) != "" {
		t.Content = []anthropic.ToolResultBlockParamContentUnion{{OfText: &anthropic.TextBlockParam{Text: r.Content}}}
	}
	return anthropic.ContentBlockParamUnion{OfToolResult: &t}
}

// ours reports whether a signature can be one of this API: base64, not the JSON
// that the adapter of another API keeps there.
func ours(signature string) bool { return signature != "" && signature[0] != '[' }

func withoutThinking(in []agent.Message) (out []agent.Message, some bool) {
	for _, m := range in {
		bare := agent.Message{Role: m.Role}
		for _, b := range m.Blocks {
			if b.Kind == agent.BlockThinking || b.Kind == agent.BlockRedacted {
				some = true
				continue
			}
			bare.Blocks = append(bare.Blocks, b)
		}
		out = append(out, bare)
	}
	return out, some
}

var (
	goodID   = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	badName  = regexp.MustCompile(`[^a-zA-Z0-9_-]`)
	maxNames = 128
)

// callID is an id that the API takes. One that another provider made and this
// one would refuse becomes a digest of itself, the same in call and result.
func callID(id string) string {
	if goodID.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "id_" + hex.EncodeToString(sum[:12])
}

// toolName is a name that the API takes. A model that called a tool by an
// impossible name was told so; the transcript must still be accepted.
func toolName(name string) string {
	name = badName.ReplaceAllString(name, "_")
	if name == "" {
		return "_"
	}
	return name[:min(len(name), maxNames)]
}

// mark sets the points up to which the prefix is cached: after the tools, after
// the system prompt, and after the last two turns of the user. The API allows
// four. The earlier of the two turns is where the request before this one ended,
// so its cache is found however many blocks a step adds; the later one is where
// the next will look.
func mark(p *anthropic.MessageNewParams) {
	here := anthropic.NewCacheControlEphemeralParam()
	if n := len(p.Tools); n > 0 {
		p.Tools[n-1].OfTool.CacheControl = here
	}
	if n := len(p.System); n > 0 {
		p.System[n-1].CacheControl = here
	}
	turns := 0
	for i := len(p.Messages) - 1; i >= 0 && turns < 2; i-- {
		m := &p.Messages[i]
		if m.Role != anthropic.MessageParamRoleUser {
			continue
		}
		turns++
		switch b := &m.Content[len(m.Content)-1]; {
		case b.OfText != nil:
			b.OfText.CacheControl = here
		case b.OfToolResult != nil:
			b.OfToolResult.CacheControl = here
		}
	}
}
