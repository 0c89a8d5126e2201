package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/topo-dev/topo/internal/lazy"
)

// ServerConfig is one server whose tools the agent may use.
type ServerConfig struct {
	Name    string
	Command string // program of a server on standard input and output
	Args    []string
	Env     map[string]string // besides the usual environment
	URL     string            // of a server over HTTP, instead of Command
	Headers map[string]string // such as Authorization
	Timeout time.Duration     // of one call; 0 is [DefaultTimeout]
	Start   time.Duration     // how long the agent waits for it at the beginning of a run; 0 is [DefaultStart]
	Only    []string          // offer these tools only; empty offers all
}

// DefaultTimeout bounds one call of a server's tool.
const DefaultTimeout = time.Minute

// DefaultStart bounds what a server may delay the start of a run.
const DefaultStart = 3 * time.Second

// Host is the host of a server over HTTP, empty for a program.
func (c ServerConfig) Host() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// rawServer is a server in the file, whose keys are those that other programs
// have as well.
type rawServer struct {
	Type     string            `json:"type"` // stdio, http or streamable-http; follows from the rest
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Timeout  float64           `json:"timeout"` // seconds
	Start    float64           `json:"start"`   // seconds
	Tools    []string          `json:"tools"`
	Disabled bool              `json:"disabled"`
}

// Limits of a configuration.
const (
	MaxConfig  = 1 << 20 // bytes
	maxServers = 32
	maxTimeout = time.Hour
)

var serverName = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$`)

// ParseConfig reads the servers of a configuration, sorted by name:
//
//	{"mcpServers": {"tickets": {"command": "tickets-mcp", "args": ["--ro"], "env": {"TOKEN": "${TICKETS_TOKEN}"}},
//	                "docs": {"url": "https://docs.example/mcp", "headers": {"Authorization": "Bearer ${DOCS_TOKEN}"}}}}
//
// ${NAME} in values of env and headers is replaced by what lookup returns:
// no secret needs to be in the file; a name that is not set is an error.
func ParseConfig(data []byte, lookup func(string) (string, bool)) ([]ServerConfig, error) {
	if len(data) > MaxConfig {
		return nil, fmt.Errorf("larger than %d bytes", MaxConfig)
	}
	var file struct {
		Servers map[string]json.RawMessage `json:"mcpServers"`
	}
	if err := strict(data, &file); err != nil {
		return nil, err
	}
	if len(file.Servers) > maxServers {
		return nil, fmt.Errorf("%d servers; the most is %d", len(file.Servers), maxServers)
	}
	var out []ServerConfig
	for name, raw := range file.Servers {
		var r rawServer
		if err := strict(raw, &r); err != nil {
			return nil, fmt.Errorf("server %q: %w", name, err)
		}
		if r.Disabled {
			continue
		}
		c, err := r.config(name, lookup)
		if err != nil {
			return nil, fmt.Errorf("server %q: %w", name, err)
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b ServerConfig) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// strict decodes one JSON value and refuses keys that it does not know: a
// misspelt one would silently do nothing.
func strict(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the JSON object")
	}
	return nil
}

func (r rawServer) config(name string, lookup func(string) (string, bool)) (ServerConfig, error) {
	c := ServerConfig{Name: name, Command: r.Command, Args: r.Args, URL: r.URL, Only: r.Tools}
	if !serverName().MatchString(name) {
		return c, errors.New("the name must be 1 to 32 letters, digits, - or _")
	}
	if (r.Command == "") == (r.URL == "") {
		return c, errors.New("give either command, a program, or url")
	}
	if r.URL != "" {
		u, err := url.Parse(r.URL)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return c, errors.New("url: expected http:// or https:// with a host")
		}
		if u.Scheme == "http" && !Loopback(u.Host) && !Loopback(u.Host+":80") {
			return c, errors.New("url: http:// would send what is said, and the token, in the clear; use https://")
		}
	}
	var err error
	if c.Timeout, err = seconds("timeout", r.Timeout); err != nil {
		return c, err
	}
	if c.Start, err = seconds("start", r.Start); err != nil {
		return c, err
	}
	if c.Env, err = expand(r.Env, lookup); err != nil {
		return c, fmt.Errorf("env: %w", err)
	}
	if c.Headers, err = expand(r.Headers, lookup); err != nil {
		return c, fmt.Errorf("headers: %w", err)
	}
	return c, nil
}

func seconds(key string, n float64) (time.Duration, error) {
	if n < 0 || n > maxTimeout.Seconds() {
		return 0, fmt.Errorf("%s: %v seconds; from 0 to %v", key, n, maxTimeout.Seconds())
	}
	return time.Duration(n * float64(time.Second)), nil
}

var variable = lazy.Regexp(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

func expand(values map[string]string, lookup func(string) (string, bool)) (map[string]string, error) {
	out := map[string]string{}
	for key, v := range values {
		var missing string
		out[key] = variable().ReplaceAllStringFunc(v, func(m string) string {
			name := variable().FindStringSubmatch(m)[1]
			value, ok := lookup(name)
			if !ok {
				missing = name
			}
			return value
		})
		if missing != "" {
			return nil, fmt.Errorf("%s: the environment variable %s is not set", key, missing)
		}
		if strings.ContainsAny(key+out[key], "\r\n\x00") {
			return nil, fmt.Errorf("%s: a line break or NUL in it", key)
		}
	}
	return out, nil
}
