// Package tool builds an [agent.Tool] from a Go type: the JSON schema that a
// model sees is derived from the input's struct, and what a model sends is
// checked against it before anything runs.
//
//	type input struct {
//		Path  string `json:"path" jsonschema:"File to read, relative to the root"`
//		Limit int    `json:"limit,omitempty" jsonschema:"How many lines" tool:"min=1,max=2000"`
//	}
//	tool.New(tool.Definition{Name: "read", Description: readDoc, ReadOnly: true}, access, run)
//
// What always holds:
//
//   - The same type gives the same schema, byte for byte: the fields are in the
//     order of the struct.
//   - Access and run see only an input that keeps to the schema: no unknown or
//     repeated key, no missing field, no value of another type or out of range.
//   - An error about the input names the field and says what is expected:
//     a model can then send a correct call.
package tool
