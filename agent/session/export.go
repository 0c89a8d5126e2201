package session

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/topo-dev/topo/agent"
)

// Markdown writes the events as a document for a person: what was asked,
// answered and done, in order.
func Markdown(w io.Writer, events []agent.Event) error {
	m := &markdown{w: w, calls: map[string]agent.Call{}}
	for _, e := range events {
		m.event(e)
	}
	return m.err
}

type markdown struct {
	w     io.Writer
	err   error
	calls map[string]agent.Call
	step  int
}

func (m *markdown) printf(format string, args ...any) {
	if m.err == nil {
		_, m.err = fmt.Fprintf(m.w, format, args...)
	}
}

func (m *markdown) event(e agent.Event) {
	switch e.Event {
	case agent.EventSession:
		m.session(e)
	case agent.EventContext:
		m.printf("## Context\n\n%s\n", fence(e.Text, ""))
	case agent.EventPrompt:
		if e.Message != nil {
			m.printf("## User\n\n%s\n\n", quote(e.Message.Text()))
		}
	case agent.EventMessage:
		m.message(e)
	case agent.EventPermission:
		m.permission(e)
	case agent.EventCallEnd:
		m.result(e.Result)
	case agent.EventResults:
		m.results(e)
	case agent.EventRetry:
		m.printf("*Attempt %d after %d ms: %s*\n\n", e.Attempt, e.WaitMs, line(e.Text))
	case agent.EventSnapshot:
		m.printf("*Snapshot %s step %d: `%s`*\n\n", e.Text, e.Step, line(e.Snapshot))
	case agent.EventCompaction:
		m.printf("*Transcript shortened by %s*\n\n", line(e.Text))
	case agent.EventRecovered, agent.EventNote:
		m.printf("*%s*\n\n", line(e.Text))
	case agent.EventEnd:
		m.end(e)
	}
}

func (m *markdown) session(e agent.Event) {
	m.printf("# Session %s\n\n", e.Session)
	if e.Parent != "" {
		m.printf("Forked from %s. ", e.Parent)
	}
	m.printf("%s, model `%s` of %s.\n\n", e.Time.Format("2006-01-02 15:04 UTC"), line(e.Model), line(e.Provider))
}

func (m *markdown) message(e agent.Event) {
	if e.Message == nil {
		return
	}
	if e.Step != m.step {
		m.step = e.Step
		m.printf("## Step %d\n\n", e.Step)
	}
	for _, b := range e.Message.Blocks {
		switch {
		case b.Kind == agent.BlockText && strings.TrimSpace(b.Text) != "":
			m.printf("%s\n\n", strings.TrimSpace(b.Text))
		case b.Kind == agent.BlockThinking && strings.TrimSpace(b.Text) != "":
			m.printf("<details><summary>Thinking</summary>\n\n%s\n</details>\n\n", fence(b.Text, ""))
		case b.Kind == agent.BlockCall && b.Call != nil:
			m.calls[b.Call.ID] = *b.Call
			m.printf("### `%s`\n\n%s\n", line(b.Call.Name), fence(pretty(b.Call.Input), "json"))
		}
	}
}

func (m *markdown) permission(e agent.Event) {
	if e.Verdict != agent.Allow || len(e.Rules) > 0 {
		m.printf("*%s: %s. %s*\n\n", e.Verdict, line(e.Text), line(strings.Join(e.Rules, ", ")))
	}
}

func (m *markdown) result(r *agent.CallResult) {
	if r == nil {
		return
	}
	what := "Result"
	if r.IsError {
		what = "Error"
	}
	m.printf("%s of `%s`:\n\n%s\n", what, line(m.calls[r.ID].Name), fence(r.Content, ""))
	delete(m.calls, r.ID)
}

// results prints what no call_end holds: the results of calls that were not run,
// and the words of the loop.
func (m *markdown) results(e agent.Event) {
	if e.Message == nil {
		return
	}
	for _, b := range e.Message.Blocks {
		if b.Result != nil {
			if _, open := m.calls[b.Result.ID]; open {
				m.result(b.Result)
			}
		}
	}
	if text := e.Message.Text(); text != "" {
		m.printf("*To the model:* %s\n\n", line(text))
	}
}

func (m *markdown) end(e agent.Event) {
	m.printf("## End: %s\n\n", e.Outcome)
	if e.Outcome != agent.OutcomeDone && e.Text != "" {
		m.printf("%s\n\n", line(e.Text))
	}
	if u := e.Usage; u != nil {
		m.printf("%d tokens in, %d out, %d read from the cache, %d written to it.", u.Input, u.Output, u.CacheRead, u.CacheWrite)
		if u.USD != nil {
			m.printf(" $%.4f.", *u.USD)
		}
		m.printf("\n\n")
	}
}

// pretty is JSON for a person, on several lines when it is long.
func pretty(raw json.RawMessage) string {
	if len(raw) < 100 {
		return string(raw)
	}
	if out, err := json.MarshalIndent(raw, "", "  "); err == nil {
		return string(out)
	}
	return string(raw)
}

// fence makes a code block of text, with more backticks than the text has.
func fence(text, lang string) string {
	ticks := "```"
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	return ticks + lang + "\n" + strings.TrimSuffix(text, "\n") + "\n" + ticks + "\n"
}

// quote makes a quotation of text.
func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ")
}

// line is text on one line, without what would end an emphasis or code.
func line(s string) string {
	return strings.NewReplacer("\n", " ", "\r", " ", "`", "'", "*", "·").Replace(strings.TrimSpace(s))
}
