package openai

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// read reads lines of data as an answer.
func read(t *testing.T, f Flavour, data ...string) (agent.Response, error) {
	t.Helper()
	p, err := New(f, wire.Config{BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	body := "data: " + strings.Join(data, "\n\ndata: ") + "\n\n"
	return newReader(p.wire, agent.Request{Model: "asked"}).read(strings.NewReader(body), func(agent.Delta) {})
}

// calls is a chunk with pieces of tool calls.
func calls(pieces ...string) string {
	return `{"choices":[{"index":0,"delta":{"tool_calls":[` + strings.Join(pieces, ",") + `]}}]}`
}

func delta(s string) string { return `{"choices":[{"index":0,"delta":{` + s + `}}]}` }

const (
	finish = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	done   = "[DONE]"
)

// What servers are known to send, each in its own way.
func TestDialects(t *testing.T) {
	for _, c := range []struct {
		name string
		data []string
		want string // blocks, or a part of the error after "!"
	}{
		{"OpenAI", []string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":""}}`), calls(`{"index":0,"function":{"arguments":"{\"p\":"}}`), calls(`{"index":0,"function":{"arguments":"1}"}}`), finish, done}, `ls a {"p":1}`},
		{"every call has index 0, and comes whole", []string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"p\":1}"}}`), calls(`{"index":0,"id":"b","function":{"name":"ls","arguments":"{\"p\":2}"}}`), finish, done}, `ls a {"p":1} | ls b {"p":2}`},
		{"the same without ids", []string{calls(`{"index":0,"function":{"name":"ls","arguments":"{\"p\":1}"}}`), calls(`{"index":0,"function":{"name":"ls","arguments":"{\"p\":2}"}}`), finish, done}, `ls call_1 {"p":1} | ls call_2 {"p":2}`},
		{"no index", []string{calls(`{"id":"a","function":{"name":"ls","arguments":"{}"}}`), calls(`{"id":"b","function":{"name":"read","arguments":"{}"}}`), finish, done}, `ls a {} | read b {}`},
		{"no index, in pieces", []string{calls(`{"id":"a","function":{"name":"ls"}}`), calls(`{"function":{"arguments":"{\"p\""}}`), calls(`{"function":{"arguments":":1}"}}`), finish, done}, `ls a {"p":1}`},
		{"id and name with every piece", []string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"p\""}}`), calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":":1}"}}`), finish, done}, `ls a {"p":1}`},
		{"name in pieces", []string{calls(`{"index":0,"id":"a","function":{"name":"re"}}`), calls(`{"index":0,"function":{"name":"ad"}}`), calls(`{"index":0,"function":{"arguments":"{}"}}`), finish, done}, `read a {}`},
		{"id after the name", []string{calls(`{"index":0,"function":{"name":"ls"}}`), calls(`{"index":0,"id":"a","function":{"arguments":"{}"}}`), finish, done}, `ls a {}`},
		{"arguments as an object", []string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":{"p":[1, 2]}}}`), finish, done}, `ls a {"p":[1,2]}`},
		{"arguments null", []string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":null}}`), finish, done}, `ls a {}`},
		{"indices with a gap, out of order", []string{calls(`{"index":7,"id":"b","function":{"name":"ls","arguments":"{\"p\":"}}`), calls(`{"index":3,"id":"a","function":{"name":"ls","arguments":"{}"}}`), calls(`{"index":7,"function":{"arguments":"1}"}}`), finish, done}, `ls b {"p":1} | ls a {}`},
		{"two in one chunk", []string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}`, `{"index":1,"id":"b","function":{"name":"ls","arguments":"{}"}}`), finish, done}, `ls a {} | ls b {}`},
		{"text between calls", []string{delta(`"content":"x"`), calls(`{"index":0,"id":"a","function":{"name":"ls"}}`), delta(`"content":"y"`), finish, done}, `x | ls a {} | y`},
		{"content as a list", []string{delta(`"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]`), finish, done}, "ab"},
		{"content null", []string{delta(`"content":null,"tool_calls":null,"reasoning_details":null`), finish, done}, ""},
		{"content of another kind", []string{delta(`"content":{"odd":1}`), finish, done}, ""},
		{"reasoning_content", []string{delta(`"reasoning_content":"hm"`), delta(`"content":"a"`), finish, done}, "(hm) | a"},
		{"reasoning and reasoning_content", []string{delta(`"reasoning":"hm","reasoning_content":"hm"`), finish, done}, "(hm)"},
		{"thinking in the details alone", []string{delta(`"reasoning_details":[{"type":"reasoning.summary","summary":"hm"}]`), finish, done}, `(hm)`},
		{"details of odd types", []string{delta(`"reasoning_details":[{"type":{},"index":[]},{"type":{},"index":[]},7,null]`), delta(`"content":"a"`), finish, done}, "() | a"},
		{"another choice", []string{`{"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"stop"}]}`, delta(`"content":"a"`), finish, done}, "a"},
		{"no choices", []string{`{"choices":[]}`, `{"prompt_filter_results":[]}`, delta(`"content":"a"`), finish, done}, "a"},
		{"end without [DONE]", []string{delta(`"content":"a"`), finish}, "a"},
		{"[DONE] without a reason", []string{delta(`"content":"a"`), done}, "!without a reason"},
		{"end without a reason", []string{delta(`"content":"a"`)}, "!ended before"},
		{"failed in the middle", []string{delta(`"content":"a"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}`, done}, "!failed in the middle"},
		{"error with a reason to finish", []string{`{"error":{"code":502,"message":"upstream"},"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}`}, "!upstream"},
		{"error null", []string{`{"error":null,"choices":[{"index":0,"delta":{"content":"a"}}]}`, finish, done}, "a"},
		{"broken event", []string{`{"choices":[`, finish, done}, "!not valid"},
	} {
		res, err := read(t, Compatible, c.data...)
		got := shape(res.Message)
		if err != nil {
			got = "!" + err.Error()
			var pe *agent.ProviderError
			if !errors.As(err, &pe) || !pe.Retryable() {
				t.Errorf("%s: %v is not an error to retry", c.name, err)
			}
		}
		if err == nil && got != c.want || err != nil && (!strings.HasPrefix(c.want, "!") || !strings.Contains(got, c.want[1:])) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func shape(m agent.Message) string {
	var out []string
	for _, b := range m.Blocks {
		switch {
		case b.Call != nil:
			out = append(out, b.Call.Name+" "+b.Call.ID+" "+string(b.Call.Input)+b.Call.Invalid)
		case b.Kind == agent.BlockThinking:
			out = append(out, "("+b.Text+")")
		default:
			out = append(out, b.Text)
		}
	}
	return strings.Join(out, " | ")
}

func TestRefusal(t *testing.T) {
	res, err := read(t, OpenAI, delta(`"refusal":"I can"`), delta(`"refusal":"not."`), finish, done)
	if err != nil || res.Stop != agent.StopRefusal || res.Message.Text() != "I cannot." {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestUsage(t *testing.T) {
	cost := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		name, model, usage string
		f                  Flavour
		want               agent.Usage
	}{
		{"cached is part of the prompt", "x", `{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60,"cache_write_tokens":10}}`, OpenAI, agent.Usage{Input: 30, Output: 7, CacheRead: 60, CacheWrite: 10}},
		{"priced", "gpt-6.2-sol", `{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60}}`, OpenAI, agent.Usage{Input: 40, Output: 7, CacheRead: 60, USD: cost((40*2 + 60*0.1 + 7*10) / 1e6)}},
		{"no details", "x", `{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":null}`, Compatible, agent.Usage{Input: 100, Output: 7}},
		{"DeepSeek's cache", "x", `{"prompt_tokens":100,"completion_tokens":7,"prompt_cache_hit_tokens":90}`, Compatible, agent.Usage{Input: 10, Output: 7, CacheRead: 90}},
		{"OpenRouter's price", "x", `{"prompt_tokens":100,"completion_tokens":7,"cost":0.25}`, OpenRouter, agent.Usage{Input: 100, Output: 7, USD: cost(0.25)}},
		{"DeepInfra's price", "x", `{"prompt_tokens":100,"completion_tokens":7,"estimated_cost":0.5}`, DeepInfra, agent.Usage{Input: 100, Output: 7, USD: cost(0.5)}},
		{"negative", "x", `{"prompt_tokens":-1,"completion_tokens":-7,"cost":-3,"prompt_tokens_details":{"cached_tokens":-5}}`, OpenRouter, agent.Usage{}},
	} {
		res, err := read(t, c.f, `{"model":"`+c.model+`","choices":[],"usage":{"prompt_tokens":1}}`, finish, `{"choices":[],"usage":`+c.usage+`}`, done)
		got := res.Usage
		if err != nil || (got.USD == nil) != (c.want.USD == nil) || got.USD != nil && math.Abs(*got.USD-*c.want.USD) > 1e-12 {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		got.USD, c.want.USD = nil, nil
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if res, err := read(t, Compatible, delta(`"content":"a"`), finish, done); err != nil || res.Usage != (agent.Usage{}) {
		t.Errorf("no usage: %+v, %v", res.Usage, err)
	}
}
