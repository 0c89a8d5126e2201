package openai

import (
	"encoding/json"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// The official SDK, which shares nothing with our reader or with the scripted
// server, reads the same messages from it.
func TestOfficialReaderAgrees(t *testing.T) {
	for i, turn := range []providertest.Turn{
		{providertest.Text("a", "b")},
		{providertest.Ping(), providertest.Text("x"), providertest.Use("c1", "read", `{"path":`, `"a"}`), providertest.Ping()},
		{providertest.Use("a", "ls", "{}"), providertest.Use("b", "ls", "", `{"z":1}`)},
		{providertest.Step{Calls: []providertest.Call{{ID: "a", Name: "ls", Input: []string{`{"z"`, `:"1"}`}}, {ID: "b", Name: "read", Input: []string{`{"path":"2"}`}}}}},
		{providertest.Text("cut"), providertest.Stop(agent.StopMaxTokens)},
	} {
		srv := providertest.New(turn, turn)
		client := sdk.NewClient(option.WithBaseURL(srv.OpenAI()+"/"), option.WithAPIKey("k"), option.WithMaxRetries(0))
		s := client.Chat.Completions.NewStreaming(t.Context(), sdk.ChatCompletionNewParams{Model: "test-model", Messages: []sdk.ChatCompletionMessageParamUnion{sdk.UserMessage("x")}})
		acc := sdk.ChatCompletionAccumulator{}
		for s.Next() {
			acc.AddChunk(s.Current())
		}
		if s.Err() != nil || len(acc.Choices) != 1 {
			t.Fatalf("%v, %d choices", s.Err(), len(acc.Choices))
		}
		theirs := acc.Choices[0]
		p, err := New(OpenAI, wire.Config{BaseURL: srv.OpenAI()})
		if err != nil {
			t.Fatal(err)
		}
		ours, err := p.Stream(t.Context(), agent.Request{Model: "test-model", Messages: []agent.Message{agent.UserText("x")}}, func(agent.Delta) {})
		if err != nil {
			t.Fatal(err)
		}
		srv.Close()
		calls := ours.Message.Calls()
		if ours.Message.Text() != theirs.Message.Content || stops[theirs.FinishReason] != ours.Stop || len(calls) != len(theirs.Message.ToolCalls) || int(acc.Usage.CompletionTokens) != ours.Usage.Output {
			t.Fatalf("%d: ours %+v\ntheirs %+v", i, ours, theirs)
		}
		for k, c := range theirs.Message.ToolCalls {
			if c.ID != calls[k].ID || c.Function.Name != calls[k].Name || string(wire.Canonical([]byte(c.Function.Arguments))) != string(calls[k].Input) {
				t.Errorf("%d: ours %+v, theirs %s %s %s", i, calls[k], c.ID, c.Function.Name, c.Function.Arguments)
			}
		}
	}
}

// The official SDK reads a request of ours into its own types, and writes the
// same from them: no field is misspelt, misplaced or of another type. What other
// servers want beyond OpenAI's own, the golden files hold.
func TestOfficialWriterAgrees(t *testing.T) {
	req := ask()
	req.Messages[1].Blocks = req.Messages[1].Blocks[1:]
	for _, f := range []Flavour{OpenAI, VLLM} {
		ours := body(t, f, req)
		var params sdk.ChatCompletionNewParams
		if err := json.Unmarshal(ours, &params); err != nil {
			t.Fatal(err)
		}
		if len(params.Messages) != 6 || len(params.Tools) != 1 || params.ResponseFormat.OfJSONSchema == nil || params.ReasoningEffort != "low" {
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
