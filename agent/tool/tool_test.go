package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
)

type part struct {
	Old string `json:"old"`
	New string `json:"new"`
}

type input struct {
	Path  string            `json:"path" jsonschema:"File to read" tool:"min=1,max=8"`
	Limit int               `json:"limit,omitempty" tool:"min=1,max=100,default=10"`
	Mode  string            `json:"mode,omitempty" tool:"enum=content|files,default=content"`
	Edits []part            `json:"edits,omitempty" tool:"max=2"`
	Deep  bool              `json:"deep,omitempty"`
	Env   map[string]string `json:"env,omitempty"`
	Ratio *float64          `json:"ratio,omitempty" tool:"min=0"`
}

func example(run func(context.Context, input) (agent.Output, error)) agent.Tool {
	if run == nil {
		run = func(_ context.Context, in input) (agent.Output, error) { return agent.Output{Text: in.Path}, nil }
	}
	return New(Definition{Name: "example", Description: "d", Idempotent: true},
		func(in input) ([]agent.Access, error) { return []agent.Access{{Op: agent.OpRead, Path: in.Path}}, nil }, run)
}

func TestSchema(t *testing.T) {
	const want = `{"type":"object","properties":{` +
		`"path":{"type":"string","description":"File to read","minLength":1,"maxLength":8},` +
		`"limit":{"type":"integer","default":10,"minimum":1,"maximum":100},` +
		`"mode":{"type":"string","default":"content","enum":["content","files"]},` +
		`"edits":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string"},"new":{"type":"string"}},"required":["old","new"],"additionalProperties":false},"maxItems":2},` +
		`"deep":{"type":"boolean"},` +
		`"env":{"type":"object","additionalProperties":{"type":"string"}},` +
		`"ratio":{"type":"number","minimum":0}},` +
		`"required":["path"],"additionalProperties":false}`
	for range 20 {
		if got := string(example(nil).Spec().Schema); got != want {
			t.Fatalf("schema\n%s\nwant\n%s", got, want)
		}
	}
	if s := example(nil).Spec(); s.Name != "example" || !s.Idempotent || s.ReadOnly {
		t.Errorf("spec %+v", s)
	}
}

var inputs = []struct{ in, want string }{
	{`{"path":"a"}`, ""},
	{` {"path":"a","limit":100,"mode":"files","edits":[{"old":"x","new":""}],"deep":true,"env":{"A":"b"},"ratio":1.5} `, ""},
	{`{"path":"äöüßäöüß"}`, ""},
	{``, `path is missing (a string)`},
	{`{}`, `path is missing (a string)`},
	{`{"path":1}`, `path must be a string, not integer`},
	{`{"path":null}`, `path must be a string, not null`},
	{`{"path":""}`, `path must have at least 1 characters, not 0`},
	{`{"path":"123456789"}`, `path must have at most 8 characters, not 9`},
	{`{"path":"a","limit":"5"}`, `limit must be an integer, not string`},
	{`{"path":"a","limit":2.5}`, `limit must be an integer, not number`},
	{`{"path":"a","limit":1e2}`, `limit must be an integer, not number`},
	{`{"path":"a","limit":99999999999999999999}`, `limit must be an integer, not number`},
	{`{"path":"a","limit":0}`, `limit must be at least 1, not 0`},
	{`{"path":"a","limit":101}`, `limit must be at most 100, not 101`},
	{`{"path":"a","mode":"lines"}`, `mode must be one of "content", "files", not "lines"`},
	{`{"pth":"a"}`, `path is missing (a string); there is no field "pth"; did you mean path?`},
	{`{"path":"a","Path":"b"}`, `there is no field "Path"; did you mean path?`},
	{`{"path":"a","wholly":1}`, `there is no field "wholly"; the fields are path, limit, mode, edits, deep, env, ratio`},
	{`{"path":"a","path":"b"}`, `"path" is given twice`},
	{`{"path":"a","edits":[{"old":"x","old":"y"}]}`, `"edits[0].old" is given twice`},
	{`{"path":"a","edits":[{"old":"x"}]}`, `edits[0].new is missing (a string)`},
	{`{"path":"a","edits":[{"old":"x","new":1}]}`, `edits[0].new must be a string, not integer`},
	{`{"path":"a","edits":[1]}`, `edits[0] must be an object, not integer`},
	{`{"path":"a","edits":{}}`, `edits must be an array, not object`},
	{`{"path":"a","edits":[{"old":"","new":""},{"old":"","new":""},{"old":"","new":""}]}`, `edits must have at most 2 items, not 3`},
	{`{"path":"a","env":{"A":1}}`, `env.A must be a string, not integer`},
	{`{"path":"a","ratio":-1}`, `ratio must be at least 0, not -1`},
	{`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}`, `; and 2 more`},
	{`[]`, `the input must be an object, not array`},
	{`null`, `the input must be an object, not null`},
	{`{"path":"a"`, `it is not JSON: it ends too early`},
	{`{"path":}`, `it is not JSON: invalid character '}'`},
	{`{"path":"a"} {}`, `something follows the JSON object`},
	{strings.Repeat(`{"path":`, 100), `it is nested more than 32 deep`},
	{strings.Repeat(`[`, 100000), `it is nested more than 32 deep`},
}

func TestInput(t *testing.T) {
	tool := example(nil)
	for _, c := range inputs {
		_, accessErr := tool.Access(json.RawMessage(c.in))
		_, runErr := tool.Run(t.Context(), json.RawMessage(c.in))
		for _, err := range []error{accessErr, runErr} {
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%.80s: %v", c.in, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%.80s: error %v, want %q", c.in, err, c.want)
			case err != nil && !strings.HasPrefix(err.Error(), "the input of example is not valid: "):
				t.Errorf("error does not name the tool: %v", err)
			}
		}
	}
}

func TestTooLong(t *testing.T) {
	in := `{"path":"` + strings.Repeat("a", maxInput) + `"}`
	if _, err := example(nil).Access(json.RawMessage(in)); err == nil || !strings.Contains(err.Error(), "do it in several calls") {
		t.Errorf("error %v", err)
	}
}

func TestRun(t *testing.T) {
	ran := false
	tool := example(func(_ context.Context, in input) (agent.Output, error) {
		ran = true
		return agent.Output{}, errors.New(in.Path)
	})
	if _, err := tool.Run(t.Context(), json.RawMessage(`{"path":1}`)); err == nil || ran {
		t.Errorf("an invalid input was run: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tool.Run(ctx, json.RawMessage(`{"path":"x"}`)); !errors.Is(err, context.Canceled) || ran {
		t.Errorf("a cancelled call was run: %v", err)
	}
	if _, err := tool.Run(t.Context(), json.RawMessage(`{"path":"x"}`)); err == nil || err.Error() != "x" || !ran {
		t.Errorf("error %v", err)
	}
	access, err := tool.Access(json.RawMessage(`{"path":"x"}`))
	if err != nil || len(access) != 1 || access[0].Path != "x" {
		t.Errorf("access %v, %v", access, err)
	}
	none := New[struct{}](Definition{Name: "none"}, nil, nil)
	if access, err := none.Access(nil); access != nil || err != nil {
		t.Errorf("access of a tool that touches nothing: %v, %v", access, err)
	}
	if _, err := none.Access(json.RawMessage(`{"a":1}`)); err == nil || !strings.Contains(err.Error(), "there are no fields") {
		t.Errorf("error %v", err)
	}
}

func TestMistakes(t *testing.T) {
	for name, make := range map[string]func(){
		"not a struct": func() { New[string](Definition{}, nil, nil) },
		"no schema":    func() { New[struct{ C chan int }](Definition{}, nil, nil) },
		"unknown tag": func() {
			New[struct {
				A int `tool:"least=1"`
			}](Definition{}, nil, nil)
		},
		"bad bound": func() {
			New[struct {
				A int `tool:"min=x"`
			}](Definition{}, nil, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("New accepted it")
				}
			}()
			make()
		})
	}
}

// FuzzInput holds the checker to the schema library: what the checker accepts
// is valid by the library and fits the struct, and what the library refuses is
// refused here. (The checker refuses more: repeated keys, 1.0 for an integer.)
func FuzzInput(f *testing.F) {
	for _, c := range inputs {
		f.Add([]byte(c.in))
	}
	s, err := schemaOf[input]()
	if err != nil {
		f.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		err := checker{s}.input(raw)
		var v any
		dec := json.NewDecoder(bytes.NewReader(raw))
		if dec.Decode(&v) == nil && resolved.Validate(v) != nil && err == nil {
			t.Fatalf("accepted what the schema does not: %s", raw)
		}
		if err != nil {
			return
		}
		if err := resolved.Validate(v); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		var in input
		if err := json.Unmarshal(raw, &in); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
	})
}

func BenchmarkInput(b *testing.B) {
	tool := example(nil)
	in := json.RawMessage(inputs[1].in)
	for b.Loop() {
		if _, err := tool.Access(in); err != nil {
			b.Fatal(err)
		}
	}
}
