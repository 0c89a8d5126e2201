package codebase

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/schema"
)

// outputSchema is the JSON Schema of the structured answers of a tool: one of the
// kinds, or that the index is being built. It panics when a kind has no schema:
// that is a mistake in the program, and no input can cause it.
func outputSchema(kinds []answer.Answer) []byte {
	all := &jsonschema.Schema{Type: "object"}
	for _, k := range kinds {
		all.AnyOf = append(all.AnyOf, part(schema.OfAnswer(k)))
	}
	all.AnyOf = append(all.AnyOf, part(schema.Object[Building]("building", "there is no index yet").Schema()))
	raw, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return raw
}

// part is a schema as a part of another. The descriptions of fields are left to
// topo describe: a client gets the schemas of all tools with each connection.
func part(s *jsonschema.Schema) *jsonschema.Schema {
	s.Schema, s.Title, s.Description = "", "", ""
	for _, p := range s.Properties {
		part(p)
	}
	for _, p := range []*jsonschema.Schema{s.Items, s.AdditionalProperties} {
		if p != nil {
			part(p)
		}
	}
	return s
}
