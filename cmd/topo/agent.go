package main

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/agent/host"
)

// agentOptions says what the agent is to do, with whom and within what limits.
type agentOptions struct {
	f     *factory
	Task  string
	scope scanOptions // of the code tools

	Provider, Model, BaseURL string
	Effort                   string
	Recording                string // file that provider replay plays
	Window                   int    // tokens; 0 is what is known of the model

	MaxSteps      int
	Timeout       time.Duration
	BudgetUSD     float64
	BudgetTokens  int
	ContextTokens int

	Yes, ReadOnly bool
	Allow, Deny   []string
	Sandbox       string

	Schema string // file
	Resume string // session
	fork   bool   // continue a copy of it
	step   int    // fork: of the session
}

// Defaults of the limits: a task of everyday size ends well before them.
const (
	defaultSteps         = 100
	defaultContextTokens = 20_000
)

func newAgent(f *factory, runF func(context.Context, *agentOptions) error) *cobra.Command {
	opts := &agentOptions{f: f}
	cmd := &cobra.Command{
		Use:   "agent [task...]",
		Short: "Work on a task with a model and tools that know the code",
		Long: `Let a model work on a task in this repository: it searches with the index and
the code graph, reads, edits and runs commands, until it is done or a limit ends
it.

Standard input gives context: the text of topo render, or the stream of topo
quick itself, which is rendered then. Without a task the stream's query is the
task, or the text itself is.

Reading is free; writing and running commands is asked for at the terminal,
unless --yes or a rule of --allow grants it. Without a terminal what would be
asked is denied. Rules name a tool and what it touches: write(docs/**),
bash(go test:*).

Every step that changes something is recorded: topo agent diff shows it, topo
agent undo takes it back. A session that was ended by whatever cause goes on
with --resume.

Standard output has the answer and what was done, for a person at a terminal, or
every event as a line of JSON (--format jsonl, the default for a pipe). With
--json-schema it has the answer alone.`,
		Example: `  topo quick "login fails" | topo render | topo agent "fix the failing login"
  topo agent --provider replay "fix the failing test"
  topo agent --read-only --json-schema answer.schema.json "which file reads the config?" </dev/null
  topo agent --resume last "now add a test"`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Task = strings.Join(args, " ")
			return opts.run(cmd, runF)
		},
	}
	addAgentFlags(cmd, opts)
	cmd.Flags().StringVar(&opts.Resume, "resume", "", "go on with this session: its ID, the beginning of it, or last")
	cmd.AddCommand(newAgentSessions(f, nil), newAgentShow(f, nil), newAgentResume(f, nil), newAgentFork(f, nil), newAgentExport(f, nil),
		newAgentUndo(f, nil), newAgentDiff(f, nil), newAgentAccept(f, nil))
	return cmd
}

func addAgentFlags(cmd *cobra.Command, o *agentOptions) {
	flags := cmd.Flags()
	o.f.addSecretsFlag(flags)
	addScopeFlags(flags, &o.scope)
	flags.StringVar(&o.Provider, "provider", "", "who runs the model: "+strings.Join(host.ProviderNames(), ", ")+" (default: the first whose key is set)")
	flags.StringVar(&o.Model, "model", "", "model, as the provider names it (default: the provider's)")
	flags.StringVar(&o.BaseURL, "base-url", "", "address of the provider's interface (default: its own)")
	flags.StringVar(&o.Recording, "recording", "", "session that --provider replay plays, as topo agent export --as jsonl writes it (default: one that comes with topo)")
	flags.StringVar(&o.Effort, "effort", "", "how much the model thinks: low, medium, high (default: the model's own)")
	flags.IntVar(&o.Window, "window", 0, "context window of the model in tokens (default: what is known of it)")
	flags.IntVar(&o.MaxSteps, "max-steps", defaultSteps, "end after this many requests to the model, 0 for no limit")
	flags.DurationVar(&o.Timeout, "timeout", 0, "end after this long, such as 10m, 0 for no limit")
	flags.Float64Var(&o.BudgetUSD, "budget-usd", 0, "end when the run has cost this much, 0 for no limit")
	flags.IntVar(&o.BudgetTokens, "budget-tokens", 0, "end when the run has used this many tokens, 0 for no limit")
	flags.IntVar(&o.ContextTokens, "context-tokens", defaultContextTokens, "budget for the files of a stream on standard input")
	flags.BoolVar(&o.Yes, "yes", false, "allow what would be asked")
	flags.BoolVar(&o.ReadOnly, "read-only", false, "deny everything that changes something")
	flags.StringArrayVar(&o.Allow, "allow", nil, "allow this, such as 'bash(go test:*)' or 'write(docs/**)'; may be repeated")
	flags.StringArrayVar(&o.Deny, "deny", nil, "deny this; wins over every other rule; may be repeated")
	flags.StringVar(&o.Sandbox, "sandbox", "off", "confine commands with the means of the kernel: off, on, or net to let them reach the network")
	flags.StringVar(&o.Schema, "json-schema", "", "file with the JSON schema that the answer must keep to; only the answer is printed then")
}

// run checks the options and runs the agent.
func (o *agentOptions) run(cmd *cobra.Command, runF func(context.Context, *agentOptions) error) error {
	if err := o.check(); err != nil {
		return err
	}
	if runF != nil {
		return runF(cmd.Context(), o)
	}
	return runAgent(cmd.Context(), o)
}

func (o *agentOptions) check() error {
	for flag, n := range map[string]int{"max-steps": o.MaxSteps, "budget-tokens": o.BudgetTokens, "context-tokens": o.ContextTokens, "window": o.Window} {
		if n < 0 {
			return usagef("--%s: %d is negative; give 0 for no limit", flag, n)
		}
	}
	switch {
	case o.BudgetUSD < 0 || o.Timeout < 0:
		return usagef("--budget-usd and --timeout cannot be negative; give 0 for no limit")
	case o.Yes && o.ReadOnly:
		return usagef("--yes and --read-only contradict each other; give one of them")
	case o.Schema != "" && o.f.format != "auto" && o.f.format != "human":
		return usagef("--json-schema prints the answer alone, so --format %s contradicts it; topo agent show --format jsonl has the events", o.f.format)
	}
	if o.Effort != "" {
		if err := oneOf("effort", []string{"low", "medium", "high"})(o.Effort); err != nil {
			return usagef("--effort: %w", err)
		}
	}
	if err := oneOf("sandbox", []string{"off", "on", "net"})(o.Sandbox); err != nil {
		return usagef("--sandbox: %w", err)
	}
	return nil
}

// answer reads the schema of the answer; nil without one.
func (o *agentOptions) answer() (*host.Answer, error) {
	if o.Schema == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(o.Schema)
	if err != nil {
		return nil, usagef("--json-schema %s: %w; give a file with a JSON schema", o.Schema, rootCause(err))
	}
	c, err := host.ParseSchema(raw)
	if err != nil {
		return nil, usagef("--json-schema %s: %w", o.Schema, err)
	}
	return c, nil
}

// agentCommand completes a command that runs the agent: its flags, and how the
// arguments name a session and a task.
func agentCommand(cmd *cobra.Command, o *agentOptions, runF func(context.Context, *agentOptions) error) *cobra.Command {
	addAgentFlags(cmd, o)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.Resume = host.Last
		if len(args) > 0 {
			o.Resume, o.Task = args[0], strings.Join(args[1:], " ")
		}
		return o.run(cmd, runF)
	}
	return cmd
}

func newAgentResume(f *factory, runF func(context.Context, *agentOptions) error) *cobra.Command {
	return agentCommand(&cobra.Command{
		Use:   "resume [session [task...]]",
		Short: "Go on with a session, whatever ended it",
		Long: `Go on with a session: the last one by default. Without a task it goes on where
it stopped. Calls that were under way when it was killed are told to the model
and not made again.`,
		Example: "  topo agent resume\n  topo agent resume 20261121-0910 \"now add a test\"",
	}, &agentOptions{f: f}, runF)
}

func newAgentFork(f *factory, runF func(context.Context, *agentOptions) error) *cobra.Command {
	opts := &agentOptions{f: f, fork: true}
	cmd := agentCommand(&cobra.Command{
		Use:   "fork session [task...]",
		Short: "Begin a new session from what happened in another",
		Long: `Begin a new session with the transcript of another, all of it or up to a step.
The other stays as it is. With a task the new session runs; without one its ID is
printed. The files of the tree stay as they are; topo agent undo takes changes
back.`,
		Example: "  topo agent fork last --step 2 \"try it without the cache\"",
		Args:    cobra.MinimumNArgs(1),
	}, opts, runF)
	cmd.Flags().IntVar(&opts.step, "step", 0, "up to the end of this step (default: all)")
	return cmd
}
