package anthropic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// maxTokens is requested when the request leaves it open. The API wants a
// number; every model since Claude 4 can write as much.
const maxTokens = 32000

const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

// params makes the body of a request.
func params(req agent.Request) *request {
	p := &request{Model: req.Model, MaxTokens: req.MaxTokens, Messages: messages(req.Messages), Tools: tools(req.Tools), Stream: true}
	if p.MaxTokens <= 0 {
		p.MaxTokens = maxTokens
	}
	if req.System != "" {
		p.System = []*block{{Type: "text", Text: req.System}}
	}
	var out output
	p.Thinking, out.Effort = think(p, req.Effort)
	if req.Schema != nil && json.Valid(req.Schema) {
		out.Format = &format{Type: "json_schema", Schema: wire.Canonical(req.Schema)}
	}
	if out != (output{}) {
		p.Output = &out
	}
	markCacheable(p)
	return p
}

// tools keeps the schemas as they are: their bytes are part of the prefix that
// is cached.
func tools(specs []agent.ToolSpec) (out []*tool) {
	for _, s := range specs {
		out = append(out, &tool{Name: toolName(s.Name), Description: s.Description, InputSchema: wire.Canonical(s.Schema)})
	}
	return out
}

// budgets of thinking in tokens, for models that want a number.
var budgets = map[string]int{"low": 2048, "medium": 8192, "high": 16384}

// numbered are the models before adaptive thinking.
var numbered = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^claude-(?:3|[a-z]+-4(?:-[0-5])?(?:-20\d{6})?$)`)
})

// think says how much the model thinks. Models since Claude 4.6 decide for
// themselves within an effort; they are set to send summaries, because they
// otherwise put the words between two calls where nobody sees them. Older ones
// think when given a budget, which an effort is translated to.
func think(p *request, effort string) (*thinking, string) {
	if !strings.HasPrefix(p.Model, "claude-") { // another maker's model behind the same API
		return nil, ""
	}
	if !numbered().MatchString(p.Model) {
		return &thinking{Type: "adaptive", Display: "summarized"}, effort
	}
	if b := min(budgets[effort], p.MaxTokens/2); b >= 1024 { // the minimum of the API
		return &thinking{Type: "enabled", Budget: b}, ""
	}
	return nil, ""
}

// messages turns a transcript into the API's. The API takes no empty text and no
// empty message, and wants results before text.
func messages(transcript []agent.Message) []message {
	out := []message{}
	for i, m := range transcript {
		var results, rest []*block
		for _, b := range m.Blocks {
			switch u := blockOf(b); {
			case u == nil:
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
			out = append(out, message{Role: roleUser, Content: blocks})
			continue
		}
		if last := blocks[len(blocks)-1]; i == len(transcript)-1 && last.Type == "text" {
			last.Text = strings.TrimRight(last.Text, " \t\r\n") // an answer to go on with may not end in white space
		}
		out = append(out, message{Role: roleAssistant, Content: blocks})
	}
	return out
}

// blockOf returns nil for what the API would refuse.
func blockOf(b agent.Block) *block {
	switch b.Kind {
	case agent.BlockText:
		if strings.TrimSpace(b.Text) != "" {
			return &block{Type: "text", Text: b.Text}
		}
	case agent.BlockThinking:
		if isOwnSignature(b.Signature) {
			return &block{Type: "thinking", Thinking: &b.Text, Signature: b.Signature}
		}
	case agent.BlockRedacted:
		if isOwnSignature(b.Signature) {
			return &block{Type: "redacted_thinking", Data: b.Signature}
		}
	case agent.BlockCall:
		if b.Call != nil {
			return &block{Type: "tool_use", ID: callID(b.Call.ID), Name: toolName(b.Call.Name), Input: wire.Canonical(b.Call.Input)}
		}
	case agent.BlockResult:
		if b.Result != nil {
			return result(*b.Result)
		}
	}
	return nil
}

func result(r agent.CallResult) *block {
	t := &block{Type: "tool_result", ToolUseID: callID(r.ID), IsError: r.IsError}
	if strings.TrimSpace(r.Content) != "" {
		t.Content = []*block{{Type: "text", Text: r.Content}}
	}
	return t
}

// isOwnSignature reports whether a signature can be one of this API: base64, not the JSON
// that the adapter of another API keeps there.
func isOwnSignature(signature string) bool { return signature != "" && signature[0] != '[' }

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

const (
	maxIDs   = 64
	maxNames = 128
)

// callID is an id that the API takes. One that another provider made and this
// one would refuse becomes a digest of itself, the same in call and result.
func callID(id string) string {
	if id != "" && len(id) <= maxIDs && wire.Name(id) == id {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "id_" + hex.EncodeToString(sum[:12])
}

// toolName is a name that the API takes. A model that called a tool by an
// impossible name got an error; the transcript must still be accepted.
func toolName(name string) string {
	name = wire.Name(name)
	if name == "" {
		return "_"
	}
	return name[:min(len(name), maxNames)]
}

// markCacheable sets the points up to which the prefix is cached: after the tools, after
// the system prompt, and after the last two turns of the user. The API allows
// four. The earlier of the two turns is where the request before this one ended,
// so its cache is found however many blocks a step adds; the later one is where
// the next will look.
func markCacheable(p *request) {
	here := &cache{Type: "ephemeral"}
	if n := len(p.Tools); n > 0 {
		p.Tools[n-1].Cache = here
	}
	if n := len(p.System); n > 0 {
		p.System[n-1].Cache = here
	}
	turns := 0
	for i := len(p.Messages) - 1; i >= 0 && turns < 2; i-- {
		m := &p.Messages[i]
		if m.Role != roleUser {
			continue
		}
		turns++
		if b := m.Content[len(m.Content)-1]; b.Type == "text" || b.Type == "tool_result" {
			b.Cache = here
		}
	}
}
