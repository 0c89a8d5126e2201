package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/spill"
)

const plainText = "text/plain"

// addResource offers a resource, or a template of many.
func (s *Server) addResource(r Resource) {
	prefix, _, many := strings.Cut(r.URI, "{")
	read := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		name, err := url.PathUnescape(strings.TrimPrefix(req.Params.URI, prefix))
		if err != nil {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		text, err := s.read(ctx, r, name)
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: plainText, Text: spill.Cap(text, "", maxText)}}}, nil
	}
	if many {
		s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: r.URI, Name: r.Name, Description: r.Description, MIMEType: plainText}, read)
		return
	}
	s.sdk.AddResource(&mcp.Resource{URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: plainText}, read)
}

func (s *Server) read(ctx context.Context, r Resource, name string) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s failed: %v", r.URI, p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return r.Read(ctx, name)
}

// Calls makes a resource's text from calls of tools: each has a name and an
// input, whose values "{name}" are replaced.
func Calls(tools []agent.Tool, calls ...agent.Call) func(context.Context, string) (string, error) {
	return func(ctx context.Context, name string) (string, error) {
		var parts []string
		for _, c := range calls {
			out, err := callNamed(ctx, tools, c, name)
			if err != nil {
				return "", err
			}
			parts = append(parts, textOf(out))
		}
		return strings.Join(parts, "\n\n"), nil
	}
}

func callNamed(ctx context.Context, tools []agent.Tool, c agent.Call, name string) (agent.Output, error) {
	quoted, err := json.Marshal(name)
	if err != nil {
		return agent.Output{}, err
	}
	input := json.RawMessage(strings.ReplaceAll(string(c.Input), `"{name}"`, string(quoted)))
	for _, t := range tools {
		if t.Spec().Name == c.Name {
			if _, err := t.Access(input); err != nil {
				return agent.Output{}, err
			}
			return t.Run(ctx, input)
		}
	}
	return agent.Output{}, errors.New("mcp: a resource names the tool " + c.Name + ", which there is not")
}
