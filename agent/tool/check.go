package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/topo-dev/topo/internal/nearest"
)

// maxInput is the largest input of a call in bytes. A file is written by one
// call, and files of source code are smaller.
const maxInput = 8 << 20

// maxDepth bounds the nesting of an input. No tool's input is deeper than three.
const maxDepth = 32

// maxFaults is how many faults of one input are reported at once.
const maxFaults = 5

// checker says what is wrong with an input in words that a model can act on.
// The schemas are those of [schemaOf], so only their keywords are known to it; a
// test holds it to the verdicts of the schema library.
type checker struct{ schema *jsonschema.Schema }

func (c checker) input(raw json.RawMessage) error {
	if len(raw) > maxInput {
		return fmt.Errorf("it has %d bytes, and the most is %d; do it in several calls", len(raw), maxInput)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	v, err := value(dec, "", 0)
	if err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the JSON object; send one object")
	}
	var faults []string
	walk(c.schema, v, "", &faults)
	if len(faults) > maxFaults {
		faults = append(faults[:maxFaults], fmt.Sprintf("and %d more", len(faults)-maxFaults))
	}
	if len(faults) > 0 {
		return errors.New(strings.Join(faults, "; "))
	}
	return nil
}

// object is a JSON object with its keys in the order they were written.
type object struct {
	keys   []string
	values map[string]any
}

// value reads one value. A key that occurs twice is refused: which of the two
// counts differs between decoders, so what is checked could differ from what is
// run.
func value(dec *json.Decoder, at string, depth int) (any, error) {
	tok, err := token(dec)
	if err != nil {
		return nil, err
	}
	d, ok := tok.(json.Delim)
	if !ok {
		return tok, nil
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	if d == '[' {
		list := []any{}
		for dec.More() {
			v, err := value(dec, fmt.Sprintf("%s[%d]", at, len(list)), depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := token(dec)
		return list, err
	}
	o := object{values: map[string]any{}}
	for dec.More() {
		tok, err := token(dec)
		if err != nil {
			return nil, err
		}
		key := tok.(string) // the decoder allows nothing else here
		if _, twice := o.values[key]; twice {
			return nil, fmt.Errorf("%q is given twice", join(at, key))
		}
		v, err := value(dec, join(at, key), depth+1)
		if err != nil {
			return nil, err
		}
		o.keys, o.values[key] = append(o.keys, key), v
	}
	_, err = token(dec)
	return o, err
}

func token(dec *json.Decoder) (json.Token, error) {
	tok, err := dec.Token()
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("it is not JSON: it ends too early")
	case err != nil:
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	return tok, nil
}

func walk(s *jsonschema.Schema, v any, at string, faults *[]string) {
	say := func(format string, args ...any) { *faults = append(*faults, fmt.Sprintf(format, args...)) }
	if s.Type != "" && !hasType(s.Type, v) {
		say("%s must be %s, not %s", name(at), article(s.Type), typeName(v))
		return
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		say("%s must be one of %s, not %s", name(at), choices(s.Enum), short(v))
	}
	switch v := v.(type) {
	case object:
		fields(s, v, at, faults)
	case []any:
		size(s.MinItems, s.MaxItems, len(v), name(at), "items", say)
		for i, e := range v {
			if s.Items != nil {
				walk(s.Items, e, fmt.Sprintf("%s[%d]", at, i), faults)
			}
		}
	case string:
		size(s.MinLength, s.MaxLength, utf8.RuneCountInString(v), name(at), "characters", say)
	case json.Number:
		f, _ := v.Float64()
		if s.Minimum != nil && f < *s.Minimum {
			say("%s must be at least %v, not %s", name(at), *s.Minimum, v)
		}
		if s.Maximum != nil && f > *s.Maximum {
			say("%s must be at most %v, not %s", name(at), *s.Maximum, v)
		}
	}
}

func fields(s *jsonschema.Schema, o object, at string, faults *[]string) {
	for _, key := range s.Required {
		if _, ok := o.values[key]; !ok {
			*faults = append(*faults, fmt.Sprintf("%s is missing (%s)", join(at, key), article(s.Properties[key].Type)))
		}
	}
	for _, key := range o.keys {
		if p := s.Properties[key]; p != nil {
			walk(p, o.values[key], join(at, key), faults)
			continue
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
			walk(s.AdditionalProperties, o.values[key], join(at, key), faults)
			continue
		}
		hint := "; the fields are " + strings.Join(s.PropertyOrder, ", ")
		if len(s.PropertyOrder) == 0 {
			hint = "; there are no fields"
		}
		if n := nearest.Of(key, s.PropertyOrder); n != "" {
			hint = fmt.Sprintf("; did you mean %s?", n)
		}
		*faults = append(*faults, fmt.Sprintf("there is no field %s%s", short(join(at, key)), hint))
	}
}

func size(low, high *int, n int, at, unit string, say func(string, ...any)) {
	if low != nil && n < *low {
		say("%s must have at least %d %s, not %d", at, *low, unit, n)
	}
	if high != nil && n > *high {
		say("%s must have at most %d %s, not %d", at, *high, unit, n)
	}
}

func hasType(want string, v any) bool {
	got := typeName(v)
	return got == want || want == "number" && got == "integer"
}

// typeName is the schema's name of a value's type. 3.0 is an integer as the
// schema counts, but Go cannot decode it into one, so it is a number here.
func typeName(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if f, err := v.Float64(); err != nil || math.Abs(f) >= 1<<53 || strings.ContainsAny(v.String(), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	}
	return "object"
}

func article(typ string) string {
	switch typ {
	case "integer", "array", "object":
		return "an " + typ
	case "":
		return "any value"
	}
	return "a " + typ
}

func name(at string) string {
	if at == "" {
		return "the input"
	}
	return at
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

func choices(values []any) string {
	var out []string
	for _, v := range values {
		out = append(out, short(v))
	}
	return strings.Join(out, ", ")
}

// short is a value for a message.
func short(v any) string {
	s := fmt.Sprint(v)
	if _, ok := v.(string); ok {
		s = fmt.Sprintf("%q", s)
	}
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return s
}
