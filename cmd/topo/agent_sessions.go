package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/host"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/face/term"
	"github.com/topo-dev/topo/internal/atomicfile"
)

// sessionOptions is for the commands about one session, or all of them.
type sessionOptions struct {
	f      *factory
	Args   []string
	Output string // export: file
	As     string // export: format
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

func runAgentSessions(ctx context.Context, o *sessionOptions) error {
	h, err := o.f.settledHost(ctx)
	if err != nil {
		return err
	}
	list, err := h.Sessions()
	if err != nil {
		return envError{err}
	}
	if o.f.outputFormat() != "human" {
		for _, i := range list {
			if err := (lines{o.f.out}).write(i); err != nil {
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
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", i.Session, i.Updated.Format("2006-01-02 15:04"), i.State(), i.Steps, i.Usage.Total(), answer.Visible(task))
	}
	return w.Flush()
}

// session opens the host and finds the session that the arguments name, the last
// one by default.
func (o *sessionOptions) session(ctx context.Context) (h *host.Host, id string, err error) {
	if h, err = o.f.settledHost(ctx); err != nil {
		return nil, "", err
	}
	id, err = resolveSession(h, strings.Join(o.Args, " "))
	return h, id, err
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

func runAgentShow(ctx context.Context, o *sessionOptions) error {
	h, id, err := o.session(ctx)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(o.f.out)
	var sink agent.Sink = lines{w}
	if o.f.outputFormat() == "human" {
		v := term.NewView(w, w, o.f.color())
		v.Full = true
		sink = v
	}
	if err := h.Events(id, sink.Emit); err != nil {
		return envError{err}
	}
	return w.Flush()
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

func runAgentExport(ctx context.Context, o *sessionOptions) error {
	if err := oneOf("export", []string{"markdown", "jsonl"})(o.As); err != nil {
		return usagef("--as: %w", err)
	}
	h, id, err := o.session(ctx)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error {
		if o.As == "markdown" {
			return h.Markdown(w, id)
		}
		return h.Events(id, lines{w}.Emit)
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
