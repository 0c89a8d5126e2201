package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/provider"
)

// EventReference documents the events of a session in Markdown, with a note below
// the title.
func EventReference(note string) []byte {
	var b bytes.Buffer
	b.WriteString("# Events\n\n" + note)
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

// Reference documents the providers and tools of the agent in the same way.
func Reference(note string) []byte {
	var b bytes.Buffer
	b.WriteString("# Providers and tools of topo agent\n\n" + note)
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
	for _, t := range Tools() {
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
