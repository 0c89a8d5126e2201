package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/topo-dev/topo/agent"
)

// Definition describes a tool. The fields are those of
// [agent.ToolSpec]; the schema is derived.
type Definition struct {
	Name        string
	Description string // Markdown, usually embedded from a file next to the tool
	Output      []byte // JSON schema of its structured answers; nil when it has none
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// New makes a tool of input type In, a struct with json tags. A field without
// omitempty is required; a jsonschema tag describes it; a tool tag bounds it:
//
//	tool:"min=1,max=100"      numbers; the length of strings and slices
//	tool:"enum=content|files" one of these strings
//	tool:"default=100"        shown to the model; run applies it
//
// access may be nil for a tool that touches nothing. New panics when In has no
// schema or a tag is not understood: that is a mistake in the program, and no
// input can cause it.
func New[In any](d Definition, access func(In) ([]agent.Access, error), run func(context.Context, In) (agent.Output, error)) agent.Tool {
	s, err := schemaOf[In]()
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", d.Name, err))
	}
	raw, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", d.Name, err))
	}
	spec := agent.ToolSpec{
		Name: d.Name, Description: d.Description, Schema: raw, Output: d.Output,
		ReadOnly: d.ReadOnly, Destructive: d.Destructive, Idempotent: d.Idempotent, OpenWorld: d.OpenWorld,
	}
	return &typed[In]{spec: spec, check: checker{s}, access: access, run: run}
}

type typed[In any] struct {
	spec   agent.ToolSpec
	check  checker
	access func(In) ([]agent.Access, error)
	run    func(context.Context, In) (agent.Output, error)
}

func (t *typed[In]) Spec() agent.ToolSpec { return t.spec }

func (t *typed[In]) Access(input json.RawMessage) ([]agent.Access, error) {
	in, err := t.decode(input)
	if err != nil || t.access == nil {
		return nil, err
	}
	return t.access(in)
}

func (t *typed[In]) Run(ctx context.Context, input json.RawMessage) (agent.Output, error) {
	in, err := t.decode(input)
	if err != nil {
		return agent.Output{}, err
	}
	if err := ctx.Err(); err != nil {
		return agent.Output{}, err
	}
	return t.run(ctx, in)
}

// decode checks the input against the schema, then fills the struct. No input
// at all is an empty object: models leave it out when every field is optional.
func (t *typed[In]) decode(input json.RawMessage) (in In, err error) {
	if len(bytes.TrimSpace(input)) == 0 {
		input = json.RawMessage("{}")
	}
	if err := t.check.input(input); err != nil {
		return in, fmt.Errorf("the input of %s is not valid: %w", t.spec.Name, err)
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return in, fmt.Errorf("the input of %s is not valid: %w", t.spec.Name, err)
	}
	return in, nil
}
