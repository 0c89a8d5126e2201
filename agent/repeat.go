package agent

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// Bounds of calls that repeat with the same result: the model gets a hint at the
// first, and the run ends at the second.
const (
	repeatsHint = 3
	repeatsStop = 5
)

// repeats finds a model that runs in circles: it makes the same call again and
// gets the same result. A call that changed something forgives all reading
// calls before it, since reading again has a reason then.
type repeats struct {
	seen map[string]*repeat // by name and input
	stop string             // why the run must end; empty while it need not
}

type repeat struct {
	result [sha256.Size]byte
	count  int
	writes bool
}

func newRepeats() *repeats { return &repeats{seen: map[string]*repeat{}} }

// add records a call with its result. It returns what the model should get,
// if anything.
func (r *repeats) add(c Call, result CallResult, writes bool) string {
	var input bytes.Buffer
	if json.Compact(&input, c.Input) != nil {
		input.Write(c.Input)
	}
	key, sum := c.Name+"\x00"+input.String(), sha256.Sum256([]byte(result.Content))
	if writes && !result.IsError {
		for k, old := range r.seen {
			if !old.writes {
				delete(r.seen, k)
			}
		}
	}
	e := r.seen[key]
	if e == nil || e.result != sum {
		r.seen[key] = &repeat{sum, 1, writes}
		return ""
	}
	e.count++
	switch {
	case e.count >= repeatsStop:
		r.stop = fmt.Sprintf("the model made the same call of %s %d times with the same result", c.Name, e.count)
	case e.count >= repeatsHint:
		return fmt.Sprintf("You have called %s %d times with the same input and got the same result each time. Do something else: change the input, use another tool, or say what keeps you from going on.", c.Name, e.count)
	}
	return ""
}
