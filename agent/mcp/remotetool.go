package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/spill"
)

// remoteTool is a tool of a server.
type remoteTool struct {
	r    *remote
	name string // as the server calls it
	spec agent.ToolSpec
}

// newRemoteTool makes a tool of what a server says of it. Its annotations are
// not believed: it counts as one that may change anything.
func newRemoteTool(r *remote, t *mcp.Tool) (*remoteTool, bool) {
	schema, err := json.Marshal(t.InputSchema)
	var object struct{ Type string }
	if err != nil || len(schema) > maxSchema || json.Unmarshal(schema, &object) != nil || object.Type != "object" || t.Name == "" {
		return nil, false
	}
	description := fmt.Sprintf("(Tool of the MCP server %s.) %s", r.Name, strings.ToValidUTF8(t.Description, "\uFFFD"))
	return &remoteTool{r, t.Name, agent.ToolSpec{Name: ToolName(r.Name, t.Name), Description: spill.Cap(description, "", maxDescription), Schema: schema,
		Destructive: true, OpenWorld: true}}, true
}

// maxToolName is what providers accept, in bytes.
const maxToolName = 64

// ToolName is mcp_<server>_<tool> in the letters that providers accept, of a
// length that they do. A name that was cut ends in a hash of the whole.
func ToolName(server, tool string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '_'
	}, "mcp_"+server+"_"+tool)
	if len(name) > maxToolName {
		name = hashed(name, tool)
	}
	return name
}

// hashed makes equal names distinct.
func hashed(name, whole string) string {
	h := fnv.New32a()
	h.Write([]byte(whole))
	return fmt.Sprintf("%s_%08x", name[:min(len(name), maxToolName-9)], h.Sum32())
}

func (t *remoteTool) Spec() agent.ToolSpec { return t.spec }

// Access says what is known of what a call does: it runs the server's
// tool, or talks to its host.
func (t *remoteTool) Access(input json.RawMessage) ([]agent.Access, error) {
	if trimmed := bytes.TrimSpace(input); len(trimmed) > 0 && (trimmed[0] != '{' || !json.Valid(trimmed)) {
		return nil, fmt.Errorf("the input of %s must be a JSON object", t.spec.Name)
	}
	if host := t.r.Host(); host != "" {
		return []agent.Access{{Op: agent.OpNet, Host: host}}, nil
	}
	return []agent.Access{{Op: agent.OpExec, Command: t.spec.Name}}, nil
}

func (t *remoteTool) Run(ctx context.Context, input json.RawMessage) (agent.Output, error) {
	if len(bytes.TrimSpace(input)) == 0 {
		input = json.RawMessage("{}")
	}
	limit := t.r.Timeout
	if limit == 0 {
		limit = DefaultTimeout
	}
	calling, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	session, err := t.r.connected(calling)
	if err != nil {
		return agent.Output{}, fmt.Errorf("the MCP server %s is not there: %w; go on without it", t.r.Name, err)
	}
	res, err := session.CallTool(calling, &mcp.CallToolParams{Name: t.name, Arguments: input})
	switch {
	case ctx.Err() != nil:
		return agent.Output{}, ctx.Err()
	case calling.Err() != nil:
		return agent.Output{}, fmt.Errorf("the MCP server %s did not answer within %s", t.r.Name, limit)
	case errors.Is(err, mcp.ErrConnectionClosed) || err != nil && !alive(session):
		t.r.disconnect(session)
		return agent.Output{}, fmt.Errorf("the MCP server %s ended during the call: %w; a further call starts it again", t.r.Name, err)
	case err != nil:
		return agent.Output{}, fmt.Errorf("the MCP server %s: %w", t.r.Name, err)
	}
	return agent.Output{Text: spill.Cap(contentOf(res), "", maxAnswer), IsError: res.IsError}, nil
}

// alive reports whether a server still answers.
func alive(session *mcp.ClientSession) bool {
	ctx, cancel := context.WithTimeout(context.Background(), pingTimeout)
	defer cancel()
	return session.Ping(ctx, nil) == nil
}

// contentOf is an answer as text. What is no text is named, not shown.
func contentOf(res *mcp.CallToolResult) string {
	var parts []string
	for _, c := range res.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			parts = append(parts, c.Text)
		case *mcp.ImageContent:
			parts = append(parts, fmt.Sprintf("[an image, %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.AudioContent:
			parts = append(parts, fmt.Sprintf("[sound, %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.ResourceLink:
			parts = append(parts, "[a link to "+c.URI+"]")
		case *mcp.EmbeddedResource:
			if c.Resource != nil {
				parts = append(parts, c.Resource.Text)
			}
		}
	}
	if len(parts) == 0 && res.StructuredContent != nil {
		if b, err := json.Marshal(res.StructuredContent); err == nil {
			parts = append(parts, string(b))
		}
	}
	return strings.Join(parts, "\n")
}
