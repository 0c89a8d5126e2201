// Package structured checks that the final answer of a model is JSON of a schema.
//
// What always holds: what passes is one JSON value that the schema accepts, as
// the model wrote it but without white space; nothing is added or repaired. The
// schema comes from the user, the answer from a model.
package structured

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// maxDepth bounds the nesting of an answer.
const maxDepth = 200

// Checker holds a schema.
type Checker struct {
	schema *jsonschema.Resolved
	raw    json.RawMessage
}

// New reads a JSON schema, of draft 2020-12 or 7. References to other documents
// are not followed.
func New(schema []byte) (*Checker, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("not a JSON schema: %w", err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("not a JSON schema that can be used: %w", err)
	}
	var raw bytes.Buffer
	if err := json.Compact(&raw, schema); err != nil {
		return nil, fmt.Errorf("not a JSON schema: %w", err)
	}
	return &Checker{r, raw.Bytes()}, nil
}

// Schema is the schema on one line.
func (c *Checker) Schema() json.RawMessage { return c.raw }

// Check returns the JSON in text: the whole of it, or the content of its only
// code block. The error says what is wrong, for the model to correct.
func (c *Checker) Check(text string) (string, error) {
	raw := []byte(unfence(strings.TrimSpace(text)))
	if err := nesting(raw); err != nil {
		return "", err
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", fmt.Errorf("it is not JSON: %w", err)
	}
	if err := c.schema.Validate(v); err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil {
		return "", err
	}
	return out.String(), nil
}

// unfence is the inside of the only code block of a Markdown text, for models
// that cannot do without one.
func unfence(text string) string {
	_, rest, ok := strings.Cut(text, "```")
	if !ok || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") || strings.HasPrefix(text, `"`) {
		return text
	}
	inside, after, ok := strings.Cut(rest, "```")
	if !ok || strings.Contains(after, "```") {
		return text
	}
	return strings.TrimPrefix(inside, "json")
}

// nesting refuses what could exhaust the stack.
func nesting(raw []byte) error {
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return errors.New("it is nested too deeply")
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}
