package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/score/eval"
	"github.com/topo-dev/topo/stream"
)

// draft is the version of JSON Schema that the schemas keep to.
const draft = "https://json-schema.org/draft/2020-12/schema"

// own are the schemas of the types that encode themselves.
func own() map[reflect.Type]*jsonschema.Schema {
	figures := plain(reflect.TypeFor[eval.Interval]())
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[answer.Object]():         {Type: "object"},
		reflect.TypeFor[json.RawMessage]():       {Type: "object"},
		reflect.TypeFor[time.Time]():             {Type: "string", Format: "date-time"},
		reflect.TypeFor[detect.Severity]():       {Type: "string", Enum: anys(detect.Severities())},
		reflect.TypeFor[stream.Role]():           {Type: "string", Enum: append(anys(stream.Roles), "")},
		reflect.TypeFor[map[int]eval.Interval](): {Type: "object", AdditionalProperties: figures},
	}
}

func anys[S ~string](list []S) (out []any) {
	for _, v := range list {
		out = append(out, string(v))
	}
	return out
}

// of derives the schema of values of type t. It panics when there is none: that is
// a mistake in the program, and no input can cause it.
func of(t reflect.Type, special map[reflect.Type]*jsonschema.Schema) *jsonschema.Schema {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: special})
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", t, err))
	}
	refine(t, s, special)
	return s
}

// plain is of without types that encode themselves.
func plain(t reflect.Type) *jsonschema.Schema { return of(t, nil) }

// refine makes the schema of t, which was derived from its fields, that of what is
// really written: unknown fields are allowed, and what is required and what may be
// null follows from how an empty value is encoded.
func refine(t reflect.Type, s *jsonschema.Schema, special map[reflect.Type]*jsonschema.Schema) {
	if special[t] != nil || s == nil {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		refine(t.Elem(), s, special)
	case reflect.Slice, reflect.Array:
		refine(t.Elem(), s.Items, special)
	case reflect.Map:
		refine(t.Elem(), s.AdditionalProperties, special)
	case reflect.Struct:
		refineStruct(t, s, special)
	}
}

func refineStruct(t reflect.Type, s *jsonschema.Schema, special map[reflect.Type]*jsonschema.Schema) {
	s.AdditionalProperties = nil
	always := written(t)
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return !always[name] })
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		p := s.Properties[name]
		if p == nil || f.Anonymous {
			continue
		}
		refine(f.Type, p, special)
		if !always[name] && (options == "omitempty" || t.Implements(reflect.TypeFor[json.Marshaler]())) {
			notNull(p)
		}
		if p.Description == "" {
			p.Description = describe(t, f)
		}
	}
}

// written are the keys that an empty value of t is encoded with.
func written(t reflect.Type) map[string]bool {
	var keys map[string]json.RawMessage
	raw, err := json.Marshal(reflect.Zero(t).Interface())
	if err == nil {
		err = json.Unmarshal(raw, &keys)
	}
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", t, err))
	}
	out := map[string]bool{}
	for k := range keys {
		out[k] = true
	}
	return out
}

// notNull takes null from the types of a field that is left out when it is empty.
func notNull(s *jsonschema.Schema) {
	s.Types = slices.DeleteFunc(s.Types, func(name string) bool { return name == "null" })
	if len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
}

// describe is the comment of a field of t, or of the struct that is embedded in t
// and has it.
func describe(t reflect.Type, f reflect.StructField) string {
	for _, i := range f.Index[:len(f.Index)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	pkg := t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:]
	if pkg == "main" {
		pkg = "topo" // the command, whose test has its import path
	}
	return fields[pkg+"."+t.Name()+"."+f.Name]
}
