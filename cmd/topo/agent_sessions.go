package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/session"
	"github.com/topo-dev/topo/internal/atomicfile"
)

// sessionOptions is for the commands about one session, or all of them.
type sessionOptions struct {
	f      *factory
	Args   []string
	Output string // export: file
	As     string // export: format
	Step   int    // fork, undo, diff, accept: of the session; 0 is not given
}

func newAgentSessions(f *factory, runF func(context.Context, *sessionOptions) error) *cobra.Command {
	opts := &sessionOptions{f: f}
	return &cobra.Command{
		Use:   "sessions",
		Short: "List the sessions of this repository",
		Long: `List the sessions of this repository, the oldest first: when they were used,
how they ended, their steps, and what was asked.`,
		Example: "  topo agent sessions\n  topo agent sessions --format jsonl | jq -r 'select(.Outcome == \"done\").Session'",
		Args:    cobra.NoArgs,
		RunE:    runSession(opts, runF, runAgentSessions),
	}
}

// runSession is the RunE of the commands about sessions.
func runSession(o *sessionOptions, runF, run func(context.Context, *sessionOptions) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		o.Args = args
		if runF != nil {
			return runF(cmd.Context(), o)
		}
		return run(cmd.Context(), o)
	}
}

func runAgentSessions(_ context.Context, o *sessionOptions) error {
	p, err := o.f.agentSessions()
	if err != nil {
		return err
	}
	list, err := p.sessions.List()
	if err != nil {
		return envError{err}
	}
	if o.f.outputFormat() != "human" {
		enc := json.NewEncoder(o.f.out)
		enc.SetEscapeHTML(false)
		for _, i := range list {
			if err := enc.Encode(i); err != nil {
				return err
			}
		}
		return nil
	}
	if len(list) == 0 {
		o.f.notef(`no sessions yet; begin one with: topo agent "…"`)
		return nil
	}
	w := tabwriter.NewWriter(o.f.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "SESSION\tUPDATED\tSTATE\tSTEPS\tTOKENS\tTASK")
	for _, i := range list {
		task := i.Task
		if i.Problem != "" {
			task = i.Problem
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", i.Session, i.Updated.Format("2006-01-02 15:04"), i.State(), i.Steps, i.Usage.Total(), visible(task))
	}
	return w.Flush()
}

func newAgentShow(f *factory, runF func(context.Context, *sessionOptions) error) *cobra.Command {
	opts := &sessionOptions{f: f}
	return &cobra.Command{
		Use:   "show [session]",
		Short: "Show what happened in a session",
		Long: `Show what happened in a session: its answers, tool calls and cost, as they
were shown when it ran, or its events with --format jsonl.

A session is named by its ID, by the beginning of it, or by "last", which is
also what is shown without an argument.`,
		Example: "  topo agent show\n  topo agent show 20261121-0910 --format jsonl",
		Args:    cobra.MaximumNArgs(1),
		RunE:    runSession(opts, runF, runAgentShow),
	}
}

func runAgentShow(_ context.Context, o *sessionOptions) error {
	p, err := o.f.agentSessions()
	if err != nil {
		return err
	}
	id, err := p.sessionArg(o.Args)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(o.f.out)
	var sink agent.Sink = lines{w}
	if o.f.outputFormat() == "human" {
		v := newView(w, w, o.f.color())
		v.full = true
		sink = &transcript{v}
	}
	if err := p.sessions.Read(id, sink.Emit); err != nil {
		return envError{err}
	}
	return w.Flush()
}

// transcript is a view that also shows what the user said.
type transcript struct{ *view }

// Emit shows the event.
func (t *transcript) Emit(e agent.Event) error {
	if e.Event == agent.EventPrompt && e.Message != nil {
		t.endLine()
		t.printf("> %s\n", screen(e.Message.Text()))
		return t.err
	}
	return t.view.Emit(e)
}

func newAgentExport(f *factory, runF func(context.Context, *sessionOptions) error) *cobra.Command {
	opts := &sessionOptions{f: f}
	cmd := &cobra.Command{
		Use:   "export [session]",
		Short: "Write a session as a document or as its events",
		Long: `Write a session as a Markdown document, with every call and result, or as
the JSONL of its events.`,
		Example: "  topo agent export last -o session.md\n  topo agent export 20261121-0910 --as jsonl",
		Args:    cobra.MaximumNArgs(1),
		RunE:    runSession(opts, runF, runAgentExport),
	}
	cmd.Flags().StringVarP(&opts.Output, "output", "o", "", "write to this file")
	cmd.Flags().StringVar(&opts.As, "as", "markdown", "markdown or jsonl")
	return cmd
}

func runAgentExport(_ context.Context, o *sessionOptions) error {
	if err := oneOf("export", []string{"markdown", "jsonl"})(o.As); err != nil {
		return usagef("--as: %w", err)
	}
	p, err := o.f.agentSessions()
	if err != nil {
		return err
	}
	id, err := p.sessionArg(o.Args)
	if err != nil {
		return err
	}
	events, err := p.sessions.Events(id)
	if err != nil {
		return envError{err}
	}
	write := func(w io.Writer) error {
		if o.As == "markdown" {
			return session.Markdown(w, events)
		}
		for _, e := range events {
			if err := (lines{w}).Emit(e); err != nil {
				return err
			}
		}
		return nil
	}
	if o.Output == "" {
		w := bufio.NewWriter(o.f.out)
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	}
	if err := atomicfile.Write(o.Output, write); err != nil {
		return envf("output %s: %w; nothing was written", o.Output, rootCause(err))
	}
	return nil
}
