package anthropic

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// The official SDK, which shares nothing with our reader or with the scripted
// server, reads the same messages from it.
func TestOfficialReaderAgrees(t *testing.T) {
	for i, turn := range []providertest.Turn{
		{providertest.Text("a", "b")},
		{providertest.Ping(), providertest.Think("c2ln", "h", "m"), providertest.Text("x"), providertest.Use("c1", "read", `{"path":`, `"a"}`), providertest.Ping()},
		{providertest.Use("a", "ls"), providertest.Use("b", "ls", "", `{"z":1}`)},
		{providertest.Step{Calls: []providertest.Call{{ID: "a", Name: "ls", Input: []string{`{"z"`, `:"1"}`}}, {ID: "b", Name: "read", Input: []string{`{"path":"2"}`}}}}},
		{providertest.Text("cut"), providertest.Stop(agent.StopMaxTokens)},
	} {
		srv := providertest.New(turn, turn)
		client := sdk.NewClient(option.WithoutEnvironmentDefaults(), option.WithBaseURL(srv.URL+"/"), option.WithAPIKey("k"), option.WithMaxRetries(0))
		s := client.Messages.NewStreaming(t.Context(), sdk.MessageNewParams{Model: "test-model", MaxTokens: 10, Messages: []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock("x"))}})
		theirs := sdk.Message{}
		for s.Next() {
			if err := theirs.Accumulate(s.Current()); err != nil {
				t.Fatal(err)
			}
		}
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
		p, err := New(wire.Config{BaseURL: srv.URL})
		if err != nil {
			t.Fatal(err)
		}
		ours, err := p.Stream(t.Context(), agent.Request{Model: "test-model", Messages: []agent.Message{agent.UserText("x")}}, func(agent.Delta) {})
		if err != nil {
			t.Fatal(err)
		}
		srv.Close()
		if got, want := flat(ours.Message), flatSDK(theirs); got != want || stops[string(theirs.StopReason)] != ours.Stop || int(theirs.Usage.OutputTokens) != ours.Usage.Output {
			t.Errorf("%d: ours %s %s %d\ntheirs %s %s %d", i, got, ours.Stop, ours.Usage.Output, want, theirs.StopReason, theirs.Usage.OutputTokens)
		}
	}
}

func flat(m agent.Message) string {
	var out []string
	for _, b := range m.Blocks {
		switch {
		case b.Call != nil:
			out = append(out, b.Call.ID+" "+b.Call.Name+" "+string(b.Call.Input))
		default:
			out = append(out, string(b.Kind)+" "+b.Text+" "+b.Signature)
		}
	}
	return strings.Join(out, "|")
}

func flatSDK(m sdk.Message) string {
	var out []string
	for _, b := range m.Content {
		switch b.Type {
		case "tool_use":
			out = append(out, b.ID+" "+b.Name+" "+string(wire.Canonical(b.Input)))
		case "thinking":
			out = append(out, "thinking "+b.Thinking+" "+b.Signature)
		default:
			out = append(out, b.Type+" "+b.Text+" ")
		}
	}
	return strings.Join(out, "|")
}

// The official SDK reads each request of ours into its own types, and writes the
// same from them: no field is misspelt, misplaced or of another type.
func TestOfficialWriterAgrees(t *testing.T) {
	full := loop(2, 2)
	full.Effort, full.Schema = "high", json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}}}`)
	full.Messages[1].Blocks = append([]agent.Block{{Kind: agent.BlockThinking, Signature: "c2ln"}, {Kind: agent.BlockThinking, Text: "hm", Signature: "c2ln"}, {Kind: agent.BlockRedacted, Signature: "ZGF0YQ=="}}, full.Messages[1].Blocks...)
	old := loop(0, 0)
	old.Model, old.Effort = "claude-3-7-sonnet-latest", "medium"
	for _, req := range []agent.Request{loop(0, 0), full, old} {
		ours := body(t, req)
		var params sdk.MessageNewParams
		if err := json.Unmarshal(ours, &params); err != nil {
			t.Fatal(err)
		}
		if len(params.Messages) != len(req.Messages) || len(params.Tools) != len(req.Tools) || len(params.System) != 1 || params.MaxTokens == 0 {
			t.Errorf("the SDK read %+v of\n%s", params, ours)
		}
		theirs, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		if err := providertest.SameRequest(ours, theirs); err != nil {
			t.Error(err)
		}
	}
}
