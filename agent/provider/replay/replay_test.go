package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/topo-dev/topo/agent"
)

// session goes through a recording as the loop would. Outcome says of each call
// whether it fails; nil is as recorded.
func session(p *Provider, outcome func(agent.Call) bool) (transcript []agent.Message, texts []string, err error) {
	transcript = []agent.Message{agent.UserText("Do it.")}
	for range 20 {
		var said string
		res, err := p.Stream(context.Background(), agent.Request{Messages: transcript}, func(d agent.Delta) {
			if d.Kind == agent.DeltaText {
				said += d.Text
			}
		})
		if err != nil {
			return transcript, texts, err
		}
		if said != res.Message.Text() {
			return nil, nil, fmt.Errorf("passed on %q, the message is %q", said, res.Message.Text())
		}
		texts = append(texts, said)
		transcript = append(transcript, res.Message)
		if res.Stop != agent.StopCalls {
			return transcript, texts, nil
		}
		transcript = append(transcript, answer(p.rec, res.Message, outcome))
	}
	return nil, nil, errors.New("no end")
}

func answer(rec Recording, m agent.Message, outcome func(agent.Call) bool) agent.Message {
	out := agent.Message{Role: agent.User}
	for _, c := range m.Calls() {
		r := agent.CallResult{ID: c.ID, Content: "what the tool said", IsError: rec.failed(c)}
		if outcome != nil {
			r.IsError = outcome(c)
		}
		out.Blocks = append(out.Blocks, agent.Block{Kind: agent.BlockResult, Result: &r})
	}
	return out
}

// failed is how a call of that name and input went in the recording.
func (rec Recording) failed(c agent.Call) bool {
	for _, t := range rec.Turns {
		for _, old := range t.Message.Calls() {
			if old.ID == c.ID {
				return t.Failed[old.ID]
			}
		}
	}
	return false
}

func TestDemoPlaysToItsEnd(t *testing.T) {
	_, texts, err := session(New(Demo()), nil)
	if err != nil || len(texts) != 5 || !strings.HasPrefix(texts[4], "All four tests pass.") {
		t.Errorf("%q, %v", texts, err)
	}
	if Demo().Title != "The login test fails. Find out why and repair it." || Demo().Model != "recorded" {
		t.Errorf("%+v", Demo())
	}
}

// What the recording says of the repository is true of it.
func TestDemoFits(t *testing.T) {
	code, err := fs.ReadFile(DemoFiles(), "login.sh")
	if err != nil {
		t.Fatal(err)
	}
	edits := 0
	for _, turn := range Demo().Turns {
		for _, c := range turn.Message.Calls() {
			if c.Name != "edit" {
				continue
			}
			edits++
			if old := `[ "$(lookup "$1" 3)" = "$2" ]`; strings.Count(string(code), old) != 1 || !strings.Contains(string(c.Input), `3)\" = \"$2\" ]`) {
				t.Errorf("the text to replace is not once in login.sh: %s", c.Input)
			}
		}
	}
	if edits != 1 {
		t.Errorf("%d edits", edits)
	}
}

// Nothing is claimed that did not happen.
func TestStopsWhereTheWaysPart(t *testing.T) {
	_, texts, err := session(New(Demo()), func(c agent.Call) bool { return c.Name == "bash" }) // the second run fails too
	var pe *agent.ProviderError
	if !errors.As(err, &pe) || pe.Kind != agent.ErrRequest || len(texts) != 4 || !strings.Contains(err.Error(), "its call of bash succeeded, here it failed: what the tool said") {
		t.Errorf("%d messages, %v", len(texts), err)
	}
	_, texts, err = session(New(Demo()), func(agent.Call) bool { return false })
	if len(texts) != 1 || err == nil || !strings.Contains(err.Error(), "its call of bash failed, here it succeeded") {
		t.Errorf("%d messages, %v", len(texts), err)
	}
}

func TestGoesOnFromAnyPoint(t *testing.T) {
	p := New(Demo())
	whole, _, err := session(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(whole); i += 2 { // before each message of the assistant
		res, err := p.Stream(t.Context(), agent.Request{Messages: whole[:i]}, func(agent.Delta) {})
		if err != nil || res.Message.Text() != whole[i].Text() {
			t.Errorf("from %d: %q, %v", i, res.Message.Text(), err)
		}
		if i < 3 {
			continue
		}
		short := append([]agent.Message{agent.UserText("Summary.")}, whole[i-2:i]...) // what compaction leaves
		if res, err := p.Stream(t.Context(), agent.Request{Messages: short}, func(agent.Delta) {}); err != nil || res.Message.Text() != whole[i].Text() {
			t.Errorf("compacted, from %d: %q, %v", i, res.Message.Text(), err)
		}
	}
	for name, more := range map[string][]agent.Message{
		"is over":              {agent.UserText("And now?")},
		"not in the recording": {agent.UserText("x"), {Role: agent.Assistant, Blocks: []agent.Block{{Kind: agent.BlockText, Text: "Hello."}}}, agent.UserText("y")},
	} {
		if _, err := p.Stream(t.Context(), agent.Request{Messages: append(append([]agent.Message{}, whole...), more...)}, func(agent.Delta) {}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := p.Stream(t.Context(), agent.Request{Messages: whole[:2]}, func(agent.Delta) {}); err == nil || !strings.Contains(err.Error(), "no result") {
		t.Errorf("a call without a result: %v", err)
	}
}

// The same message twice in a recording: the session's past tells which it is.
func TestRepeatedMessages(t *testing.T) {
	say := func(s string) Turn {
		return Turn{Message: agent.Message{Role: agent.Assistant, Blocks: []agent.Block{{Kind: agent.BlockText, Text: s}}}, Stop: agent.StopEnd}
	}
	rec := Recording{Turns: []Turn{say("again"), say("a"), say("again"), say("b"), say("again"), say("c")}}
	p := New(rec)
	transcript := []agent.Message{agent.UserText("x")}
	for _, want := range rec.Turns {
		res, err := p.Stream(t.Context(), agent.Request{Messages: transcript}, func(agent.Delta) {})
		if err != nil || res.Message.Text() != want.Message.Text() {
			t.Fatalf("%q, %v, want %q", res.Message.Text(), err, want.Message.Text())
		}
		transcript = append(transcript, res.Message, agent.UserText("x"))
	}
}

func TestPaceAndCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(Demo())
		p.Pace = time.Second
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		n := 0
		_, err := p.Stream(ctx, agent.Request{Messages: []agent.Message{agent.UserText("x")}}, func(agent.Delta) { n++ })
		if !errors.Is(err, context.DeadlineExceeded) || n != 3 {
			t.Errorf("%v after %d words", err, n)
		}
	})
}

func TestReadErrors(t *testing.T) {
	for in, want := range map[string]string{
		"": "no message in it",
		`{"Event":"session","Seq":1,"Version":99}`:    "line 1: version 99",
		"\n{\"Event\":\"note\"}\nnot JSON":            "line 3: invalid character",
		`{"Event":"message","Message":{"Role":7}}`:    "line 1:",
		strings.Repeat("x", maxLine+1):                "after line 0",
		`{"Event":"results","Message":{"Blocks":[]}}`: "no message in it",
	} {
		if _, err := Read(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", in, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(string(demoSession))
	f.Add(`{"Event":"message","Message":{"Role":"assistant","Blocks":[{"Kind":"call"},{"Kind":"text"},{"Kind":"call","Call":{"Input":null}}]}}`)
	f.Fuzz(func(t *testing.T, s string) {
		rec, err := Read(strings.NewReader(s))
		if err != nil {
			return
		}
		p := New(rec)
		if _, _, err := session(p, nil); err != nil {
			var pe *agent.ProviderError
			if !errors.As(err, &pe) && err.Error() != "no end" {
				t.Error(err)
			}
		}
	})
}
