package tool

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOf derives the schema of In. What differs from the library's: a slice is
// an array and not "array or null", integers have no bounds of their Go type,
// and tool tags narrow the fields.
func schemaOf[In any]() (*jsonschema.Schema, error) {
	t := reflect.TypeFor[In]()
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("the input %s is not a struct", t)
	}
	s, err := jsonschema.For[In](nil)
	if err != nil {
		return nil, err
	}
	if err := refine(t, s); err != nil {
		return nil, err
	}
	_, err = s.Resolve(nil)
	return s, err
}

func refine(t reflect.Type, s *jsonschema.Schema) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, name := range s.Types {
		if name != "null" {
			s.Type = name
		}
	}
	s.Types = nil
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64:
		s.Minimum, s.Maximum = nil, nil
	case reflect.Slice, reflect.Array:
		if s.Items != nil {
			return refine(t.Elem(), s.Items)
		}
	case reflect.Map:
		if s.AdditionalProperties != nil {
			return refine(t.Elem(), s.AdditionalProperties)
		}
	case reflect.Struct:
		return refineFields(t, s)
	}
	return nil
}

func refineFields(t reflect.Type, s *jsonschema.Schema) error {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		p := s.Properties[name]
		if p == nil || f.Anonymous {
			continue
		}
		if err := refine(f.Type, p); err != nil {
			return err
		}
		if err := applyTag(p, f.Tag.Get("tool")); err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	return nil
}

// applyTag narrows a property by the text of a tool tag.
func applyTag(s *jsonschema.Schema, tag string) error {
	if tag == "" {
		return nil
	}
	for part := range strings.SplitSeq(tag, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "enum":
			for v := range strings.SplitSeq(value, "|") {
				s.Enum = append(s.Enum, v)
			}
		case "min", "max":
			n, err := strconv.Atoi(value)
			if err != nil {
				return fmt.Errorf("tool tag %q: %w", part, err)
			}
			bound(s, key, n)
		case "default":
			if s.Type == "string" {
				value = strconv.Quote(value)
			}
			s.Default = []byte(value)
		default:
			return fmt.Errorf("tool tag %q is not known", part)
		}
	}
	return nil
}

func bound(s *jsonschema.Schema, key string, n int) {
	f := float64(n)
	set := map[string][2]any{
		"array":  {&s.MinItems, &s.MaxItems},
		"string": {&s.MinLength, &s.MaxLength},
	}[s.Type]
	at := 0
	if key == "max" {
		at = 1
	}
	switch p := set[at].(type) {
	case **int:
		*p = &n
	default:
		*[]**float64{&s.Minimum, &s.Maximum}[at] = &f
	}
}
