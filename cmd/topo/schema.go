package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/host"
	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// recordKind is one kind of record of the stream.
type recordKind struct {
	Kind   string
	Key    string // a record that has it is of this kind
	Doc    string
	Schema map[string]any // JSON Schema
}

// recordKinds lists the kinds that topo writes.
func recordKinds() []recordKind {
	return []recordKind{
		{"header", "Version", "first line of a stream", schemaOf(stream.Header{})},
		{"file", "Path", "one file, with what the stages so far know of it", fileSchema()},
		{"footer", "TotalFiles", "last line of a stream; one without was cut short", schemaOf(stream.Footer{})},
		{"symbol", "Symbol", "one place of the code graph", schemaOf(symbolRecord{})},
		{"edge", "From", "one edge of the code graph; its ends are places as topo graph takes them", schemaOf(edgeRecord{})},
		{"row", "Row", "one row of topo graph query, by column", schemaOf(rowRecord{})},
		{"cycle", "Cycle", "one line of topo graph cycles", schemaOf(cycleRecord{})},
		{"community", "Community", "one line of topo graph communities", schemaOf(communityRecord{})},
		{"stats", "NodeKinds", "what topo graph stats counts", schemaOf(statsRecord{})},
		{"finding", "Detector", "one place that a detector points at", schemaOf(detect.Finding{})},
		{"event", "Event", "one thing that happened in a session of topo agent; see events.md", schemaOf(agent.Event{})},
		{"session", "Started", "one line of topo agent sessions", schemaOf(host.SessionInfo{})},
		{"explanation", "Signals", "one line of topo explain", schemaOf(score.Explanation{})},
	}
}

// fileSchema adds what the codec of file records adds.
func fileSchema() map[string]any {
	s := schemaOf(stream.File{})
	s["properties"].(map[string]any)["PathBase64"] = map[string]any{
		"type": "string", "contentEncoding": "base64",
		"description": "exact bytes of a path that is not valid UTF-8",
	}
	return s
}

// schemaOf derives the JSON Schema of the records that v, an empty struct,
// stands for. A field is required when an empty record has it.
func schemaOf(v any) map[string]any {
	s := typeSchema(reflect.TypeOf(v))
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	return s
}

func typeSchema(t reflect.Type) map[string]any {
	if t == reflect.TypeFor[detect.Severity]() {
		return map[string]any{"type": "string", "enum": detect.Severities()}
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage]():
		return map[string]any{"type": "object"}
	}
	switch t.Kind() {
	case reflect.Struct:
		return structSchema(t)
	case reflect.Pointer:
		return typeSchema(t.Elem())
	case reflect.Slice:
		if t == reflect.TypeFor[orderedObject]() {
			return map[string]any{"type": "object"}
		}
		return map[string]any{"type": "array", "items": typeSchema(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": typeSchema(t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64, reflect.Float32:
		return map[string]any{"type": "number"}
	case reflect.String:
		if t == reflect.TypeFor[stream.Role]() {
			return map[string]any{"type": "string", "enum": stream.Roles}
		}
		return map[string]any{"type": "string"}
	}
	return map[string]any{"type": "integer"}
}

// structSchema allows unknown fields: stages pass them on.
func structSchema(t reflect.Type) map[string]any {
	props := map[string]any{}
	var required []string
	var empty map[string]json.RawMessage
	raw, err := json.Marshal(reflect.Zero(t).Interface())
	if err == nil {
		err = json.Unmarshal(raw, &empty)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		props[name] = typeSchema(f.Type)
		if _, ok := empty[name]; ok && err == nil {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": props, "required": required}
}
