package agent

import (
	"errors"
	"fmt"
)

// ValidTranscript reports why a provider would not accept the messages: roles
// alternate from a user's message on, and each call of an assistant message has
// exactly one result in the message after it. Calls of the last message may
// still wait for theirs.
func ValidTranscript(messages []Message) error {
	var open []Call
	seen := map[string]bool{}
	for i, m := range messages {
		want := User
		if i%2 == 1 {
			want = Assistant
		}
		if m.Role != want {
			return fmt.Errorf("message %d: role %q instead of %q", i+1, m.Role, want)
		}
		var err error
		if m.Role == Assistant {
			err = checkAssistant(m)
		} else {
			err = checkUser(m, open)
		}
		if err != nil {
			return fmt.Errorf("message %d: %w", i+1, err)
		}
		open = m.Calls()
		for _, c := range open {
			if seen[c.ID] {
				return fmt.Errorf("message %d: call %q was made before", i+1, c.ID)
			}
			seen[c.ID] = true
		}
	}
	return nil
}

// checkUser reports whether m answers each of the calls once, and nothing else.
func checkUser(m Message, calls []Call) error {
	open := make(map[string]bool, len(calls))
	for _, c := range calls {
		open[c.ID] = true
	}
	for _, b := range m.Blocks {
		switch {
		case b.Kind == BlockText:
		case b.Kind != BlockResult || b.Result == nil:
			return fmt.Errorf("a %s block in a user message", b.Kind)
		case !open[b.Result.ID]:
			return fmt.Errorf("a result for %q, which waits for none", b.Result.ID)
		default:
			delete(open, b.Result.ID)
		}
	}
	for _, c := range calls {
		if open[c.ID] {
			return fmt.Errorf("no result for call %q", c.ID)
		}
	}
	return nil
}

func checkAssistant(m Message) error {
	ids := map[string]bool{}
	for _, b := range m.Blocks {
		switch b.Kind {
		case BlockText, BlockThinking, BlockRedacted:
		case BlockCall:
			switch {
			case b.Call == nil || b.Call.ID == "":
				return errors.New("a call without an ID")
			case ids[b.Call.ID]:
				return fmt.Errorf("call %q is there twice", b.Call.ID)
			case !isObject(b.Call.Input):
				return fmt.Errorf("the input of call %q is no JSON object", b.Call.ID)
			}
			ids[b.Call.ID] = true
		default:
			return fmt.Errorf("a %s block in an assistant message", b.Kind)
		}
	}
	return nil
}
