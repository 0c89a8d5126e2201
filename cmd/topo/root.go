package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topo-dev/topo/internal/nearest"
	"github.com/topo-dev/topo/internal/shellquote"
	"github.com/topo-dev/topo/settings"
)

// outputFormats are the values of the global --format.
var outputFormats = settings.Formats()

// presetNames are the values of --preset.
func presetNames() []string { return settings.Presets() }

// newRoot returns the command tree.
func newRoot(f *factory) *cobra.Command {
	var showVersion bool
	cmd := &cobra.Command{
		Use:   "topo",
		Short: "Find the code of a repository that a task is about",
		Long: `topo finds the code of a repository that a task is about.

Each command is one stage of a pipeline and reads and writes a stream of JSON
records, one a line:

  scan → index → score → select → render → agent

quick runs the first four at once. Nothing leaves this machine unless a
provider is configured; topo describe says what would.`,
		Example: `  topo quick "evict pods under memory pressure" | topo render --max-tokens 8000
  topo scan | topo index --deep | topo score "session expiry" | topo select --top 10`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				return runVersion(&versionOptions{f})
			}
			return cmd.Help()
		},
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			f.cmd = cmd
			if err := f.checkGlobal(); err != nil {
				return err
			}
			f.started = true
			return nil
		},
	}
	cmd.SetIn(f.in)
	cmd.SetOut(f.out)
	cmd.SetErr(f.err)
	cmd.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%w%s; see %s --help", err, flagMeant(c, err), c.CommandPath())
	})
	cmd.Flags().BoolVar(&showVersion, "version", false, "print the version, as topo version does")
	addGlobalFlags(cmd.PersistentFlags(), f)
	cmd.AddCommand(commands(f)...)
	completeFlags(f, cmd)
	return cmd
}

// addGlobalFlags adds the flags that every command has.
func addGlobalFlags(flags *pflag.FlagSet, f *factory) {
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "say more on standard error")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "say nothing on standard error but errors")
	flags.StringVar(&f.format, "format", "auto", "output: auto, jsonl, json or human (auto: human for a terminal, else jsonl)")
	flags.BoolVar(&f.json, "json", false, "short for --format json")
	flags.BoolVar(&f.jsonl, "jsonl", false, "short for --format jsonl")
	flags.StringVar(&f.colorMode, "color", settings.ColorAuto, "colour for a person: "+strings.Join(settings.Colors(), ", ")+" (auto: on a terminal)")
	flags.BoolVar(&f.noColor, "no-color", false, "short for --color never")
	flags.StringVar(&f.root, "root", "", "repository root (default: the project around the current folder)")
	flags.StringVar(&f.cacheDir, "cache-dir", "", "folder of the index (default: .topo-cache in the root)")
	flags.StringVar(&f.indexFile, "index", "", "answer from this deep index as it is; topo index --deep writes it")
}

// knownCommand refuses what is no command, and says which one was meant.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if strings.ContainsAny(args[0], " \t\n") {
		return usagef("%q is no command; to search for it: topo quick %s", args[0], shellquote.Quote(args[0]))
	}
	return usagef("unknown command %q%s; topo --help lists them", args[0], meant("", nearest.Of(args[0], commandNames(cmd))))
}

// commandNames are the names of the commands below one.
func commandNames(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagMeant says which flag was meant by one that a command does not have.
func flagMeant(c *cobra.Command, err error) string {
	var none *pflag.NotExistError
	if !errors.As(err, &none) {
		return ""
	}
	var names []string
	add := func(f *pflag.Flag) { names = append(names, f.Name) }
	c.Flags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	return meant("--", nearest.Of(none.GetSpecifiedName(), names))
}

// meant asks whether a name was meant, when there is one.
func meant(prefix, name string) string {
	if name == "" {
		return ""
	}
	return " (did you mean " + prefix + name + "?)"
}

// commands lists every command of topo in the order of the pipeline. To add
// one, write its file and add its constructor here.
func commands(f *factory) []*cobra.Command {
	return []*cobra.Command{
		newScan(f, nil),
		newIndex(f, nil),
		newScore(f, nil),
		newSelect(f, nil),
		newRender(f, nil),
		newExplain(f, nil),
		newEval(f, nil),
		newInspect(f, nil),
		newQuery(f, nil),
		newQuick(f, nil),
		newRetrieve(f, nil),
		newGraph(f),
		newImpact(f, nil),
		newDetect(f, nil),
		newMCP(f, nil),
		newAgent(f, nil),
		newDescribe(f, nil),
		newVersion(f, nil),
		newGen(f, nil),
		newConfined(),
	}
}

// oneOf returns a check that a value is in list.
func oneOf(what string, list []string) func(string) error {
	return func(v string) error {
		if slices.Contains(list, v) {
			return nil
		}
		return fmt.Errorf("unknown %s %q; one of %s", what, v, strings.Join(list, ", "))
	}
}
