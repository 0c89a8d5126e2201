package wire

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
)

func TestReadFault(t *testing.T) {
	for in, want := range map[string]Fault{
		`{"type":"error","error":{"type":"overloaded_error","message":"m"}}`: {Types: []string{"overloaded_error"}, Message: "m"},
		`{"error":{"code":"insufficient_quota","type":"x","message":"m"}}`:   {Types: []string{"insufficient_quota", "x"}, Message: "m"},
		`{"error":{"code":502,"message":"m"}}`:                               {Status: 502, Message: "m"},
		`{"error":{"code":"429","message":"m"}}`:                             {Status: 429, Types: []string{"429"}, Message: "m"},
		`{"error":"text"}`:                                                   {Message: "text"},
		`{"error":{"message":{"odd":1}}}`:                                    {Message: `{"message":{"odd":1}}`},
		`{"error":[1]}`:                                                      {Message: "[1]"},
		`{"message":"m","type":"BadRequestError"}`:                           {Types: []string{"BadRequestError"}, Message: "m"},
		`{"detail":"Not Found"}`:                                             {Message: "Not Found"},
		"upstream connect error":                                             {Message: "upstream connect error"},
	} {
		if got, ok := ReadFault([]byte(in)); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v %v, want %+v", in, got, ok, want)
		}
	}
	for _, in := range []string{`{}`, `{"error":null}`, `{"choices":[]}`} {
		if f, ok := ReadFault([]byte(in)); ok {
			t.Errorf("%s is an error: %+v", in, f)
		}
	}
}

func TestKindsOfFaults(t *testing.T) {
	paced := http.Header{"Retry-After": {"3"}}
	for _, c := range []struct {
		f    Fault
		want agent.ErrorKind
	}{
		{Fault{Status: 400, Types: []string{"invalid_request_error"}, Message: "prompt is too long: 1 > 0"}, agent.ErrContext},
		{Fault{Status: 400, Types: []string{"invalid_request_error"}, Message: "input length and `max_tokens` exceed context limit"}, agent.ErrContext},
		{Fault{Status: 400, Message: "This model's maximum context length is 4096 tokens"}, agent.ErrContext},
		{Fault{Status: 400, Types: []string{"exceed_context_size_error"}}, agent.ErrContext},
		{Fault{Status: 500, Message: "the request exceeds the available context size"}, agent.ErrServer},
		{Fault{Status: 400, Types: []string{"invalid_request_error"}, Message: "Your credit balance is too low"}, agent.ErrSpend},
		{Fault{Status: 400, Types: []string{"invalid_request_error"}, Message: "You have reached your specified API usage limits."}, agent.ErrSpend},
		{Fault{Status: 429, Types: []string{"rate_limit_error"}, Message: "This would exceed your rate limit; contact sales for a larger quota"}, agent.ErrRateLimit},
		{Fault{Status: 429, Types: []string{"rate_limit_error"}, Message: "monthly spend limit"}, agent.ErrSpend},
		{Fault{Status: 429, Types: []string{"rate_limit_error"}, Message: "monthly spend limit", Header: paced}, agent.ErrRateLimit},
		{Fault{Status: 429, Types: []string{"insufficient_quota"}, Header: paced}, agent.ErrSpend},
		{Fault{Status: 429}, agent.ErrRateLimit},
		{Fault{Status: 404, Types: []string{"not_found_error"}, Message: "model: x"}, agent.ErrRequest},
		{Fault{Status: 401, Types: []string{"invalid_api_key", "invalid_request_error"}}, agent.ErrAuth},
		{Fault{Status: 422, Message: "x"}, agent.ErrRequest},
		{Fault{Status: 418, Message: "x"}, agent.ErrRequest},
		{Fault{Status: 504}, agent.ErrServer},
		{Fault{Status: 503, Types: []string{"unavailable_error"}, Message: "Loading model"}, agent.ErrOverloaded},
		{Fault{Inside: true, Types: []string{"api_error"}}, agent.ErrServer},
		{Fault{Inside: true, Types: []string{"unheard_of"}}, agent.ErrServer},
		{Fault{Inside: true, Types: []string{"invalid_request_error"}}, agent.ErrRequest},
		{Fault{Inside: true, Types: []string{"rate_limit_error"}, Message: "billing"}, agent.ErrSpend},
		{Fault{Inside: true, Status: 502}, agent.ErrServer},
		{Fault{Inside: true, Status: 429}, agent.ErrRateLimit},
		{Fault{Inside: true, Message: "something"}, agent.ErrServer},
	} {
		c2 := &Client{Name: "p"}
		var pe *agent.ProviderError
		if err := c2.Error(c.f); !errors.As(err, &pe) || pe.Kind != c.want {
			t.Errorf("%+v: %v, want %s", c.f, err, c.want)
		} else if c.f.Inside && pe.Status != 0 {
			t.Errorf("%+v: an error inside a stream has status %d", c.f, pe.Status)
		}
	}
}

func FuzzReadFault(f *testing.F) {
	f.Add(`{"error":{"code":429,"type":"x","message":"m"},"detail":[]}`)
	f.Fuzz(func(t *testing.T, s string) {
		c := &Client{Name: "p", Config: Config{Key: NewSecret("QQQQ")}}
		fault, _ := ReadFault([]byte(s))
		fault.Inside = true
		if msg := c.Error(fault).Error(); strings.Contains(msg, "QQQQ") || strings.ContainsAny(msg, "\n\x1b") {
			t.Errorf("%q gives %q", s, msg)
		}
	})
}
