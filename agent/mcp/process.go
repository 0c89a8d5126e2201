package mcp

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// terminate is how long a program may take to end after its input did.
const terminate = 2 * time.Second

// transport is the way to the server. stop ends its program, with everything
// that it started, and adds to err what it said last.
func (r *remote) transport() (t mcp.Transport, stop func(err error) error) {
	if r.URL != "" {
		client := &http.Client{Transport: withHeaders{r.Headers}, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // the headers are for this host alone
		}}
		return &mcp.StreamableClientTransport{Endpoint: r.URL, HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true}, func(err error) error { return err }
	}
	cmd := exec.Command(r.Command, r.Args...)
	cmd.Dir = r.o.Dir
	cmd.Env = environment(r.o.Environ, r.Env)
	said := &tail{}
	cmd.Stderr = said
	ownGroup(cmd)
	return &programTransport{CommandTransport: mcp.CommandTransport{Command: cmd, TerminateDuration: terminate}}, func(err error) error {
		killGroup(cmd)
		if text := said.String(); err != nil && text != "" {
			err = fmt.Errorf("%w (it said: %s)", err, text)
		}
		return err
	}
}

// programTransport is the way to a program. One that does not answer while it is waited
// for is killed, without a request to end first.
type programTransport struct {
	mcp.CommandTransport
	answered func() bool // ends the waiting
}

func (p *programTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	p.answered = func() bool { return false }
	conn, err := p.CommandTransport.Connect(ctx)
	if err == nil {
		p.answered = context.AfterFunc(ctx, func() { killGroup(p.Command) })
	}
	return conn, err
}

// withHeaders adds the headers of the configuration to requests.
type withHeaders struct{ headers map[string]string }

func (w withHeaders) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for key, value := range w.headers {
		req.Header.Set(key, value)
	}
	return http.DefaultTransport.RoundTrip(req)
}

// usual are the names that programs need and that hold no secret.
var usual = []string{"HOME", "LANG", "LOGNAME", "PATH", "SHELL", "SYSTEMROOT", "TEMP", "TERM", "TMP", "TMPDIR", "TZ", "USER", "XDG_RUNTIME_DIR"}

// environment is that of a server's program.
func environment(environ []string, more map[string]string) (out []string) {
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		for _, u := range usual {
			if strings.EqualFold(name, u) {
				out = append(out, kv)
			}
		}
		if strings.HasPrefix(name, "LC_") {
			out = append(out, kv)
		}
	}
	for name, value := range more {
		out = append(out, name+"="+value)
	}
	return out
}

// tail keeps the last line of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const maxTail = 512 // bytes

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*maxTail {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-maxTail:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(t.buf), "\uFFFD")), "\n")
	return lines[len(lines)-1]
}
