package agent

import "time"

// EventKind is the value of the key that distinguishes event records.
type EventKind string

// Kinds of events. Those marked live are shown while they happen and are not
// part of the stored log, because a later event holds the same.
const (
	EventSession    EventKind = "session"    // a session begins, is resumed or forked: Session, Root, Model, Provider, Rules
	EventPrompt     EventKind = "prompt"     // what the user asked: Message
	EventContext    EventKind = "context"    // selected files given at the start: Text, Paths
	EventStep       EventKind = "step"       // a request goes out: Step
	EventText       EventKind = "text"       // live: a piece of the answer: Text
	EventThinking   EventKind = "thinking"   // live: a piece of the thinking: Text
	EventCallDraft  EventKind = "call_draft" // live: a tool call is being written: Call
	EventReset      EventKind = "reset"      // live: the pieces of this step so far are void: Text is the reason
	EventRetry      EventKind = "retry"      // a request is sent again: Attempt, WaitMs, Text
	EventMessage    EventKind = "message"    // the complete assistant message: Message, Stop, Usage
	EventPermission EventKind = "permission" // what was decided of a call: Call, Verdict, Rules, Text
	EventSnapshot   EventKind = "snapshot"   // the tree before or after a writing step: Snapshot, Paths (skipped), Text
	EventCallStart  EventKind = "call_start" // a tool begins to run: Call
	EventCallEnd    EventKind = "call_end"   // it ended: Result, DurationMs
	EventResults    EventKind = "results"    // the user message with all results of a step: Message
	EventCompaction EventKind = "compaction" // the transcript was shortened: Messages is the new one, Text the method
	EventRecovered  EventKind = "recovered"  // on resume, of calls that were under way: Call, Text
	EventNote       EventKind = "note"       // something a person should know: Text
	EventEnd        EventKind = "end"        // the run is over: Outcome, Text, Usage (the sum)
	EventUndone     EventKind = "undone"     // between runs: the user took a step back: Step, Paths, Snapshot (the tree before that), Text for the model
	EventAccepted   EventKind = "accepted"   // between runs: the user keeps the changes of all steps up to Step
)

// Event is one thing that happened, and one line of a session's log and of
// standard output with --format jsonl.
//
//	{"Record":"event","Event":"call_start","Session":"20261121-0910-7f3a","Seq":7,"Time":"2026-11-21T09:10:04.113Z","Step":2,"Call":{"ID":"c1","Name":"read","Input":{"path":"main.go"}}}
type Event struct {
	Event      EventKind
	Version    int         `json:",omitempty"` // session: of the log's format, [LogVersion]
	Session    string      `json:",omitempty"`
	Parent     string      `json:",omitempty"` // session: forked from
	Seq        int64       // 1 for the first event of a session, without gaps; 0 for live events
	Time       time.Time   // UTC, milliseconds
	Step       int         `json:",omitempty"` // 1 for the first request of the session
	Root       string      `json:",omitempty"`
	Provider   string      `json:",omitempty"`
	Model      string      `json:",omitempty"`
	Text       string      `json:",omitempty"`
	Paths      []string    `json:",omitempty"`
	Message    *Message    `json:",omitempty"`
	Messages   []Message   `json:",omitempty"`
	Stop       StopReason  `json:",omitempty"`
	Usage      *Usage      `json:",omitempty"`
	Call       *Call       `json:",omitempty"`
	Result     *CallResult `json:",omitempty"`
	Verdict    Verdict     `json:",omitempty"`
	Rules      []string    `json:",omitempty"`
	Snapshot   string      `json:",omitempty"`
	Attempt    int         `json:",omitempty"`
	WaitMs     int64       `json:",omitempty"`
	DurationMs int64       `json:",omitempty"`
	Outcome    Outcome     `json:",omitempty"`
}

// RecordKind is the name of the records of events.
func (Event) RecordKind() string { return "event" }

// LogVersion is the version of the event log this build writes.
const LogVersion = 1

// Live reports whether the event is shown only and not stored.
func (k EventKind) Live() bool {
	switch k {
	case EventText, EventThinking, EventCallDraft, EventReset:
		return true
	}
	return false
}

// Outcome says how a run ended.
type Outcome string

// Outcomes. Each has an exit code of its own in the command.
const (
	OutcomeDone      Outcome = "done"
	OutcomeLimit     Outcome = "limit"     // steps, time, tokens or money; Text says which
	OutcomeRefused   Outcome = "refused"   // by the model, or a permission that nobody could grant
	OutcomeFailed    Outcome = "failed"    // the provider or the session's disk
	OutcomeCancelled Outcome = "cancelled" // Ctrl-C
)

// Sink receives the events of a run in order. An error from it ends the run:
// what cannot be recorded must not happen.
type Sink interface {
	Emit(Event) error
}
