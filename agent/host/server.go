package host

import (
	"context"
	"fmt"
	"io"
	"net"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/mcp"
	"github.com/topo-dev/topo/agent/tool/files"
	"github.com/topo-dev/topo/agent/workspace"
	"github.com/topo-dev/topo/index/fresh"
)

// Server offers the tools of a tree to other programs by the Model Context
// Protocol.
type Server struct {
	mcp   *mcp.Server
	index *fresh.Server
	tree  *workspace.Workspace // nil when nothing is written
}

// ServerOptions say what a server offers.
type ServerOptions struct {
	Write bool // tools that change files, too
	Wait  bool // calls wait for the first index instead of saying that it is being built
}

// instructionsText tells the model of a client what the server is good for.
const instructionsText = `These tools answer from an index of the repository that is kept up to date: use search or retrieve to find code by what it does, outline and symbol instead of reading whole files, query_graph and trace_dependencies for who calls and imports what, analyze_impact before a change and after it (diff), get_findings for known weaknesses. Places are named as path:line, path:name or a name.`

// NewServer makes the server of a tree. It uses no state of the user. It is to be
// closed.
func NewServer(ctx context.Context, o Options, so ServerOptions) (*Server, error) {
	if o.Root == "" {
		o.Root = "."
	}
	place, err := fresh.At(ctx, o.Root, o.CacheDir)
	if err != nil {
		return nil, err
	}
	s := &Server{index: openIndex(place, o, so.Wait)}
	tools := o.masked(codeTools(s.index, nil, o.mask()))
	mo := mcp.ServerOptions{Version: o.Version, Instructions: instructionsText, Prompts: mcp.Prompts(), Resources: resources(tools), Edited: s.index.Edited}
	if so.Write {
		if s.tree, err = workspace.Open(o.Root); err != nil {
			s.Close()
			return nil, fmt.Errorf("root %s: %w", o.Root, err)
		}
		mo.Gate = filesOnly{}
		getenv := func(name string) string {
			if o.LookupEnv == nil {
				return ""
			}
			v, _ := o.LookupEnv(name)
			return v
		}
		for _, t := range o.masked(files.Tools(s.tree, files.Options{Getenv: getenv, Mask: o.mask()})) {
			if t.Spec().Name != "todo" { // the client keeps its own
				tools = append(tools, t)
			}
		}
	}
	mo.Tools = tools
	s.mcp = mcp.NewServer(mo)
	return s, nil
}

// Serve answers one client until its input ends.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.mcp.Serve(ctx, in, out)
}

// ServerPath is where a server answers over HTTP.
const ServerPath = mcp.Path

// Loopback reports whether only this machine can reach a listener at the address.
func Loopback(address string) bool { return mcp.Loopback(address) }

// Listen answers clients over HTTP at [ServerPath] until ctx ends. A request needs
// the token, and a Host that is localhost, one of hosts or the name that address
// has, which is what the listener was asked for.
func (s *Server) Listen(ctx context.Context, l net.Listener, address, token string, hosts []string) error {
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		hosts = append(hosts[:len(hosts):len(hosts)], host)
	}
	return s.mcp.Listen(ctx, l, mcp.HTTPOptions{Token: token, Hosts: hosts})
}

// Close frees what the server has open.
func (s *Server) Close() {
	s.index.Close()
	if s.tree != nil {
		s.tree.Close()
	}
}

// filesOnly allows what reads and writes files of the tree, and nothing else: who
// starts a server that writes has agreed to that and no more.
type filesOnly struct{}

// Decide implements [agent.Gate].
func (filesOnly) Decide(_ agent.ToolSpec, _ agent.Call, access []agent.Access) agent.Decision {
	for _, a := range access {
		if a.Op != agent.OpRead && a.Op != agent.OpWrite {
			return agent.Decision{Verdict: agent.Deny, Rule: "--write", Reason: "this server only reads and writes files of the tree"}
		}
	}
	return agent.Decision{Verdict: agent.Allow, Rule: "--write"}
}

// Remember implements [agent.Gate]: nobody is asked, so nothing is granted.
func (filesOnly) Remember(agent.ToolSpec, []agent.Access) []string { return nil }

// resources are the resources of a code base.
func resources(tools []agent.Tool) []mcp.Resource {
	call := func(name, input string) agent.Call { return agent.Call{Name: name, Input: []byte(input)} }
	return []mcp.Resource{
		{URI: "topo://findings", Name: "findings", Description: "What the detectors find, by severity and kind, with the worst",
			Read: mcp.Calls(tools, call("run_detectors", `{}`))},
		{URI: "topo://hotspots", Name: "hotspots", Description: "Files that change often and are hard to change, and the most complex functions",
			Read: mcp.Calls(tools, call("query_graph", `{"ask":"hotspots","limit":20}`), call("query_graph", `{"ask":"most_complex","limit":20}`))},
		{URI: "topo://overview", Name: "overview", Description: "What the repository holds: folders, languages, and what everything stands on",
			Read: mcp.Calls(tools, call("outline", `{}`), call("query_graph", `{"ask":"stats"}`), call("query_graph", `{"ask":"most_used","limit":20}`))},
		{URI: "topo://outline/{+path}", Name: "outline", Description: "What a file defines, or a folder holds",
			Read: mcp.Calls(tools, call("outline", `{"path":"{name}"}`))},
	}
}
