package agent

// KindInfo describes a kind of events for the documentation.
type KindInfo struct {
	Kind EventKind
	Doc  string
	Live bool     // shown only, not stored
	Keys []string // that the event has besides Event, Session, Seq, Time and Step
}

// Kinds lists the kinds of events, in the order in which a session has them
// first.
func Kinds() []KindInfo {
	return []KindInfo{
		kind(EventSession, "a run of the session begins: a new one, a resumed or a forked one", "Version", "Parent", "Root", "Provider", "Model", "Rules"),
		kind(EventNote, "something a person should know", "Text"),
		kind(EventRecovered, "a call that was under way when the run before was killed: it is told to the model and not made again", "Call", "Text"),
		kind(EventContext, "text given with the prompt: selected files, the repository's instructions", "Text", "Paths"),
		kind(EventPrompt, "what the user asked", "Message"),
		kind(EventStep, "a request goes out"),
		kind(EventRetry, "a request is sent again: which attempt, after which wait in milliseconds, and why", "Attempt", "WaitMs", "Text"),
		kind(EventText, "a piece of the answer", "Text"),
		kind(EventThinking, "a piece of the thinking", "Text"),
		kind(EventCallDraft, "a tool call is being written", "Call"),
		kind(EventReset, "the pieces of this step so far are void; Text is the reason", "Text"),
		kind(EventMessage, "the complete assistant message, why it ended and what it cost", "Message", "Stop", "Usage", "Model"),
		kind(EventPermission, "what was decided of a call: allow or deny, by which rule, and the rules granted with it", "Call", "Verdict", "Rules", "Text"),
		kind(EventSnapshot, "the tree before or after (Text) a step that changes something; Paths are files left out", "Snapshot", "Paths", "Text"),
		kind(EventCallStart, "a tool begins to run", "Call"),
		kind(EventCallEnd, "it ended", "Result", "DurationMs"),
		kind(EventResults, "the user message that answers the step: a result for each call, and what the loop says to the model", "Message"),
		kind(EventCompaction, "the transcript was shortened: Messages is the new one, Paths the files changed so far, Text the method", "Messages", "Paths", "Text", "Usage"),
		kind(EventEnd, "the run is over: how, the final answer or the reason, and the sum of what it cost", "Outcome", "Text", "Usage"),
		kind(EventUndone, "between runs: the user took a step back; Snapshot is the tree before that", "Paths", "Snapshot", "Text"),
		kind(EventAccepted, "between runs: the user keeps the changes of all steps up to Step"),
	}
}

func kind(k EventKind, doc string, keys ...string) KindInfo {
	return KindInfo{Kind: k, Doc: doc, Live: k.Live(), Keys: keys}
}

// OutcomeInfo describes an outcome for the documentation.
type OutcomeInfo struct {
	Outcome Outcome
	Doc     string
}

// Outcomes lists how a run can end.
func Outcomes() []OutcomeInfo {
	return []OutcomeInfo{
		{OutcomeDone, "the model has answered"},
		{OutcomeLimit, "a limit of steps, time, tokens or money was reached, or the model ran in circles"},
		{OutcomeRefused, "the model refused, or ended because of a permission that nobody could grant"},
		{OutcomeFailed, "the provider failed for good, or the answer did not keep to its schema"},
		{OutcomeCancelled, "Ctrl-C"},
	}
}
