package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/spill"
)

// Limits of a server.
const (
	maxText     = 256 << 10 // of one answer, bytes
	maxMessage  = 4 << 20   // of one message from a client, bytes
	maxCalls    = 32        // that run at a time; others wait
	callTimeout = 2 * time.Minute
)

// ServerOptions say what a server offers.
type ServerOptions struct {
	Version      string
	Instructions string // for the model of the client: what to use the tools for
	Tools        []agent.Tool
	// Gate decides about calls of tools that change something. Nil offers only
	// tools that read.
	Gate      agent.Gate
	Resources []Resource
	Prompts   []Prompt
	// Edited is called after each call of a tool that may have changed files.
	Edited func()
}

// Resource is something to read that has an address of its own.
type Resource struct {
	URI         string // "topo://overview"; with {+name} it names many
	Name        string
	Description string
	// Read returns the text. name is the value of {+name}.
	Read func(ctx context.Context, name string) (string, error)
}

// Server offers tools, resources and prompts to any number of clients.
type Server struct {
	o     ServerOptions
	sdk   *mcp.Server
	calls chan struct{} // a place for each call that runs
	write sync.RWMutex  // calls that change something run alone
}

// NewServer makes a server.
func NewServer(o ServerOptions) *Server {
	s := &Server{o: o, calls: make(chan struct{}, maxCalls)}
	s.sdk = mcp.NewServer(&mcp.Implementation{Name: "topo", Title: "topo: understand a code base", Version: o.Version},
		&mcp.ServerOptions{Instructions: o.Instructions, Capabilities: &mcp.ServerCapabilities{},
			// What a repository holds is nobody else's to keep.
			SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" }})
	for _, t := range s.visibleTools() {
		s.sdk.AddTool(toolOf(t.Spec()), s.handler(t))
	}
	for _, r := range o.Resources {
		s.addResource(r)
	}
	for _, p := range o.Prompts {
		s.sdk.AddPrompt(p.sdk(), p.get)
	}
	return s
}

// visibleTools are the tools that clients see.
func (s *Server) visibleTools() (tools []agent.Tool) {
	for _, t := range s.o.Tools {
		if t.Spec().ReadOnly || s.o.Gate != nil {
			tools = append(tools, t)
		}
	}
	return tools
}

func toolOf(spec agent.ToolSpec) *mcp.Tool {
	destructive, open := spec.Destructive, spec.OpenWorld
	tool := &mcp.Tool{Name: spec.Name, Description: strings.TrimSpace(spec.Description), InputSchema: spec.Schema,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: spec.ReadOnly, DestructiveHint: &destructive, IdempotentHint: spec.Idempotent, OpenWorldHint: &open}}
	if spec.Output != nil {
		tool.OutputSchema = spec.Output
	}
	return tool
}

// handler answers the calls of one tool.
func (s *Server) handler(t agent.Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case s.calls <- struct{}{}:
			defer func() { <-s.calls }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		out, err := s.call(ctx, t, req.Params.Arguments)
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%s took longer than %s and was stopped; ask for less", t.Spec().Name, callTimeout)
		}
		if err != nil {
			return result(err.Error(), true), nil
		}
		res := result(textOf(out), out.IsError)
		if out.Structured != nil {
			res.StructuredContent = out.Structured
		}
		return res, nil
	}
}

// call runs a tool. A panic in it is an error.
func (s *Server) call(ctx context.Context, t agent.Tool, input json.RawMessage) (out agent.Output, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s failed: %v", t.Spec().Name, p)
		}
	}()
	spec := t.Spec()
	access, err := t.Access(input)
	if err != nil {
		return out, err
	}
	if spec.ReadOnly {
		s.write.RLock()
		defer s.write.RUnlock()
		return t.Run(ctx, input)
	}
	if err := s.decide(spec, input, access); err != nil {
		return out, err
	}
	s.write.Lock()
	defer s.write.Unlock()
	if s.o.Edited != nil {
		defer s.o.Edited()
	}
	return t.Run(ctx, input)
}

// decide calls the gate. No person can be asked: what is not allowed is
// denied.
func (s *Server) decide(spec agent.ToolSpec, input json.RawMessage, access []agent.Access) error {
	d := s.o.Gate.Decide(spec, agent.Call{Name: spec.Name, Input: input}, access)
	switch {
	case d.Verdict == agent.Allow:
		return nil
	case d.Reason != "":
		return fmt.Errorf("not allowed (%s): %s", d.Rule, d.Reason)
	}
	return fmt.Errorf("not allowed (%s); the user may start the server with rules that allow it", d.Rule)
}

func result(text string, isError bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: spill.Cap(text, "", maxText)}}, IsError: isError}
}

// textOf is an answer with its hints.
func textOf(out agent.Output) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(out.Text, "\n"))
	for i, h := range out.Hints {
		if i == 0 {
			b.WriteString("\n\nNext:")
		}
		b.WriteString("\n- " + h)
	}
	return b.String()
}

// Serve talks to one client over a pair of streams, until in ends and every call
// is answered, or ctx ends. The streams are not closed.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.sdk.Run(ctx, stdio{in, out})
	if ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return ctx.Err()
	}
	return err
}
