package agent

import (
	"context"
	"encoding/json"
)

// ToolSpec is what a model, an MCP client and a person know about a tool.
type ToolSpec struct {
	Name        string          // lower case with underscores
	Description string          // Markdown
	Schema      json.RawMessage // JSON schema of the input, an object; keys in a fixed order
	Output      json.RawMessage // JSON schema of the structured answers, an object; nil when there is none
	ReadOnly    bool            // changes nothing
	Destructive bool            // may overwrite or delete; meaningless when ReadOnly
	Idempotent  bool            // a second run with the same input changes nothing more
	OpenWorld   bool            // reaches beyond this machine
}

// Tool is something the model can ask for.
type Tool interface {
	Spec() ToolSpec
	// Access says what a call would touch, before it runs: permissions are
	// decided on it, and calls that write the same path run in order. An error
	// means that the input is not valid; the call is then not run.
	Access(input json.RawMessage) ([]Access, error)
	// Run executes a call whose input Access accepted. An error becomes an error
	// result that the model reads: it says what, where and what to do. On a
	// cancelled context Run returns soon and leaves no process and no
	// half-written file.
	Run(ctx context.Context, input json.RawMessage) (Output, error)
}

// Access is one thing a call touches.
type Access struct {
	Op      Op
	Path    string // slash-separated, relative to the root; "." is the whole tree. Read and write only
	Command string // as the shell gets it. Exec only
	Host    string // Net only
}

// Op is how something is touched.
type Op string

// Operations.
const (
	OpRead  Op = "read"
	OpWrite Op = "write"
	OpExec  Op = "exec"
	OpNet   Op = "net"
)

// Output is what a tool answers.
type Output struct {
	Text    string   // for the model; the loop caps it and keeps the rest on disk
	Hints   []string // next steps worth taking, one short sentence each
	IsError bool     // the call ran and failed, such as a command with exit code 1
	// Structured is the same answer for programs, an object that is valid by the
	// tool's schema; nil when the tool has none.
	Structured json.RawMessage
}

// Verdict is what the permissions say of a call.
type Verdict string

// Verdicts.
const (
	Allow Verdict = "allow"
	Ask   Verdict = "ask"
	Deny  Verdict = "deny"
)

// Decision is a verdict with the rule it comes from, to be shown.
type Decision struct {
	Verdict Verdict
	Rule    string // as the user wrote it, or the name of a built-in rule
	Reason  string // for the model when denied: what to do instead
}

// Gate decides whether a call may run.
type Gate interface {
	Decide(spec ToolSpec, call Call, access []Access) Decision
	// Remember adds a rule that a person granted for the rest of the session. It
	// is given the accesses of the call that was asked about and returns the
	// rules in their written form.
	Remember(spec ToolSpec, access []Access) []string
}

// Tracker takes snapshots of the working tree, by which each step can be undone
// and inspected.
type Tracker interface {
	// Snapshot records the tree as it is and returns its identity; the same tree
	// gives the same identity. Skipped names files that were too large.
	Snapshot(ctx context.Context, label string) (id string, skipped []string, err error)
}
