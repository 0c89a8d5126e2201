package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Run plays one turn: it goes on with the session that state holds until the
// model is done, a limit is hit, something fails or ctx ends, and leaves state
// at the end of it. A new session starts with an empty state.
//
// The error is that of a sink, a state that cannot be continued or a
// configuration that cannot work; the run has then no end event. Whatever else
// goes wrong is an [End].
func Run(ctx context.Context, cfg Config, state *State, turn Turn) (End, error) {
	cfg, err := cfg.check()
	if err != nil {
		return End{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &loop{cfg: &cfg, emitter: newEmitter(&cfg, state, cancel), repeats: newRepeats()}
	if cfg.Limits.Time > 0 {
		var stop func()
		ctx, stop = context.WithTimeoutCause(ctx, cfg.Limits.Time, errTime)
		defer stop()
	}
	for _, t := range cfg.Tools {
		spec := t.Spec()
		l.specs, l.names = append(l.specs, spec), append(l.names, spec.Name)
	}
	end, err := l.run(ctx, turn)
	l.after.Wait()
	if err != nil {
		return End{}, err
	}
	end.Usage, end.Steps = l.usage, l.steps
	sum := l.usage
	return end, l.emit(Event{Event: EventEnd, Outcome: end.Outcome, Text: end.Text, Usage: &sum})
}

// errTime is the cause of a context that ended at the limit of time.
var errTime = errors.New("the time is over")

// loop is one run.
type loop struct {
	*emitter
	cfg   *Config
	specs []ToolSpec
	names []string

	after         sync.WaitGroup // of the snapshot after a step
	usage         Usage          // of this run
	steps         int            // requests of this run
	repeats       *repeats
	cuts          int    // answers in a row that were cut short
	pauses        int    // in a row
	full          int    // times in a row that the provider found the transcript too long
	mismatches    int    // final answers that Check did not take
	undecidedCall string // the call of the last step that nobody could decide
}

// run plays the turn and returns how it ended. An error is one of the emitter.
func (l *loop) run(ctx context.Context, turn Turn) (End, error) {
	if err := l.open(turn); err != nil {
		return End{}, err
	}
	if end := l.endIfAnswered(); end != nil {
		return *end, nil
	}
	for {
		if end := l.limit(ctx); end != nil {
			return *end, l.failure()
		}
		if err := l.compactIfNeeded(ctx); err != nil {
			return End{}, err
		}
		resp, end := l.request(ctx)
		if err := l.failure(); err != nil {
			return End{}, err
		}
		if end == nil && resp != nil {
			end = l.answer(ctx, *resp)
		}
		if err := l.failure(); err != nil {
			return End{}, err
		}
		if end != nil {
			return *end, nil
		}
	}
}

// open stores what the turn begins with: the session, what an earlier run left
// unfinished, and the prompt.
func (l *loop) open(turn Turn) error {
	ev, resumed := turn.Session, l.wasInterrupted()
	ev.Event = EventSession
	if err := l.emit(ev); err != nil {
		return err
	}
	for _, n := range turn.Notes {
		l.note("%s", n)
	}
	l.recover()
	if resumed {
		l.emit(Event{Event: EventContext, Text: resumedText})
	}
	for _, c := range turn.Context {
		l.emit(Event{Event: EventContext, Text: contextText(c), Paths: c.Paths})
	}
	if turn.Prompt != "" {
		m := UserText(strings.ToValidUTF8(turn.Prompt, "\uFFFD"))
		l.emit(Event{Event: EventPrompt, Message: &m})
	}
	return l.failure()
}

// wasInterrupted reports whether the session ended with unfinished work.
func (l *loop) wasInterrupted() bool {
	return len(l.state.Messages) > 1 && l.state.Outcome != OutcomeDone
}

// resumedText tells the model that an interrupted session continues. What the tools knew of the files is gone with the process.
const resumedText = "The session was interrupted and goes on now. Files may have changed since: read again what you want to edit."

// endIfAnswered ends a turn when there is nothing to answer.
func (l *loop) endIfAnswered() *End {
	n := len(l.state.Messages)
	switch {
	case n == 0:
		return &End{Outcome: OutcomeFailed, Text: "there is no task; give one"}
	case l.state.Messages[n-1].Role == Assistant && l.state.Stop != StopPause: // answered already
		return &End{Outcome: OutcomeDone, Text: l.state.Messages[n-1].Text()}
	}
	return nil
}

// note tells the person something.
func (l *loop) note(format string, args ...any) {
	l.emit(Event{Event: EventNote, Text: fmt.Sprintf(format, args...)})
}

// addUserMessage adds the loop's own words to the transcript, after the results
// of the calls if there are any.
func (l *loop) addUserMessage(results []Block, text string) {
	m := Message{Role: User, Blocks: results}
	if text != "" {
		m.Blocks = append(m.Blocks, Block{Kind: BlockText, Text: text})
	}
	l.emit(Event{Event: EventResults, Message: &m})
}

// Bounds of what may come in a row before the run ends.
const (
	maxCuts   = 3  // an answer that is cut thrice will not be whole the fourth time
	maxPauses = 32 // of a provider's own tools; each does a bounded piece of work
	maxFull   = 2  // compactions that did not help
)

// answer acts on a complete assistant message: it runs the calls in it, or
// decides whether the run is over.
func (l *loop) answer(ctx context.Context, resp Response) *End {
	m := l.accept(resp)
	if l.failure() != nil {
		return nil
	}
	calls := m.Calls()
	if resp.Stop != StopPause {
		l.pauses = 0
	}
	switch {
	case resp.Stop == StopRefusal:
		if len(calls) > 0 {
			l.addUserMessage(refuseAll(calls, "not run: the answer was refused"), "")
		}
		return &End{Outcome: OutcomeRefused, Text: orElse(m.Text(), "the model refused to answer")}
	case len(calls) > 0:
		l.cuts = 0
		return l.act(ctx, calls)
	case resp.Stop == StopPause:
		if l.pauses++; l.pauses > maxPauses {
			return &End{Outcome: OutcomeLimit, Text: fmt.Sprintf("the model paused %d times in a row", maxPauses)}
		}
		return nil
	case resp.Stop == StopMaxTokens, resp.Stop == StopContext:
		return l.continueAnswer(ctx, resp.Stop)
	}
	return l.finish(m)
}

func orElse(s, otherwise string) string {
	if strings.TrimSpace(s) == "" {
		return otherwise
	}
	return s
}

// continueAnswer continues after an answer that was cut short.
func (l *loop) continueAnswer(ctx context.Context, why StopReason) *End {
	if l.cuts++; l.cuts >= maxCuts {
		return &End{Outcome: OutcomeLimit, Text: fmt.Sprintf("the answer was cut short %d times in a row (%s)", maxCuts, why)}
	}
	l.addUserMessage(nil, "Your answer was cut short because it reached the limit of its length. Go on exactly where it ended. When you were about to make a long tool call, make several short ones instead.")
	if why == StopContext && l.failure() == nil {
		l.compact(ctx)
	}
	return nil
}

// finish ends the run with the answer m, unless a check does not take it.
func (l *loop) finish(m Message) *End {
	text := m.Text()
	if l.undecidedCall != "" {
		return &End{Outcome: OutcomeRefused, Text: l.undecidedCall}
	}
	if l.cfg.Check == nil {
		return &End{Outcome: OutcomeDone, Text: text}
	}
	checked, err := l.cfg.Check(text)
	if err == nil {
		return &End{Outcome: OutcomeDone, Text: checked}
	}
	if l.mismatches++; l.mismatches > 1 {
		return &End{Outcome: OutcomeFailed, Text: "the answer does not keep to the schema: " + err.Error(), Err: &AnswerError{err}}
	}
	l.addUserMessage(nil, "The answer does not keep to the JSON schema: "+err.Error()+"\nAnswer again with the JSON alone, without any other text.")
	return nil
}

// AnswerError is the cause of a run that failed because the final answer did
// not keep to the schema, twice.
type AnswerError struct{ Err error }

func (e *AnswerError) Error() string {
	return "the answer does not keep to the schema: " + e.Err.Error()
}
func (e *AnswerError) Unwrap() error { return e.Err }

// limit ends the run when a limit is reached or the context has ended.
func (l *loop) limit(ctx context.Context) *End {
	if end := ended(ctx); end != nil {
		return end
	}
	lim := l.cfg.Limits
	stop := func(format string, args ...any) *End {
		return &End{Outcome: OutcomeLimit, Text: fmt.Sprintf(format, args...)}
	}
	switch {
	case l.repeats.stop != "":
		return stop("%s", l.repeats.stop)
	case lim.Steps > 0 && l.steps >= lim.Steps:
		return stop("the limit of %d steps is reached", lim.Steps)
	case lim.Tokens > 0 && l.usage.Total() >= lim.Tokens:
		return stop("the budget of %d tokens is used up: %d", lim.Tokens, l.usage.Total())
	case lim.Tokens > 0 && l.usage.Total()+l.state.contextTokens() >= lim.Tokens:
		return stop("the budget of %d tokens does not hold the next request: %d used, about %d to send", lim.Tokens, l.usage.Total(), l.state.contextTokens())
	case lim.USD > 0 && l.steps > 0 && l.usage.USD == nil:
		return stop("the price of model %s is not known, so the budget of $%.2f cannot be kept", l.cfg.Model, lim.USD)
	case lim.USD > 0 && l.usage.USD != nil && *l.usage.USD >= lim.USD:
		return stop("the budget of $%.2f is used up: $%.4f", lim.USD, *l.usage.USD)
	}
	return nil
}

// ended is the end of a run whose context has ended; nil while it has not.
func ended(ctx context.Context) *End {
	switch {
	case ctx.Err() == nil:
		return nil
	case errors.Is(context.Cause(ctx), errTime):
		return &End{Outcome: OutcomeLimit, Text: "the limit of time is reached"}
	}
	return &End{Outcome: OutcomeCancelled, Text: "cancelled"}
}
