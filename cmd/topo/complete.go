package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/agent/host"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/settings"
)

// Bounds of a completion, which answers while somebody types.
const (
	maxCompletions  = 100
	completeTimeout = 2 * time.Second
)

// completion gives the values that begin with what was typed.
type completion = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// completeFlags lets the shell complete the values of flags and arguments, for cmd
// and the commands below it. A completion that is there already stays.
func completeFlags(f *factory, cmd *cobra.Command) {
	levels := []string{"low", "medium", "high"}
	for flag, values := range map[string][]string{
		"preset": settings.Presets(), "scoring": scoringNames(), "tokenizer": settings.Tokenizers(), "strategy": strategyNames(),
		"fusion": topo.Fusions(), "color": settings.Colors(), "provider": host.ProviderNames(), "sandbox": {"off", "on", "net"},
		"effort": levels, "min-severity": levels, "fail-on": levels,
	} {
		completeFlag(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	completeFlag(cmd, "format", completeFormat)
	completeFlag(cmd, "rev", f.listed((*factory).refs))
	completeFlag(cmd, "resume", f.listed((*factory).sessionIDs))
	switch {
	case cmd.ValidArgsFunction != nil:
	case takesPlaces(cmd):
		cmd.ValidArgsFunction = f.listed((*factory).symbols)
	case strings.Contains(cmd.Use, " session") || strings.Contains(cmd.Use, "[session"):
		cmd.ValidArgsFunction = f.listed((*factory).sessionIDs)
	}
	for _, sub := range cmd.Commands() {
		completeFlags(f, sub)
	}
}

// completeFlag registers the completion of a flag that the command declares.
func completeFlag(cmd *cobra.Command, flag string, c completion) {
	if cmd.Flags().Lookup(flag) != nil || cmd.PersistentFlags().Lookup(flag) != nil {
		_ = cmd.RegisterFlagCompletionFunc(flag, c)
	}
}

// completeFormat lists the formats of the command that is typed.
func completeFormat(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	switch {
	case cmd.Name() == "render":
		return renderFormats(), cobra.ShellCompDirectiveNoFileComp
	case cmd.Flags().Lookup("null") != nil:
		return streamFormats(), cobra.ShellCompDirectiveNoFileComp
	}
	return outputFormats, cobra.ShellCompDirectiveNoFileComp
}

// takesPlaces reports whether the arguments of a command are places of the code.
func takesPlaces(cmd *cobra.Command) bool {
	_, args, _ := strings.Cut(cmd.Use, " ")
	return args == "X" || args == "A B" || cmd.Name() == "impact"
}

// listed completes from a list that is read from the project. Where that fails there
// is nothing to complete.
func (f *factory) listed(list func(f *factory, ctx context.Context, root, typed string) ([]string, error)) completion {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(context.Background(), completeTimeout)
		defer cancel()
		f.cmd, f.quiet = cmd, true
		root, err := f.settle("")
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		if root == "" {
			root = "."
		}
		values, err := list(f, ctx, root, typed)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

// refs are branches and tags.
func (f *factory) refs(ctx context.Context, root, typed string) ([]string, error) {
	return topo.Refs(ctx, root, typed, maxCompletions)
}

// symbols are names in the code graph of the index that is there.
func (f *factory) symbols(ctx context.Context, _, typed string) ([]string, error) {
	r, err := f.open(ctx, nil, "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	g, err := r.Graph()
	if err != nil {
		return nil, err
	}
	return g.Session.Session.Graph.Complete(typed, maxCompletions)
}

// sessionIDs are the sessions of the agent, with what each was about.
func (f *factory) sessionIDs(ctx context.Context, root, typed string) (ids []string, err error) {
	h, err := f.openHost(ctx, root)
	if err != nil {
		return nil, err
	}
	all, err := h.Sessions()
	for _, s := range all {
		if strings.HasPrefix(s.Session, typed) && len(ids) < maxCompletions {
			ids = append(ids, s.Session+"\t"+answer.Visible(s.Task))
		}
	}
	return ids, err
}
