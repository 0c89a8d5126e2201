package replay

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider/wire"
)

// errOver means that nothing follows in the recording.
var errOver = errors.New("the recording is over; start a new session to play it again")

// next is the turn that follows a transcript.
func (rec Recording) next(transcript []agent.Message) (int, error) {
	var said []agent.Message
	for _, m := range transcript {
		if m.Role == agent.Assistant {
			said = append(said, m)
		}
	}
	if len(said) == 0 {
		return 0, nil
	}
	at := rec.find(said)
	if at < 0 {
		return 0, errors.New("the last message of the session is not in the recording, which can only go on from its own")
	}
	if err := rec.Turns[at].answered(said[len(said)-1], results(transcript)); err != nil {
		return 0, err
	}
	if at+1 >= len(rec.Turns) {
		return 0, errOver
	}
	return at + 1, nil
}

// find returns the turn that the last message of a session is, -1 for none. A
// recording can hold the same message twice; then the one counts before which
// most of the session agrees with it. What a session lost by compaction is the
// beginning.
func (rec Recording) find(said []agent.Message) int {
	best, most := -1, 0
	for i := range rec.Turns {
		n := 0
		for n <= i && n < len(said) && sameMessage(rec.Turns[i-n].Message, said[len(said)-1-n]) {
			n++
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// sameMessage compares messages but for the ids of calls, which a session may have
// changed.
func sameMessage(a, b agent.Message) bool {
	ca, cb := a.Calls(), b.Calls()
	if a.Text() != b.Text() || len(ca) != len(cb) {
		return false
	}
	for i := range ca {
		if ca[i].Name != cb[i].Name || !bytes.Equal(wire.Canonical(ca[i].Input), wire.Canonical(cb[i].Input)) {
			return false
		}
	}
	return true
}

// results are the results after the last message of the assistant.
func results(transcript []agent.Message) map[string]agent.CallResult {
	out := map[string]agent.CallResult{}
	for i := len(transcript) - 1; i >= 0 && transcript[i].Role == agent.User; i-- {
		for _, b := range transcript[i].Blocks {
			if b.Result != nil {
				out[b.Result.ID] = *b.Result
			}
		}
	}
	return out
}

// answered says where a session left the recording: a call without a result, or
// one that went otherwise than it did then.
func (t Turn) answered(m agent.Message, got map[string]agent.CallResult) error {
	recorded := t.Message.Calls()
	for i, c := range m.Calls() {
		r, ok := got[c.ID]
		if !ok {
			return fmt.Errorf("the call of %s has no result", c.Name)
		}
		failed, known := t.Failed[recorded[i].ID]
		switch {
		case known && r.IsError && !failed:
			return fmt.Errorf("the recording cannot go on: its call of %s succeeded, here it failed: %s", c.Name, wire.Clean(r.Content, wire.Secret{}))
		case known && !r.IsError && failed:
			return fmt.Errorf("the recording cannot go on: its call of %s failed, here it succeeded", c.Name)
		}
	}
	return nil
}
