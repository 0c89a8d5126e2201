package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Config is what a run is made of. Provider, Gate and Sink are required.
type Config struct {
	Provider  Provider
	Model     string
	System    string // see [SystemPrompt]
	Tools     []Tool
	Gate      Gate
	Asker     Asker   // nil: there is nobody to ask, and what needs an answer is denied
	Tracker   Tracker // nil: no snapshots are taken
	Sink      Sink
	Limits    Limits
	Window    int // the model's context window in tokens; 0 is [DefaultWindow]
	MaxTokens int // of one answer; 0 lets the provider choose
	Effort    string
	// Schema and Check ask for a final answer in JSON: the schema goes to the
	// provider, and Check returns the answer as it is to be given or says what is
	// wrong with it. A wrong answer is sent back once.
	Schema json.RawMessage
	Check  func(text string) (string, error)
	// Keep shortens the output of a call to what the model shall read and stores
	// the whole under a handle. Nil shortens only.
	Keep func(call Call, text string) (shown, handle string)
	// Secrets are replaced by [Redacted] in every event, and so in what is sent,
	// stored and shown.
	Secrets []string
	// Parallel is how many calls run at once; 0 is 8. With 1 nothing else runs
	// concurrently with them either, and the events of a session come in one order.
	Parallel int
	Now      func() time.Time
}

// DefaultWindow is the context window assumed of a model that nothing is known
// of, in tokens.
const DefaultWindow = 128_000

// defaultParallel is how many calls of one message run at once. Few messages
// hold more, and each may start processes.
const defaultParallel = 8

// Limits end a run cleanly: the step under way is finished, its results are
// stored, and the outcome is [OutcomeLimit]. Time ends the step too. They count
// from the start of the run, not of the session. Zero is no limit.
type Limits struct {
	Steps  int           // requests to the model
	Time   time.Duration // of the clock on the wall
	Tokens int           // all tokens of all requests, cached ones included
	USD    float64       // price of all requests; a model without a known price ends the run
}

// Asker asks a person about a call that the rules leave to one.
type Asker interface {
	// Ask returns when the person has answered or ctx has ended. The error
	// [ErrNobody] says that there is nobody to ask.
	Ask(ctx context.Context, q Question) (Answer, error)
}

// ErrNobody is the error of an [Asker] that cannot reach a person.
var ErrNobody = errors.New("there is nobody to ask")

// Question is a question to a person.
type Question struct {
	Spec     ToolSpec
	Call     Call
	Access   []Access
	Decision Decision // with the rule that made it a question
}

// Answer is what a person decided.
type Answer struct {
	Allow  bool
	Always bool   // for the rest of the session, for calls like this one
	Text   string // for the model when denied: what to do instead
}

// Turn is what a person asks of the agent in one run.
type Turn struct {
	// Session opens the run: its ID, Parent, Root, Provider, Model and the Rules
	// it starts with.
	Session Event
	Notes   []string  // for the person, stored after the opening
	Context []Context // text given with the prompt, in this order
	Prompt  string    // empty continues where the session stopped
}

// Context is text that comes with a prompt from an untrusted source.
type Context struct {
	Title string   // says what it is, for the model
	Text  string   // any bytes
	Paths []string // files it was made of
}

// End says how a run ended.
type End struct {
	Outcome Outcome
	Text    string // the final answer when done, else what happened and what to do
	Usage   Usage  // of this run
	Steps   int    // requests of this run
	Err     error  // the cause, when failed
}

// check completes the configuration and says what is missing.
func (c Config) check() (Config, error) {
	switch {
	case c.Provider == nil || c.Gate == nil || c.Sink == nil:
		return c, errors.New("agent: Config needs a Provider, a Gate and a Sink")
	case c.Schema != nil && c.Check == nil:
		return c, errors.New("agent: Config has a Schema without a Check")
	}
	if c.Window <= 0 {
		c.Window = DefaultWindow
	}
	if c.Parallel <= 0 {
		c.Parallel = defaultParallel
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Keep == nil {
		c.Keep = func(_ Call, text string) (string, string) { return excerpt(text, maxResult), "" }
	}
	c.Tools = slices.Clone(c.Tools)
	slices.SortFunc(c.Tools, func(a, b Tool) int {
		return compare(a.Spec().Name, b.Spec().Name)
	})
	for i := 1; i < len(c.Tools); i++ {
		if name := c.Tools[i].Spec().Name; name == c.Tools[i-1].Spec().Name {
			return c, fmt.Errorf("agent: two tools are named %q; rename one", name)
		}
	}
	return c, nil
}
