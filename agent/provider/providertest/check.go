package providertest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"

	"github.com/topo-dev/topo/agent"
)

// Render is the body that the server sends for a turn at a path, for tests and
// fuzzers of readers.
func Render(path string, t Turn) []byte {
	s := Offline(func(Recorded) Turn { return t })
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(`{"model":"test-model"}`)))
	return w.Body.Bytes()
}

// Seeds are turns that between them have every kind of step that ends well or
// badly, for fuzzers.
func Seeds() []Turn {
	return []Turn{
		{Ping(), Think("c2ln", "h", "m"), Step{Redacted: "ZGF0YQ=="}, Text("a", "b"), Unknown(), Use("c", "read", `{"path":`, `"a"}`)},
		{Step{Calls: []Call{{ID: "a", Name: "ls", Input: []string{"{", "}"}}, {Name: "ls"}}}, Stop(agent.StopMaxTokens)},
		{Text("a"), Fail(agent.ErrOverloaded)},
		{Text("a"), Cut()},
		{Use("c", "read", `{"path"`), Stop(agent.StopRefusal)},
	}
}

// Check says what is wrong with a response that a reader made, whatever it was
// made of: the rules that every reader of a transcript relies on.
func Check(res agent.Response, deltas []agent.Delta) error {
	if res.Message.Role != agent.Assistant || res.Stop == "" {
		return fmt.Errorf("role %q, stop %q", res.Message.Role, res.Stop)
	}
	ids, err := checkCalls(res.Message.Calls())
	if err != nil {
		return err
	}
	if (res.Stop == agent.StopCalls) != (len(ids) > 0) && (res.Stop == agent.StopCalls || res.Stop == agent.StopEnd) {
		return fmt.Errorf("stop %q with %d calls", res.Stop, len(ids))
	}
	if u := res.Usage; u.Input < 0 || u.Output < 0 || u.CacheRead < 0 || u.CacheWrite < 0 || u.USD != nil && !(*u.USD >= 0) {
		return fmt.Errorf("usage %+v", u)
	}
	announced := map[string]bool{}
	size := 0
	for _, d := range deltas {
		switch d.Kind {
		case agent.DeltaCall:
			announced[d.ID] = true
		case agent.DeltaText:
			size += len(d.Text)
		case agent.DeltaRetry, agent.DeltaReset:
			return fmt.Errorf("a reader emitted %s", d.Kind)
		}
	}
	for id := range ids {
		if !announced[id] {
			return fmt.Errorf("call %q was not passed on", id)
		}
	}
	if text := res.Message.Text(); len(text) > 0 && size == 0 {
		return fmt.Errorf("the text %q was not passed on", text)
	}
	_, err = json.Marshal(res.Message)
	return err
}

func checkCalls(calls []agent.Call) (ids map[string]bool, err error) {
	ids = map[string]bool{}
	for _, c := range calls {
		var object map[string]json.RawMessage
		if json.Unmarshal(c.Input, &object) != nil || object == nil {
			return nil, fmt.Errorf("input of a call is no object: %q", c.Input)
		}
		if c.Invalid != "" && string(c.Input) != "{}" {
			return nil, fmt.Errorf("a call is invalid and has the input %s", c.Input)
		}
		if c.ID == "" || ids[c.ID] {
			return nil, fmt.Errorf("id %q is empty or there twice", c.ID)
		}
		ids[c.ID] = true
	}
	return ids, nil
}

// SameRequest is an error unless theirs, what an official SDK writes after
// reading the request ours, is the same JSON, but for the stream that ours asks
// for: the SDK adds that when it sends.
func SameRequest(ours, theirs []byte) error {
	var a, b map[string]any
	if err := errors.Join(json.Unmarshal(ours, &a), json.Unmarshal(theirs, &b)); err != nil {
		return err
	}
	if a["stream"] != true {
		return errors.New("no stream is asked for")
	}
	delete(a, "stream")
	delete(b, "stream")
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("ours\n%s\nthe SDK's\n%s", ours, theirs)
	}
	return nil
}
