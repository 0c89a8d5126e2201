package openai

import (
	"io"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/wire"
)

const streamPath = "/v1/chat/completions"

// reading reads answers to ask.
func reading(t testing.TB, ask agent.Request) providertest.ReadFunc {
	p, err := New(OpenRouter, wire.Config{BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	return func(body io.Reader, emit func(agent.Delta)) (agent.Response, error) {
		return newReader(p.wire, ask).read(body, emit)
	}
}

func FuzzStream(f *testing.F) {
	ask := agent.Request{Model: "m", Messages: []agent.Message{agent.UserText("x")}}
	providertest.FuzzStream(f, streamPath, reading(f, ask))
}

func BenchmarkStream(b *testing.B) {
	providertest.BenchmarkStream(b, streamPath, reading(b, agent.Request{Model: "m"}))
}
