package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/agent/host"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/internal/secret"
	"github.com/topo-dev/topo/settings"
	"github.com/topo-dev/topo/stream"
)

type describeOptions struct {
	f      *factory
	Schema string // name of the one to print
}

func newDescribe(f *factory, runF func(context.Context, *describeOptions) error) *cobra.Command {
	opts := &describeOptions{f: f}
	cmd := &cobra.Command{
		Use:   "describe",
		Short: "Say what topo can do, with which settings, and what leaves the machine",
		Long: `Say what this topo can do: commands and flags, formats, languages, scoring
modes, presets, exit codes, the schemas of the records, the settings in effect
and where each came from, and what leaves the machine.`,
		Example: `  topo describe
  topo describe --json | jq -r '.commands[]'
  topo describe --schema config > config.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runDescribe(opts)
		},
	}
	cmd.Flags().StringVar(&opts.Schema, "schema", "", "print one JSON Schema: config, user-config or features for editors, a kind of record or object such as symbol, or of a tool as in symbol-output")
	_ = cmd.RegisterFlagCompletionFunc("schema", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return schemaNames(), cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

// description is what topo describe --json prints. The first group holds
// names only, as specified for the discovery by agents; the second says more
// of each.
type description struct {
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Commands  []string `json:"commands"`
	Formats   []string `json:"formats"`
	Languages []string `json:"languages"` // whose definitions are found
	Scoring   []string `json:"scoring"`
	Presets   []string `json:"presets"`

	StreamVersion string
	CommandInfo   []commandInfo
	GlobalFlags   []flagInfo
	topo.Capabilities
	MCPServers  []host.ServerInfo // configured by the user, for topo agent
	ExitCodes   []exitInfo
	Records     []recordInfo
	Settings    []settingInfo
	Environment []environmentInfo
	Agent       host.Description // what topo agent starts from here
	Tools       []host.ToolInfo  // of topo agent
	Providers   []host.Provider  // of models for topo agent
	Leaves      []string         `json:"LeavesMachine"` // empty: nothing does
}

// RecordKind is the name of the object.
func (*description) RecordKind() string { return "description" }

type commandInfo struct {
	Name  string
	Usage string
	Doc   string
	Flags []flagInfo `json:",omitempty"`
}

type flagInfo struct {
	Name    string
	Short   string `json:",omitempty"`
	Type    string
	Default string `json:",omitempty"`
	Doc     string
}

type exitInfo struct {
	Code    int
	Meaning string
}

type recordInfo struct {
	Kind   string
	Key    string `json:",omitempty"` // tells a record without a name
	Doc    string
	Object bool `json:",omitempty"` // printed by itself with --format json
	Schema json.RawMessage
}

type environmentInfo struct {
	Name  string
	Value string // "set" or "unset" for a secret
	Doc   string
}

func runDescribe(o *describeOptions) error {
	if o.Schema != "" {
		text, err := schemaNamed(o.Schema)
		if err == nil {
			_, err = o.f.out.Write(text)
		}
		return err
	}
	root, err := o.f.settle("")
	if err != nil {
		return err
	}
	d, err := describe(o.f, root)
	if err != nil {
		return err
	}
	if o.f.outputFormat() == "json" || o.f.outputFormat() == "jsonl" && o.f.format != "auto" {
		return writeObject(o.f, d)
	}
	return d.text(o.f.out)
}

// describe reads the real command tree and registries.
func describe(f *factory, root string) (*description, error) {
	remote, err := f.services()
	if err != nil {
		return nil, err
	}
	servers, err := host.Servers(host.UserFolders(f.lookupEnv))
	if err != nil {
		return nil, hostError(err)
	}
	o, err := f.hostOptions(root)
	if err != nil {
		return nil, err
	}
	agent, err := host.Describe(o, host.Rights{})
	if err != nil {
		return nil, hostError(err)
	}
	top := f.cmd.Root()
	d := &description{Agent: agent, Name: top.Name(), Version: readBuildInfo().Version, StreamVersion: stream.StreamVersion,
		Formats: outputFormats, Scoring: scoringNames(), Presets: presetNames(), GlobalFlags: flagInfos(top.PersistentFlags()), Leaves: append(remote.Leaves(), f.providerLeaves()...),
		Environment: environment(f), Tools: host.Tools(), MCPServers: servers, Providers: host.Providers()}
	for _, s := range servers {
		if s.Host != "" {
			d.Leaves = append(d.Leaves, "what the agent's model passes to the tools of MCP server "+s.Name+", to "+s.Host)
		}
	}
	for _, c := range top.Commands() {
		if !c.Hidden {
			d.Commands = append(d.Commands, c.Name())
		}
	}
	for _, c := range documented(top) {
		name := strings.TrimPrefix(c.CommandPath(), top.Name()+" ")
		d.CommandInfo = append(d.CommandInfo, commandInfo{name, c.UseLine(), c.Short, flagInfos(c.LocalNonPersistentFlags())})
	}
	d.Capabilities = topo.Describe()
	for _, l := range d.LanguageInfo {
		if l.Chunks != "" {
			d.Languages = append(d.Languages, l.Name)
		}
	}
	for _, e := range exitCodes {
		d.ExitCodes = append(d.ExitCodes, exitInfo{e.Code, e.Meaning})
	}
	for _, k := range kinds() {
		raw, err := json.Marshal(k.Schema())
		if err != nil {
			return nil, err
		}
		d.Records = append(d.Records, recordInfo{k.Name, k.Key, k.Doc, k.Object, raw})
	}
	for _, v := range f.settings {
		d.Settings = append(d.Settings, newSettingInfo(v))
	}
	return d, nil
}

// documented lists the commands below c, each followed by those below it. What
// the parser of command lines adds by itself has no commands of its own here.
func documented(c *cobra.Command) (out []*cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.Hidden {
			continue
		}
		out = append(out, sub)
		if sub.Name() != "completion" {
			out = append(out, documented(sub)...)
		}
	}
	return out
}

func flagInfos(flags *pflag.FlagSet) (out []flagInfo) {
	flags.VisitAll(func(fl *pflag.Flag) {
		if fl.Hidden || fl.Name == "help" {
			return
		}
		i := flagInfo{fl.Name, fl.Shorthand, fl.Value.Type(), fl.DefValue, fl.Usage}
		if i.Default == "[]" {
			i.Default = ""
		}
		out = append(out, i)
	})
	return out
}

// variables lists the environment that topo reads beyond that of the settings.
type variable struct {
	name, doc string
	secret    bool
}

var variables = append([]variable{
	{"TOPO_ROOT", "repository root, as --root", false},
	{"TOPO_CACHE_DIR", "folder of the index, as --cache-dir", false},
	{"TOPO_PRESET", "default of --preset", false},
	{settings.UserEnv, "the user's configuration, instead of config.yaml in ~/.config/topo; /dev/null for none", false},
	{"NO_COLOR", "no colour when set to anything, as --color never", false},
	{"FORCE_COLOR", "colour also where no terminal is, as --color always", false},
	{"CLICOLOR_FORCE", "as FORCE_COLOR", false},
}, remoteVariables()...)

// remoteVariables configure the services that topo may ask over the network. They
// come from the environment alone: the repository is not trusted to say where its
// contents are sent.
func remoteVariables() (out []variable) {
	for _, v := range topo.ServiceVariables() {
		out = append(out, variable{v.Name, v.Doc, v.Secret})
	}
	return out
}

// allVariables lists every variable that topo reads. One that serves two things
// says both.
func allVariables() []variable {
	out := slices.Clone(variables)
	for _, v := range host.Variables() {
		if i := slices.IndexFunc(out, func(o variable) bool { return o.name == v.Name }); i >= 0 {
			out[i].doc += "; " + v.Doc
			continue
		}
		out = append(out, variable{v.Name, v.Doc, v.Secret})
	}
	return out
}

// providerLeaves says what goes where when topo agent runs, for each provider that
// is set up.
func (f *factory) providerLeaves() (out []string) {
	for _, t := range host.Leaves(f.env) {
		out = append(out, "topo agent --provider "+t.Provider+": "+t.What)
	}
	return out
}

func environment(f *factory) (out []environmentInfo) {
	for _, v := range allVariables() {
		value, ok := f.lookup()(v.name)
		switch {
		case !ok || value == "":
			value = "unset"
		case v.secret:
			value = "set"
		default:
			value = secret.WithoutPassword(value)
		}
		out = append(out, environmentInfo{v.name, value, v.doc})
	}
	return out
}

// text prints the description for a person.
func (d *description) text(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "%s %s, stream version %s\n\nCommands:\n", d.Name, d.Version, d.StreamVersion)
	for _, c := range d.CommandInfo {
		fmt.Fprintf(w, "  %s\t%s\n", c.Name, c.Doc)
	}
	fmt.Fprintf(w, "\nPresets:\n")
	for _, p := range d.PresetInfo {
		made := p.Groups
		if len(made) == 0 {
			made = p.Signals
		}
		fmt.Fprintf(w, "  %s\t%s (%d signals: %s)\n", p.Name, p.Doc, len(p.Signals), strings.Join(made, ", "))
	}
	for _, list := range []struct {
		title string
		names []topo.Named
	}{{"Scoring", d.ScoringInfo}, {"Fusion", d.Fusions}, {"Render formats", d.RenderFormats}, {"Tokenizers", d.Tokenizers}} {
		fmt.Fprintf(w, "\n%s:\n", list.title)
		for _, n := range list.names {
			fmt.Fprintf(w, "  %s\t%s\n", n.Name, n.Doc)
		}
	}
	fmt.Fprintf(w, "\nDetectors:\n")
	for _, r := range d.Detectors {
		fmt.Fprintf(w, "  %s\t%s\n", r.Name, r.Doc)
	}
	fmt.Fprintf(w, "\nTools of the agent:\n")
	for _, t := range d.Tools {
		first, _, _ := strings.Cut(t.Doc, "\n")
		fmt.Fprintf(w, "  %s\t%s\n", t.Name, first)
	}
	for _, s := range d.MCPServers {
		fmt.Fprintf(w, "  %s\t%s\n", s.Tools, answer.Visible("of the MCP server at "+cmp.Or(s.Host, s.Command)))
	}
	fmt.Fprintf(w, "\nSettings:\n")
	for _, s := range d.Settings {
		fmt.Fprintf(w, "  %s\t%s\t(%s)\n", s.Name, answer.Visible(s.Value), s.Origin)
	}
	fmt.Fprintf(w, "\nProviders of models:\n")
	for _, p := range d.Providers {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", p.Name, p.Title, strings.Join(p.KeyEnv, ", "))
	}
	fmt.Fprintf(w, "\nTools of the agent:\n")
	for _, t := range d.Tools {
		doc, _, _ := strings.Cut(strings.TrimSpace(t.Doc), "\n")
		fmt.Fprintf(w, "  %s\t%s\n", t.Name, doc)
	}
	fmt.Fprintf(w, "\nAgent:\n  state\t%s\n  rights\t%s\n", answer.Visible(d.Agent.State), answer.Visible(strings.Join(d.Agent.Rights, "; ")))
	fmt.Fprintf(w, "\nEnvironment:\n")
	for _, e := range d.Environment {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", e.Name, answer.Visible(e.Value), e.Doc)
	}
	fmt.Fprintf(w, "\nExit codes:\n")
	for _, e := range d.ExitCodes {
		fmt.Fprintf(w, "  %d\t%s\n", e.Code, e.Meaning)
	}
	fmt.Fprintf(w, "\nLanguages: %d known, definitions found in %d (topo describe --json lists them)\n", len(d.LanguageInfo), len(d.Languages))
	if len(d.Leaves) == 0 {
		fmt.Fprintf(w, "Leaves this machine: nothing\n")
	} else {
		fmt.Fprintf(w, "\nLeaves this machine, only when a command asks for it:\n")
	}
	for _, l := range d.Leaves {
		fmt.Fprintf(w, "  %s\n", answer.Visible(l))
	}
	return w.Flush()
}
