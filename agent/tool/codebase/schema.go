package codebase

import (
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/index/graph"
)

// outputSchema is the JSON Schema of the structured answers of a tool: one of the
// kinds, or that the index is being built. It panics when a kind has no schema:
// that is a mistake in the program, and no input can cause it.
func outputSchema(kinds []answer.Answer) []byte {
	names := make([]any, len(detect.Severities()))
	for i, s := range detect.Severities() {
		names[i] = s
	}
	o := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[answer.Object]():   {Type: "object"},
		reflect.TypeFor[detect.Severity](): {Type: "string", Enum: names},
		reflect.TypeFor[graph.Site]():      {Type: "object", Required: []string{"Path", "Line", "Text"}},
	}}
	all := &jsonschema.Schema{Type: "object"}
	for _, k := range kinds {
		all.AnyOf = append(all.AnyOf, schemaOf(reflect.TypeOf(k).Elem(), o))
	}
	all.AnyOf = append(all.AnyOf, schemaOf(reflect.TypeFor[Building](), o))
	raw, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return raw
}

func schemaOf(t reflect.Type, o *jsonschema.ForOptions) *jsonschema.Schema {
	s, err := jsonschema.ForType(t, o)
	if err == nil {
		_, err = s.CloneSchemas().Resolve(nil)
	}
	if err != nil {
		panic(err)
	}
	return s
}
