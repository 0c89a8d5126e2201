package providertest

import (
	"bytes"
	"io"
	"testing"

	"github.com/topo-dev/topo/agent"
)

// ReadFunc is a provider's reader: it reads the body of an answer, passes on
// its pieces and returns the message.
type ReadFunc func(body io.Reader, emit func(agent.Delta)) (agent.Response, error)

// FuzzStream reads any bytes as an answer to a request at path: what comes back
// is an error or a message that keeps the rules, and never a panic.
func FuzzStream(f *testing.F, path string, read ReadFunc) {
	for _, t := range Seeds() {
		f.Add(Render(path, t))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var deltas []agent.Delta
		res, err := read(bytes.NewReader(data), func(d agent.Delta) { deltas = append(deltas, d) })
		if err == nil {
			err = Check(res, deltas)
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
func BenchmarkStream(b *testing.B, path string, read ReadFunc) {
	var turn Turn
	for range 100 {
		pieces := make([]string, 100)
		for i := range pieces {
			pieces[i] = "a few words "
		}
		turn = append(turn, Text(pieces...))
	}
	data := Render(path, turn)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read(bytes.NewReader(data), func(agent.Delta) {}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e4, "ns/piece")
}
