package providertest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/topo-dev/topo/agent"
)

// Turn is what the server answers to one request, in order. A turn that no step
// ends is ended as a model would: waiting for results when it holds calls, else
// done, with [DefaultUsage].
type Turn []Step

// DefaultUsage is what a turn without a usage of its own reports. The three kinds
// of input differ so that a provider that mixes them up is found out.
var DefaultUsage = agent.Usage{Input: 100, Output: 20, CacheRead: 30, CacheWrite: 10}

// Step is one thing the server does. One field is set.
//
// The JSON form, for scripts in files, has the same fields in lower case:
//
//	[[{"text":["Let me look."]},{"call":{"id":"c1","name":"read","input":["{\"path\":\"a\"}"]}}],
//	 [{"http":{"kind":"rate_limit","header":{"retry-after-ms":"1"}}}],
//	 [{"text":["Done."]},{"stop":"end"}]]
type Step struct {
	Text     []string         `json:"text,omitempty"`     // a text block, in these pieces
	Thinking *Thinking        `json:"thinking,omitempty"` // a block of thinking
	Redacted string           `json:"redacted,omitempty"` // encrypted thinking
	Call     *Call            `json:"call,omitempty"`     // a tool call
	Calls    []Call           `json:"calls,omitempty"`    // several, their pieces taken in turns
	Ping     bool             `json:"ping,omitempty"`     // a sign of life: ping, comment or empty line
	Unknown  bool             `json:"unknown,omitempty"`  // an event nobody has heard of
	Raw      string           `json:"raw,omitempty"`      // these bytes
	Hold     <-chan struct{}  `json:"-"`                  // wait until it is closed or the client is gone
	Reached  chan<- struct{}  `json:"-"`                  // close it: the script came here
	Usage    *agent.Usage     `json:"usage,omitempty"`    // reported when the turn ends
	Stop     agent.StopReason `json:"stop,omitempty"`     // ends the turn
	HTTP     *Fault           `json:"http,omitempty"`     // in place of a stream: an error status
	Error    *Fault           `json:"error,omitempty"`    // ends the turn: an error inside the stream
	Cut      bool             `json:"cut,omitempty"`      // ends the turn: the body ends, nothing else is sent
	Reset    bool             `json:"reset,omitempty"`    // ends the turn: the connection is reset
}

// Thinking is a block of thinking in pieces. Formats without signatures drop it.
type Thinking struct {
	Pieces    []string `json:"pieces"`
	Signature string   `json:"signature,omitempty"`
}

// Call is a tool call. Input are the fragments of its JSON; none at all is a call
// without input.
type Call struct {
	ID    string   `json:"id,omitempty"`
	Name  string   `json:"name"`
	Input []string `json:"input,omitempty"`
}

// Fault is an error as a server would report it. Status, type and message follow
// from Kind in the manner of each format unless they are given.
type Fault struct {
	Kind    agent.ErrorKind   `json:"kind"`
	Status  int               `json:"status,omitempty"`
	Type    string            `json:"type,omitempty"`
	Message string            `json:"message,omitempty"`
	Header  map[string]string `json:"header,omitempty"`
	Body    string            `json:"body,omitempty"` // of an HTTP error, in place of the format's own
}

// Text is a text block in pieces.
func Text(pieces ...string) Step { return Step{Text: pieces} }

// Think is a block of thinking.
func Think(signature string, pieces ...string) Step {
	return Step{Thinking: &Thinking{Pieces: pieces, Signature: signature}}
}

// Use is a tool call whose input comes in these fragments.
func Use(id, name string, input ...string) Step {
	return Step{Call: &Call{ID: id, Name: name, Input: input}}
}

// Stop ends a turn for a reason.
func Stop(why agent.StopReason) Step { return Step{Stop: why} }

// HTTP answers with an error status in place of a stream. Headers are given as
// name, value, name, value.
func HTTP(kind agent.ErrorKind, headers ...string) Step {
	f := Fault{Kind: kind, Header: map[string]string{}}
	for i := 0; i+1 < len(headers); i += 2 {
		f.Header[headers[i]] = headers[i+1]
	}
	return Step{HTTP: &f}
}

// Fail ends a turn by an error inside the stream.
func Fail(kind agent.ErrorKind) Step { return Step{Error: &Fault{Kind: kind}} }

// Cut ends the body where it is.
func Cut() Step { return Step{Cut: true} }

// Reset breaks the connection.
func Reset() Step { return Step{Reset: true} }

// Raw sends bytes as they are.
func Raw(s string) Step { return Step{Raw: s} }

// Hold waits until the channel is closed or the client is gone.
func Hold(c <-chan struct{}) Step { return Step{Hold: c} }

// Reached closes the channel.
func Reached(c chan<- struct{}) Step { return Step{Reached: c} }

// Ping is a sign of life without content.
func Ping() Step { return Step{Ping: true} }

// Unknown is an event of a kind that no client knows.
func Unknown() Step { return Step{Unknown: true} }

// Parse reads a script in its JSON form: a list of turns, each a list of steps.
func Parse(data []byte) ([]Turn, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var turns []Turn
	if err := dec.Decode(&turns); err != nil {
		return nil, fmt.Errorf("script of a model server: %w", err)
	}
	return turns, nil
}

// hasCalls reports whether the turn asks for a tool.
func (t Turn) hasCalls() bool {
	for _, s := range t {
		if s.Call != nil || len(s.Calls) > 0 {
			return true
		}
	}
	return false
}

// ends reports whether the step is the last one of a turn.
func (s Step) ends() bool {
	return s.Stop != "" || s.HTTP != nil || s.Error != nil || s.Cut || s.Reset
}
