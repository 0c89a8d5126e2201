package agent

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent/spill"
)

// Shares of the context window, in percent.
const (
	compactAt  = 80 // above it the transcript is shortened
	compactTo  = 50 // what shortening without a model aims at
	tailShare  = 25 // for the last turns, which are kept
	taskShare  = 15 // for what the user asked
	doneShare  = 10 // for what was done so far
	windowFull = 98 // above it the provider would not take a request for a summary
)

// tailTurns is how many of the last turns, an answer and its results each, are
// kept as they are when the transcript is shortened.
const tailTurns = 2

//go:embed summary.md
var summaryPrompt string

// share is a part of the window in bytes of text.
func (l *loop) share(percent int) int { return l.cfg.Window * percent / 100 * bytesPerToken }

// contextTokens estimates the size of the next request in tokens.
func (l *loop) contextTokens() int {
	n := l.state.contextTokens()
	if l.state.counted > 0 {
		return n // with the system prompt and the tools
	}
	bytes := len(l.cfg.System)
	for _, s := range l.specs {
		bytes += len(s.Name) + len(s.Description) + len(s.Schema)
	}
	return n + bytes/bytesPerToken
}

// compactIfNeeded shortens the transcript when it comes near to the model's
// context window.
func (l *loop) compactIfNeeded(ctx context.Context) error {
	if l.contextTokens() > l.cfg.Window/100*compactAt {
		l.compact(ctx)
	}
	return l.failure()
}

// compact shortens the transcript: by a summary that the model makes, else
// without it. The log keeps the original.
func (l *loop) compact(ctx context.Context) {
	before := l.contextTokens()
	method := "summary"
	messages, usage := l.summarise(ctx)
	if messages == nil {
		method, messages = "results", l.withShortResults()
		if messages == nil {
			method, messages = "digest", l.shortened(l.digest())
		}
	}
	// What cannot be shortened is left alone; the provider then says so.
	if transcriptBytes(messages) >= transcriptBytes(l.state.Messages) {
		return
	}
	after := transcriptBytes(messages) / bytesPerToken
	l.emit(Event{Event: EventCompaction, Messages: messages, Usage: usage, Paths: l.touched(),
		Text: fmt.Sprintf("%s: about %d tokens became %d", method, before, after)})
}

// summarise asks the model for a summary; nil without one that can be used. The
// request repeats the bytes of the one before it, and a provider's cache of
// the prefix serves it.
func (l *loop) summarise(ctx context.Context) ([]Message, *Usage) {
	if ctx.Err() != nil || l.full > 0 || l.contextTokens() > l.cfg.Window/100*windowFull {
		return nil, nil
	}
	ask := State{Messages: slices.Clone(l.state.Messages)}
	ask.add(UserText(summaryPrompt))
	req := l.newRequest(ask.Messages)
	req.Schema = nil
	resp, err := l.stream(ctx, req, func(d Delta) {
		if d.Kind == DeltaRetry {
			l.delta(d)
		}
	})
	if err != nil {
		if ctx.Err() == nil {
			l.note("no summary of the transcript: %v", err)
		}
		return nil, nil
	}
	l.usage.Add(resp.Usage)
	usage := resp.Usage
	text := strings.TrimSpace(resp.Message.Text())
	if text == "" || resp.Stop != StopEnd {
		return nil, nil
	}
	return l.shortened(excerpt(text, l.share(doneShare)) + "\n\n" + l.requiredFacts()), &usage
}

// shortened is the transcript with everything but the last turns replaced by
// what the user asked and what was done.
func (l *loop) shortened(done string) []Message {
	prompts := "What the user asked:\n\n" + strings.Join(l.prompts(), "\n\n")
	head := Message{Role: User, Blocks: []Block{
		{Kind: BlockText, Text: prompts}, {Kind: BlockText, Text: doneMark + done}}}
	return append([]Message{head}, l.lastTurns()...)
}

// doneMark opens the block that says what was done before the transcript was
// shortened.
const doneMark = "The messages up to here were removed to save room. What was done in them:\n\n"

// prompts is what the user asked, the last first to be kept whole.
func (l *loop) prompts() (out []string) {
	room := l.share(taskShare)
	for i := len(l.state.prompts) - 1; i >= 0 && room > minResult; i-- {
		p := excerpt(l.state.prompts[i], room)
		room -= len(p)
		out = append([]string{p}, out...)
	}
	return out
}

// lastTurns are the last turns, their results shortened where they are too long.
func (l *loop) lastTurns() []Message {
	all := l.state.Messages
	start, turns := len(all), 0
	for i := len(all) - 1; i > 0 && turns < tailTurns; i-- {
		if all[i].Role != Assistant {
			continue
		}
		if turns > 0 && transcriptBytes(all[i:]) > l.share(tailShare) {
			break
		}
		start, turns = i, turns+1
	}
	tail := slices.Clone(all[start:])
	if room := l.share(tailShare); transcriptBytes(tail) > room {
		for i := range tail {
			tail[i] = trimResults(tail[i], room/max(1, countResults(tail)))
		}
	}
	return tail
}

func countResults(messages []Message) (n int) {
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.Kind == BlockResult {
				n++
			}
		}
	}
	return n
}

// trimResults returns the message with each result cut to limit bytes.
func trimResults(m Message, limit int) Message {
	m.Blocks = slices.Clone(m.Blocks)
	for i, b := range m.Blocks {
		if b.Kind == BlockResult && b.Result != nil && len(b.Result.Content) > limit {
			r := *b.Result
			r.Content = spill.Cap(r.Content, r.Handle, max(limit, minResult))
			m.Blocks[i].Result = &r
		}
	}
	return m
}

// withShortResults is the transcript with the results before the last turns replaced by a
// line each; nil when that does not save enough.
func (l *loop) withShortResults() []Message {
	out := slices.Clone(l.state.Messages)
	last := len(out) - 2*tailTurns
	for i := range max(0, last) {
		if out[i].Role != User {
			continue
		}
		out[i].Blocks = slices.Clone(out[i].Blocks)
		for j, b := range out[i].Blocks {
			if b.Kind != BlockResult || b.Result == nil || len(b.Result.Content) < minResult {
				continue
			}
			r := *b.Result
			r.Content = fmt.Sprintf("%s\n[%d bytes removed to save room; %s]", firstLine(r.Content, 200), len(r.Content), again(r.Handle))
			r.Hints = nil
			out[i].Blocks[j].Result = &r
		}
	}
	if transcriptBytes(out) > l.share(compactTo) {
		return nil
	}
	return out
}

func again(handle string) string {
	if handle != "" {
		return "the whole is kept as " + handle
	}
	return "make the call again if you need it"
}
