package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/mcp"
	"github.com/topo-dev/topo/agent/tool/files"
	"github.com/topo-dev/topo/agent/workspace"
	"github.com/topo-dev/topo/index/fresh"
)

type mcpOptions struct {
	scanOptions
	HTTP      string
	TokenFile string
	Hosts     []string
	Remote    bool
	Write     bool
	Wait      bool
}

// defaultHTTP is the address of --http without one.
const defaultHTTP = "127.0.0.1:7337"

func newMCP(f *factory, runF func(context.Context, *mcpOptions) error) *cobra.Command {
	opts := &mcpOptions{scanOptions: newScanOptions(f)}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the code tools to other programs by the Model Context Protocol",
		Long: `Serve the code tools, the detectors and the code graph by the Model Context
Protocol: on standard input and output for one client, or with --http for many.
The index is built when there is none and kept like the tree; while the first one
is being built the tools say so.

Only tools that read are offered; --write adds those that change files of the
tree. Over HTTP a client needs the token that is printed to standard error, or
that of --token-file, which only you may be able to read. Only this machine can
connect, unless you say --allow-remote.`,
		Example: `  topo mcp --root ~/src/app
  topo mcp --http
  topo mcp --http=127.0.0.1:8080 --token-file ~/.config/topo/mcp-token`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := opts.check(); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runMCP(cmd.Context(), opts)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&opts.HTTP, "http", "", "serve over HTTP at this address (default "+defaultHTTP+")")
	fl.Lookup("http").NoOptDefVal = defaultHTTP
	fl.StringVar(&opts.TokenFile, "token-file", "", "file with the token of --http; written when there is none")
	fl.StringArrayVar(&opts.Hosts, "allow-host", nil, "name by which clients call the server, beside localhost (repeatable)")
	fl.BoolVar(&opts.Remote, "allow-remote", false, "let --http listen on an address that other machines reach")
	fl.BoolVar(&opts.Write, "write", false, "offer tools that change files, too")
	fl.BoolVar(&opts.Wait, "wait", false, "let calls wait for the first index instead of saying that it is being built")
	fl.StringArrayVar(&opts.Include, "include", nil, "show only files that match this .gitignore pattern (repeatable)")
	fl.StringArrayVar(&opts.Exclude, "exclude", nil, "leave out files that match this .gitignore pattern (repeatable)")
	fl.Var(&opts.MaxFileSize, "max-file-size", "list larger files without using their content")
	return cmd
}

func (o *mcpOptions) check() error {
	if o.HTTP == "" {
		if o.TokenFile != "" || o.Remote || len(o.Hosts) > 0 {
			return usagef("--token-file, --allow-host and --allow-remote are for --http; add it or drop them")
		}
		return nil
	}
	if _, _, err := net.SplitHostPort(o.HTTP); err != nil {
		return usagef("--http %s: expected an address and a port, as in %s", o.HTTP, defaultHTTP)
	}
	if !mcp.Loopback(o.HTTP) && !o.Remote {
		return usagef("--http %s: other machines would reach this address; use 127.0.0.1, or add --allow-remote when that is what you want", o.HTTP)
	}
	return nil
}

func runMCP(ctx context.Context, o *mcpOptions) error {
	root, err := o.f.settle("")
	if err != nil {
		return err
	}
	k, err := o.f.keeper(root, &o.scanOptions, o.Wait)
	if err != nil {
		return err
	}
	defer k.Close()
	s, closing, err := o.server(root, k)
	if err != nil {
		return err
	}
	defer closing()
	if o.HTTP == "" {
		return s.Serve(ctx, o.f.stdin(ctx), o.f.out)
	}
	return o.listen(ctx, s)
}

// mcpInstructions tells the model of a client what the server is good for.
const mcpInstructions = `These tools answer from an index of the repository that is kept up to date: use search or retrieve to find code by what it does, outline and symbol instead of reading whole files, query_graph and trace_dependencies for who calls and imports what, analyze_impact before a change and after it (diff), get_findings for known weaknesses. Places are named as path:line, path:name or a name.`

// server makes the server of a tree. closing frees what it has open.
func (o *mcpOptions) server(root string, k *fresh.Server) (s *mcp.Server, closing func(), err error) {
	tools := codeTools(k, nil)
	so := mcp.ServerOptions{Version: readBuildInfo().Version, Instructions: mcpInstructions, Prompts: mcp.Prompts(), Resources: codeResources(tools), Edited: k.Edited}
	closing = func() {}
	if o.Write {
		if root == "" {
			root = "."
		}
		w, err := workspace.Open(root)
		if err != nil {
			return nil, nil, envf("root %s: %w", root, err)
		}
		closing = func() { w.Close() }
		so.Gate = filesOnly{}
		for _, t := range files.Tools(w, files.Options{Getenv: o.f.getenv}) {
			if t.Spec().Name != "todo" { // the client keeps its own
				tools = append(tools, t)
			}
		}
	}
	so.Tools = tools
	return mcp.NewServer(so), closing, nil
}

func (f *factory) getenv(name string) string {
	v, _ := f.lookupEnv(name)
	return v
}

// filesOnly allows what reads and writes files of the tree, and nothing else:
// who starts a server with --write has agreed to that and no more.
type filesOnly struct{}

func (filesOnly) Decide(_ agent.ToolSpec, _ agent.Call, access []agent.Access) agent.Decision {
	for _, a := range access {
		if a.Op != agent.OpRead && a.Op != agent.OpWrite {
			return agent.Decision{Verdict: agent.Deny, Rule: "--write", Reason: "this server only reads and writes files of the tree"}
		}
	}
	return agent.Decision{Verdict: agent.Allow, Rule: "--write"}
}

func (filesOnly) Remember(agent.ToolSpec, []agent.Access) []string { return nil }

// codeResources are the resources of a code base.
func codeResources(tools []agent.Tool) []mcp.Resource {
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

// listen serves over HTTP until Ctrl-C.
func (o *mcpOptions) listen(ctx context.Context, s *mcp.Server) error {
	token, shown, err := o.token()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", o.HTTP)
	if err != nil {
		return envf("--http %s: %w; choose another address", o.HTTP, err)
	}
	hosts := o.Hosts
	if host, _, err := net.SplitHostPort(o.HTTP); err == nil && host != "" {
		hosts = append(hosts, host)
	}
	o.f.notef("serving at http://%s%s", l.Addr(), mcp.Path)
	if shown {
		o.f.notef("token: %s", token)
	}
	return s.Listen(ctx, l, mcp.HTTPOptions{Token: token, Hosts: hosts})
}

// token is that of --token-file, or a new one, to be shown.
func (o *mcpOptions) token() (token string, shown bool, err error) {
	if o.TokenFile == "" {
		return mcp.NewToken(), true, nil
	}
	info, err := os.Stat(o.TokenFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		token = mcp.NewToken()
		return token, false, writeToken(o.TokenFile, token)
	case err != nil:
		return "", false, usagef("--token-file %s: %w", o.TokenFile, rootCause(err))
	case !info.Mode().IsRegular():
		return "", false, usagef("--token-file %s: not a regular file", o.TokenFile)
	case info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/':
		return "", false, usagef("--token-file %s: others may read it; run: chmod 600 %s", o.TokenFile, o.TokenFile)
	}
	file, err := os.Open(o.TokenFile)
	if err != nil {
		return "", false, usagef("--token-file %s: %w", o.TokenFile, rootCause(err))
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, 4096))
	if err != nil {
		return "", false, envf("--token-file %s: %w", o.TokenFile, rootCause(err))
	}
	if token = string(bytes.TrimSpace(b)); len(token) < 16 || strings.ContainsAny(token, " \t\r\n") {
		return "", false, usagef("--token-file %s: expected one word of 16 characters or more; remove the file to get a new one", o.TokenFile)
	}
	return token, false, nil
}

func writeToken(name, token string) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return envf("--token-file %s: %w", name, rootCause(err))
	}
	_, err = file.WriteString(token + "\n")
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return envf("--token-file %s: %w", name, rootCause(err))
	}
	return nil
}
