package wire

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		url, key, want string // part of the error, "" for none
	}{
		{"https://api.example.com", "k", ""},
		{"https://api.example.com/v1/", "k", ""},
		{"http://127.0.0.1:8080/v1", "k", ""},
		{"http://[::1]:8080", "k", ""},
		{"http://localhost:1", "k", ""},
		{"http://vllm:8000", "k", ""},
		{"http://10.1.2.3", "k", ""},
		{"http://gpu.local", "k", ""},
		{"http://api.example.com", "", ""},
		{"http://api.example.com", "k", "plain http"},
		{"http://8.8.8.8", "k", "plain http"},
		{"http://localhost.evil.com", "k", "plain http"},
		{"ftp://x", "", "http or https"},
		{"api.example.com", "", "http or https"},
		{"", "", "http or https"},
		{"https://", "", "http or https"},
		{"https://u:secret@x.com", "", "no place"},
		{"https://x.com?key=secret", "", "no place"},
		{"https://x.com/\x00", "", "http or https"},
		{"https://x.com", "two words", "characters"},
		{"https://x.com", "k\x7f", "characters"},
	} {
		_, err := NewClient("p", Config{BaseURL: c.url, Key: NewSecret(c.key)}, 0)
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%q with %q: %v, want %q", c.url, c.key, err, c.want)
		}
	}
	if _, err := NewClient("p", Config{BaseURL: "http://x.com", Key: NewSecret("k")}, 0); !errors.Is(err, ErrInsecure) {
		t.Error(err)
	}
}

// An error that never ends is read no further than an error can be long.
func TestErrorsAreBounded(t *testing.T) {
	body := &endless{}
	c, err := NewClient("p", Config{BaseURL: "http://127.0.0.1"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	c.Retry.Attempts = 1
	_, err = c.Stream(t.Context(), func(agent.Delta) {}, Exchange{Send: func(context.Context) (*http.Response, error) {
		return &http.Response{StatusCode: 500, Header: http.Header{}, Body: body}, nil
	}})
	var pe *agent.ProviderError
	if !errors.As(err, &pe) || pe.Kind != agent.ErrServer || body.n > 2*maxFault {
		t.Errorf("%v after %d bytes", err, body.n)
	}
}

type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	e.n += len(p)
	return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
}

func (e *endless) Close() error { return nil }

func TestLimitsFilled(t *testing.T) {
	l := Limits{Idle: 7, Line: 9}.Filled()
	if l.Idle != 7 || l.Line != 9 || l.Connect != DefaultConnect || l.Total != DefaultTotal || l.Bytes != DefaultBytes {
		t.Errorf("%+v", l)
	}
}

// A server that takes a connection and never finishes its handshake is given up.
func TestConnectEnds(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := NewClient("p", Config{BaseURL: "https://" + l.Addr().String(), Limits: Limits{Connect: 20 * time.Millisecond}}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	c.Retry.Attempts = 1
	_, err = c.Stream(t.Context(), func(agent.Delta) {}, Exchange{Send: func(ctx context.Context) (*http.Response, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL.String(), nil)
		if err != nil {
			return nil, err
		}
		return c.HTTP.Do(r)
	}})
	var pe *agent.ProviderError
	if !errors.As(err, &pe) || pe.Kind != agent.ErrNetwork || !strings.Contains(pe.Message, "handshake timeout") {
		t.Error(err)
	}
}
