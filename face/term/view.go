package term

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/answer"
)

// View shows the events of a session to a person: the answer as it comes, a
// line for each tool call, the differences of edits, and the cost at the end.
// Text of models and tools is shown without what could steer a terminal.
type View struct {
	out   io.Writer // the answer and what was done
	notes io.Writer // progress and the summary; nil for silence
	color bool
	Full  bool // shows a log: also what the user said, and why a run did not come to its end

	err      error
	streamed bool // the pieces of this message are on the screen
	midline  bool // the last piece did not end its line
	calls    map[string]agent.Call
	model    string
}

// NewView shows events on out, and what goes on beside the answer on notes, nil for
// silence.
func NewView(out, notes io.Writer, color bool) *View {
	return &View{out: out, notes: notes, color: color, calls: map[string]agent.Call{}}
}

// Emit shows an event. The error is that of the output.
func (v *View) Emit(e agent.Event) error {
	switch e.Event {
	case agent.EventSession:
		v.model = e.Model
		v.notef("session %s, %s %s", e.Session, e.Provider, e.Model)
	case agent.EventText:
		v.piece(e.Text)
	case agent.EventReset:
		v.endLine()
		v.streamed = false
		v.notef("the answer broke off (%s) and is sent again from its start", e.Text)
	case agent.EventMessage:
		v.message(e)
	case agent.EventPermission:
		if e.Verdict == agent.Deny && e.Call != nil {
			v.callLine(*e.Call, "✗", e.Text)
			delete(v.calls, e.Call.ID)
		}
	case agent.EventCallEnd:
		v.callEnd(e)
	case agent.EventResults:
		v.leftOver(e)
	case agent.EventEnd:
		v.end(e)
	default:
		v.note(e)
	}
	return v.err
}

// note tells what is not part of the answer.
func (v *View) note(e agent.Event) {
	switch e.Event {
	case agent.EventPrompt:
		if v.Full && e.Message != nil {
			v.endLine()
			v.printf("> %s\n", Screen(e.Message.Text()))
		}
	case agent.EventContext:
		if len(e.Paths) > 0 {
			v.notef("context: %s", strings.Join(e.Paths, ", "))
		}
	case agent.EventRetry:
		v.notef("attempt %d in %s: %s", e.Attempt, time.Duration(e.WaitMs)*time.Millisecond, e.Text)
	case agent.EventCompaction:
		v.notef("shortened the transcript: %s", e.Text)
	case agent.EventSnapshot:
		if len(e.Paths) > 0 && e.Text == "before" {
			v.notef("not in the snapshot, and so not to be undone: %s", strings.Join(e.Paths, ", "))
		}
	case agent.EventNote, agent.EventRecovered:
		v.notef("%s", e.Text)
	case agent.EventUndone:
		v.notef("undone: step %d", e.Step)
	case agent.EventAccepted:
		v.notef("accepted: the steps up to %d", e.Step)
	}
}

func (v *View) printf(format string, args ...any) {
	if v.err == nil {
		_, v.err = fmt.Fprintf(v.out, format, args...)
	}
}

func (v *View) notef(format string, args ...any) {
	v.endLine()
	if v.notes != nil {
		fmt.Fprintf(v.notes, "topo: %s\n", answer.Visible(fmt.Sprintf(format, args...)))
	}
}

func (v *View) piece(text string) {
	if text == "" {
		return
	}
	v.streamed, v.midline = true, !strings.HasSuffix(text, "\n")
	v.printf("%s", Screen(text))
}

func (v *View) endLine() {
	if v.midline {
		v.printf("\n")
	}
	v.midline = false
}

func (v *View) message(e agent.Event) {
	if e.Message == nil {
		return
	}
	if !v.streamed {
		v.piece(e.Message.Text())
	}
	v.endLine()
	v.streamed = false
	for _, c := range e.Message.Calls() {
		v.calls[c.ID] = c
	}
}

func (v *View) callEnd(e agent.Event) {
	if e.Result == nil {
		return
	}
	c := v.calls[e.Result.ID]
	delete(v.calls, e.Result.ID)
	v.result(c, *e.Result, time.Duration(e.DurationMs)*time.Millisecond)
}

func (v *View) result(c agent.Call, r agent.CallResult, took time.Duration) {
	if r.IsError {
		v.callLine(c, "✗", lineOf(r.Content, 160))
		return
	}
	about := ""
	if took >= 100*time.Millisecond {
		about = took.Round(10 * time.Millisecond).String()
	}
	v.callLine(c, "✓", about)
	v.diff(r.Content)
}

// leftOver shows the calls that were answered without being run, and what the
// loop said to the model.
func (v *View) leftOver(e agent.Event) {
	if e.Message == nil {
		return
	}
	for _, b := range e.Message.Blocks {
		if b.Result == nil {
			continue
		}
		if c, open := v.calls[b.Result.ID]; open {
			v.result(c, *b.Result, 0)
			delete(v.calls, b.Result.ID)
		}
	}
	if text := e.Message.Text(); text != "" {
		v.notef("to the model: %s", lineOf(text, 200))
	}
}

func (v *View) callLine(c agent.Call, mark, about string) {
	v.endLine()
	line := strings.TrimRight(fmt.Sprintf("%s %s %s", mark, answer.Visible(c.Name), inputLine(c)), " ")
	if about != "" {
		line += ": " + answer.Visible(about)
	}
	switch {
	case v.color && mark == "✗":
		line = "\x1b[31m" + line + "\x1b[0m"
	case v.color:
		line = "\x1b[2m" + line + "\x1b[0m"
	}
	v.printf("%s\n", line)
}

// inputLine is the input of a call on one line: what it is about when that can
// be told, else all of it.
func inputLine(c agent.Call) string {
	var in map[string]any
	if json.Unmarshal(c.Input, &in) == nil {
		for _, key := range []string{"command", "path", "pattern", "query", "task", "symbol", "name"} {
			if s, ok := in[key].(string); ok && s != "" {
				return answer.Visible(lineOf(s, 100))
			}
		}
	}
	if len(in) == 0 {
		return ""
	}
	return answer.Visible(lineOf(string(c.Input), 100))
}

// maxShownDiff is how many lines of a difference are shown.
const maxShownDiff = 60

// diff shows the unified diff in the result of an edit.
func (v *View) diff(content string) {
	_, text, ok := strings.Cut("\n"+content, "\n--- ")
	if !ok || !strings.Contains(text, "\n+++ ") {
		return
	}
	lines := strings.Split(strings.TrimRight("--- "+text, "\n"), "\n")
	for i, l := range lines {
		if i == maxShownDiff {
			v.printf("    … %d more lines\n", len(lines)-i)
			return
		}
		color := ""
		if v.color {
			color = DiffColor(l)
		}
		if l = "    " + color + Screen(l); color != "" {
			l += "\x1b[0m"
		}
		v.printf("%s\n", l)
	}
}

// DiffColor is the escape sequence of a line of a unified diff; empty for none.
func DiffColor(line string) string {
	switch {
	case strings.HasPrefix(line, "+"):
		return "\x1b[32m"
	case strings.HasPrefix(line, "-"):
		return "\x1b[31m"
	case strings.HasPrefix(line, "@@"):
		return "\x1b[36m"
	}
	return ""
}

func (v *View) end(e agent.Event) {
	v.endLine()
	line := string(e.Outcome)
	if e.Outcome != agent.OutcomeDone && e.Text != "" && v.Full {
		line += ": " + lineOf(e.Text, 200)
	}
	if u := e.Usage; u != nil && u.Total() > 0 {
		line += fmt.Sprintf("; %d tokens in, %d out", u.Input+u.CacheRead+u.CacheWrite, u.Output)
		if u.CacheRead > 0 {
			line += fmt.Sprintf(" (%d from the cache)", u.CacheRead)
		}
		if u.USD != nil {
			line += fmt.Sprintf(", $%.4f", *u.USD)
		} else {
			line += ", price not known"
		}
	}
	v.notef("%s", line)
}

// lineOf is the first line of s that is not empty, cut to n characters.
func lineOf(s string, n int) string {
	line, rest, more := strings.Cut(strings.TrimSpace(s), "\n")
	r := []rune(line)
	switch {
	case len(r) > n:
		return string(r[:n-1]) + "…"
	case more && strings.TrimSpace(rest) != "":
		return line + " …"
	}
	return line
}

// Screen is text as a terminal may have it: line feeds and tabs are kept, every
// other control character is shown instead of obeyed.
func Screen(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r':
		default:
			b.WriteString(answer.Visible(string(r)))
		}
	}
	return b.String()
}
