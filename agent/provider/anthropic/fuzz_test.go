package anthropic

import (
	"bytes"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/providertest"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// FuzzStream reads any bytes as an answer: an error or a message that keeps the
// rules, and never a panic.
func FuzzStream(f *testing.F) {
	for _, t := range providertest.Seeds() {
		f.Add(providertest.Render("/v1/messages", t))
	}
	p, err := New(wire.Config{BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		f.Fatal(err)
	}
	ask := agent.Request{Model: "m", Messages: []agent.Message{agent.UserText("x")}}
	f.Fuzz(func(t *testing.T, data []byte) {
		var deltas []agent.Delta
		res, err := newReader(p.wire, ask).read(bytes.NewReader(data), func(d agent.Delta) { deltas = append(deltas, d) })
		if err == nil {
			err = providertest.Check(res, deltas)
		} else if len(res.Message.Blocks) > 0 {
			t.Error("an error and a message")
		} else {
			return
		}
		if err != nil {
			t.Errorf("%v of %q", err, data)
		}
	})
}

// BenchmarkStream reads an answer of ten thousand pieces.
func BenchmarkStream(b *testing.B) {
	var turn providertest.Turn
	for range 100 {
		pieces := make([]string, 100)
		for i := range pieces {
			pieces[i] = "a few words "
		}
		turn = append(turn, providertest.Text(pieces...))
	}
	data := providertest.Render("/v1/messages", turn)
	p, err := New(wire.Config{BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		b.Fatal(err)
	}
	ask := agent.Request{Model: "m"}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := newReader(p.wire, ask).read(bytes.NewReader(data), func(agent.Delta) {}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e4, "ns/piece")
}
