package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider"
	"github.com/topo-dev/topo/agent/tool/files"
	"github.com/topo-dev/topo/agent/tool/shell"
)

// agentTools describes the tools of the agent, sorted by name. They are made
// for that alone and stand on no tree.
func agentTools() []toolInfo {
	tools := files.Tools(nil, files.Options{})
	tools = append(tools, codeTools(nil, nil)...)
	tools = append(tools, shell.Tool(shell.Options{}))
	out := toolInfos(tools)
	slices.SortFunc(out, func(a, b toolInfo) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// providerLeaves says what goes where when topo agent runs, for each provider
// that is set up.
func (f *factory) providerLeaves() (out []string) {
	for _, i := range provider.All() {
		key, _ := i.Key(f.env, nil)
		base := i.Base(f.env)
		if key.Empty() && base == i.BaseURL && f.env("TOPO_PROVIDER") != i.Name {
			continue
		}
		if leaves, _, _ := strings.Cut(i.Leaves, ", to "); leaves != "nothing" {
			to := i.Leaves
			if base != i.BaseURL {
				to = leaves + ", to " + provider.Where(base)
			}
			out = append(out, fmt.Sprintf("topo agent --provider %s: %s", i.Name, to))
		}
	}
	return out
}

// providerVariables are the variables in which providers are set up.
func providerVariables() (out []variable) {
	for _, i := range provider.All() {
		for _, name := range i.KeyEnv {
			out = append(out, variable{name, "key of " + i.Title + " for topo agent", true})
		}
		if i.BaseEnv != "" {
			out = append(out, variable{i.BaseEnv, "address of " + i.Title + " for topo agent", false})
		}
	}
	out = append(out, variable{"TOPO_PROVIDER", "provider of topo agent, as --provider", false})
	return out
}

// allVariables lists every variable that topo reads. One that serves two things
// says both.
func allVariables() []variable {
	out := slices.Clone(variables)
	for _, v := range providerVariables() {
		if i := slices.IndexFunc(out, func(o variable) bool { return o.name == v.name }); i >= 0 {
			out[i].doc += "; " + v.doc
			continue
		}
		out = append(out, v)
	}
	return out
}

// eventReference documents the events of a session.
func eventReference() []byte {
	var b bytes.Buffer
	b.WriteString("# Events\n\n" + generatedNote)
	b.WriteString("What happens in a session of topo agent is a stream of events: a line of JSON each, in the log of the session and on standard output with `--format jsonl`. " +
		"Every event has `Event`, its kind, `Session`, `Seq` (1 for the first, 0 for live ones), `Time` (UTC) and, once a request was made, `Step`. " +
		"Live events are shown while they happen and not stored, because a later event holds the same. The schema of an event is in [records.md](records.md#event).\n\n")
	b.WriteString("| event | keys | meaning |\n|---|---|---|\n")
	for _, k := range agent.Kinds() {
		var keys []string
		for _, key := range k.Keys {
			keys = append(keys, "`"+key+"`")
		}
		doc := k.Doc
		if k.Live {
			doc += " (live)"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Kind, strings.Join(keys, " "), doc)
	}
	b.WriteString("\n## How a run ends\n\n| outcome | meaning |\n|---|---|\n")
	for _, o := range agent.Outcomes() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", o.Outcome, o.Doc)
	}
	return b.Bytes()
}

// agentReference documents the tools and providers of the agent.
func agentReference() []byte {
	var b bytes.Buffer
	b.WriteString("# Providers and tools of topo agent\n\n" + generatedNote)
	b.WriteString("## Providers\n\n| name | what it is | key | address | default model | what leaves the machine |\n|---|---|---|---|---|---|\n")
	for _, i := range provider.All() {
		model, key := i.Model, strings.Join(i.KeyEnv, ", ")
		if model == "" {
			model = "to be named with --model"
		}
		if key == "" {
			key = "–"
		}
		base := i.BaseURL
		if i.BaseEnv != "" {
			base = strings.TrimSpace(base + " (" + i.BaseEnv + ")")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", i.Name, i.Title, key, base, model, i.Leaves)
	}
	for _, i := range provider.All() {
		fmt.Fprintf(&b, "\n- **%s**: %s", i.Name, i.KeyHelp)
	}
	b.WriteString("\n\n## Tools\n")
	for _, t := range agentTools() {
		how := "changes something"
		if t.ReadOnly {
			how = "only reads"
		}
		var schema bytes.Buffer
		if json.Indent(&schema, t.Schema, "", "  ") != nil {
			schema.Write(t.Schema)
		}
		fmt.Fprintf(&b, "\n### %s\n\nIt %s.\n\n%s\n\n```json\n%s\n```\n", t.Name, how, t.Doc, schema.String())
	}
	return b.Bytes()
}
