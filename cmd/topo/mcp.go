package main

import (
	"context"
	"net"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/agent/host"
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
	opts := &mcpOptions{scanOptions: scanOptions{f: f}}
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
	f.addSecretsFlag(fl)
	fl.StringVar(&opts.HTTP, "http", "", "serve over HTTP at this address (default "+defaultHTTP+")")
	fl.Lookup("http").NoOptDefVal = defaultHTTP
	fl.StringVar(&opts.TokenFile, "token-file", "", "file with the token of --http; written when there is none")
	fl.StringArrayVar(&opts.Hosts, "allow-host", nil, "name by which clients call the server, beside localhost (repeatable)")
	fl.BoolVar(&opts.Remote, "allow-remote", false, "let --http listen on an address that other machines reach")
	fl.BoolVar(&opts.Write, "write", false, "offer tools that change files, too")
	fl.BoolVar(&opts.Wait, "wait", false, "let calls wait for the first index instead of saying that it is being built")
	addScopeFlags(fl, &opts.scanOptions)
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
	if !host.Loopback(o.HTTP) && !o.Remote {
		return usagef("--http %s: other machines would reach this address; use 127.0.0.1, or add --allow-remote when that is what you want", o.HTTP)
	}
	return nil
}

func runMCP(ctx context.Context, o *mcpOptions) error {
	root, err := o.f.settle("")
	if err != nil {
		return err
	}
	ho, err := o.f.hostOptions(root)
	if err != nil {
		return err
	}
	s, err := host.NewServer(ctx, ho, host.ServerOptions{Write: o.Write, Wait: o.Wait})
	if err != nil {
		return hostError(err)
	}
	defer s.Close()
	if o.HTTP == "" {
		return s.Serve(ctx, o.f.stdin(ctx), o.f.out)
	}
	return o.listen(ctx, s)
}

// listen serves over HTTP until Ctrl-C.
func (o *mcpOptions) listen(ctx context.Context, s *host.Server) (err error) {
	token := host.NewToken()
	if o.TokenFile != "" {
		if token, err = host.TokenFile(o.TokenFile); err != nil {
			return hostError(err)
		}
	}
	l, err := net.Listen("tcp", o.HTTP)
	if err != nil {
		return envf("--http %s: %w; choose another address", o.HTTP, err)
	}
	o.f.notef("serving at http://%s%s", l.Addr(), host.ServerPath)
	if o.TokenFile == "" {
		o.f.notef("token: %s", token)
	}
	return s.Listen(ctx, l, o.HTTP, token, o.Hosts)
}
