package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/agent/host"
	"github.com/topo-dev/topo/internal/lab"
	"github.com/topo-dev/topo/schema"
	"github.com/topo-dev/topo/settings"
)

// kinds lists every kind of record and object that a command prints.
func kinds() []schema.Kind {
	return slices.Concat(schema.Records(), schema.Answers(), []schema.Kind{
		schema.Rendering(),
		schema.Object[streamObject]("stream", "a stream as one object, as scan, index, score, select, query, quick and retrieve print it"),
		schema.Object[topo.IndexInfo]("index", "what topo inspect prints of an index"),
		schema.Object[topo.FileInfo]("indexed-file", "what topo inspect prints of a file"),
		schema.Object[lab.Result]("evaluation", "what topo eval measures"),
		schema.Object[buildInfo]("version", "what topo version prints"),
		schema.Object[description]("description", "what topo describe prints; the keys that discovery specifies are in lower case"),
	})
}

// toolSchemas are the schemas of what the tools of topo agent and topo mcp take and
// return, by name: those of search are search-input and search-output.
func toolSchemas() map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, t := range host.Tools() {
		out[t.Name+"-input"] = t.Schema
		if t.Output != nil {
			out[t.Name+"-output"] = t.Output
		}
	}
	return out
}

// schemaNames are the values of --schema.
func schemaNames() (names []string) {
	for _, k := range kinds() {
		names = append(names, k.Name)
	}
	for name := range toolSchemas() {
		names = append(names, name)
	}
	files, _ := settings.Schemas() // an error is a fault of the table, which its test finds
	for _, s := range files {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return names
}

// schemaNamed is the JSON Schema of that name.
func schemaNamed(name string) ([]byte, error) {
	files, err := settings.Schemas()
	if err != nil {
		return nil, err
	}
	for _, s := range files {
		if s.Name == name {
			return s.JSON, nil
		}
	}
	raw := toolSchemas()[name]
	for _, k := range kinds() {
		if k.Name == name {
			if raw, err = json.Marshal(k.Schema()); err != nil {
				return nil, err
			}
		}
	}
	if raw == nil {
		return nil, usagef("--schema %s: unknown; one of %s", name, strings.Join(schemaNames(), ", "))
	}
	var b bytes.Buffer
	err = json.Indent(&b, raw, "", "  ")
	b.WriteByte('\n')
	return b.Bytes(), err
}

func recordReference() []byte {
	var b bytes.Buffer
	b.WriteString("# Records\n\n" + generatedNote)
	b.WriteString("Every kind of record and object that topo writes for programs. Records are lines of a stream; objects are what a command prints with `--format json`. All but the header, the files and the footer of a stream name their kind in `Record`. Unknown fields are allowed: stages pass on records and fields that they do not know. `topo describe --schema NAME` prints the JSON Schema of one kind.\n")
	for _, k := range kinds() {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n", k.Name, strings.ToUpper(k.Doc[:1])+k.Doc[1:])
		if k.Key != "" && !k.Specified() {
			fmt.Fprintf(&b, "Earlier versions wrote no `Record`; the key `%s` tells this kind then.\n", k.Key)
		}
		if k.Example != "" {
			fmt.Fprintf(&b, "\n```json\n%s\n```\n", k.Example)
		}
		s := k.Schema()
		b.WriteString("\n| field | type | | meaning |\n|---|---|---|---|\n")
		for _, name := range s.PropertyOrder {
			p := s.Properties[name]
			if p.Not != nil {
				continue // what marks other kinds
			}
			always := ""
			if slices.Contains(s.Required, name) {
				always = "always"
			}
			types := strings.Join(slices.DeleteFunc(append(p.Types, p.Type), func(t string) bool { return t == "" }), " or ")
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", name, types, always, strings.ReplaceAll(p.Description, "|", `\|`))
		}
	}
	b.WriteString("\n## Tools\n\nEach tool of `topo agent` and `topo mcp` has a schema of its input, and most have one of their structured output:\n\n")
	for _, name := range slices.Sorted(maps.Keys(toolSchemas())) {
		fmt.Fprintf(&b, "- `%s`\n", name)
	}
	return b.Bytes()
}
