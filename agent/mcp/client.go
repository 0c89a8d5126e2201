package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/topo-dev/topo/agent"
)

// Limits of what a server may bring.
const (
	pingTimeout    = 3 * time.Second
	maxTools       = 128      // of one server
	maxSchema      = 64 << 10 // of one tool, bytes
	maxDescription = 4 << 10  // bytes
	maxAnswer      = 64 << 10 // of one call, bytes
)

// ClientOptions say how servers are started.
type ClientOptions struct {
	Version string
	Dir     string   // working directory of the programs
	Environ []string // of this process; only harmless names of it are passed on
}

// Client is connected to servers and offers their tools.
type Client struct {
	remotes []*remote
	tools   []agent.Tool
}

// Dial connects to the servers, all at the same time, and waits for each as long
// as its configuration says. A server that cannot be reached by then is a problem
// of its own, not an error: see [Client.Problems].
func Dial(ctx context.Context, servers []ServerConfig, o ClientOptions) *Client {
	c := &Client{}
	var wg sync.WaitGroup
	for _, s := range servers {
		r := &remote{ServerConfig: s, o: o, turn: make(chan struct{}, 1)}
		c.remotes = append(c.remotes, r)
		wg.Go(func() { r.tools, r.problem = r.start(ctx) })
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, r := range c.remotes {
		for _, t := range r.tools {
			if seen[t.spec.Name] {
				t.spec.Name = hashed(t.spec.Name, r.Name+"\x00"+t.name)
			}
			seen[t.spec.Name] = true
			c.tools = append(c.tools, t)
		}
	}
	slices.SortFunc(c.tools, func(a, b agent.Tool) int { return strings.Compare(a.Spec().Name, b.Spec().Name) })
	return c
}

// Tools are the tools of all servers, sorted by name: mcp_<server>_<tool>.
func (c *Client) Tools() []agent.Tool { return c.tools }

// Problems are why servers, or tools of them, are not there.
func (c *Client) Problems() (errs []error) {
	for _, r := range c.remotes {
		if r.problem != nil {
			errs = append(errs, fmt.Errorf("mcp server %s: %w", r.Name, r.problem))
		}
	}
	return errs
}

// Close ends the connections and the programs.
func (c *Client) Close() {
	var wg sync.WaitGroup
	for _, r := range c.remotes {
		wg.Go(r.close)
	}
	wg.Wait()
}

// remote is one server.
type remote struct {
	ServerConfig
	o       ClientOptions
	tools   []*remoteTool
	problem error

	turn    chan struct{} // held by who looks at the rest
	session *mcp.ClientSession
	stop    func() // ends the program
}

// start lists the tools, or gives up when the server's time is over: also when
// its program then takes a while to end.
func (r *remote) start(ctx context.Context) ([]*remoteTool, error) {
	limit := r.Start
	if limit == 0 {
		limit = DefaultStart
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	type result struct {
		tools []*remoteTool
		err   error
	}
	listed := make(chan result, 1)
	go func() {
		defer cancel()
		tools, err := r.list(ctx)
		listed <- result{tools, err}
	}()
	var res result
	select {
	case res = <-listed:
	case <-ctx.Done():
		select {
		case res = <-listed: // what it says of itself is better than that it is late
		default:
			res.err = ctx.Err()
		}
	}
	// Who is late is cut off, and may come to say of itself just that.
	cut := errors.Is(res.err, mcp.ErrConnectionClosed) && errors.Is(ctx.Err(), context.DeadlineExceeded)
	if cut || errors.Is(res.err, context.DeadlineExceeded) {
		res.err = fmt.Errorf("it was not ready within %s, so its tools are left out of this run; \"start\" in its configuration gives it more seconds", limit)
	}
	return res.tools, res.err
}

// list connects and asks for the tools.
func (r *remote) list(ctx context.Context) (tools []*remoteTool, err error) {
	session, err := r.connected(ctx)
	if err != nil {
		return nil, err
	}
	bad := 0
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			return tools, fmt.Errorf("listing its tools: %w", err)
		}
		if len(tools) == maxTools {
			return tools, fmt.Errorf("it has more than %d tools; the others are left out", maxTools)
		}
		if len(r.Only) > 0 && !slices.Contains(r.Only, t.Name) {
			continue
		}
		tool, ok := newRemoteTool(r, t)
		if !ok {
			bad++
			continue
		}
		tools = append(tools, tool)
	}
	if bad > 0 {
		return tools, fmt.Errorf("%d of its tools have no usable schema and are left out", bad)
	}
	return tools, nil
}

// connected is the open session, or a new one when there is none or it ended.
func (r *remote) connected(ctx context.Context) (*mcp.ClientSession, error) {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if r.session != nil {
		return r.session, nil
	}
	transport, stop := r.transport()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "topo", Version: r.o.Version},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}).Connect(ctx, transport, nil)
	if p, ok := transport.(*programTransport); ok {
		p.answered()
	}
	if err != nil {
		return nil, stop(fmt.Errorf("cannot connect: %w", err))
	}
	r.session, r.stop = session, func() { _ = stop(nil) }
	return session, nil
}

// disconnect drops a session that failed; the next call connects again.
func (r *remote) disconnect(session *mcp.ClientSession) {
	r.turn <- struct{}{}
	if r.session != session {
		<-r.turn
		return
	}
	stop := r.stop
	r.session, r.stop = nil, nil
	<-r.turn
	session.Close()
	stop()
}

func (r *remote) close() {
	r.turn <- struct{}{}
	session := r.session
	<-r.turn
	if session != nil {
		r.disconnect(session)
	}
}
