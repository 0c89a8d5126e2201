package agent

import "fmt"

// recover answers the calls that a run before this one left without a result:
// it was killed, or its disk failed. What a finished call returned is known; a
// call that had begun may have done its work or a part of it, and is not run
// again without saying so.
func (l *loop) recover() {
	open := l.state.calls
	if len(open) == 0 {
		return
	}
	var blocks []Block
	for _, p := range open {
		call, result := p.call, p.result
		text := ""
		switch {
		case result != nil:
		case p.started:
			text = "the session was interrupted while this call ran; it may have done all, a part or nothing of its work. Look before you call it again."
		default:
			text = "the session was interrupted before this call ran; nothing was done."
		}
		if result == nil {
			result = &CallResult{ID: call.ID, Content: text, IsError: true}
			l.emit(Event{Event: EventRecovered, Call: &call, Text: fmt.Sprintf("%s: %s", call.Name, text)})
		}
		blocks = append(blocks, Block{Kind: BlockResult, Result: result})
	}
	l.addUserMessage(blocks, "")
}
