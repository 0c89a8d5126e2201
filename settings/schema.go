package settings

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/topo-dev/topo/score"
)

// draft is the version of JSON Schema that the schemas keep to. Editors read it.
const draft = "https://json-schema.org/draft/2020-12/schema"

// Schema is the JSON Schema of a kind of file.
type Schema struct {
	Name string // config, user-config or features
	Doc  string // which files it is for
	JSON []byte // indented, with a line break at its end
}

// Schemas are those of the files that people write.
func Schemas() ([]Schema, error) {
	features, err := featureSchema()
	if err != nil {
		return nil, err
	}
	out := []Schema{
		{Name: "config", Doc: ProjectName + " of a project"},
		{Name: "user-config", Doc: "~/.config/topo/" + userName + " of a user"},
		{Name: "features", Doc: score.ScopeFiles[0] + " of a project"},
	}
	for i, s := range []*jsonschema.Schema{configSchema(Project), configSchema(User), features} {
		s.Schema, s.Title = draft, "topo: "+out[i].Doc
		if out[i].JSON, err = json.MarshalIndent(s, "", "  "); err != nil {
			return nil, fmt.Errorf("schema %s: %w", out[i].Name, err)
		}
		out[i].JSON = append(out[i].JSON, '\n')
	}
	return out, nil
}

// configSchema is the schema of a configuration of that scope.
func configSchema(scope Scope) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: never()}
	for _, set := range All() {
		if set.Scope >= scope {
			s.Properties[set.Name] = set.schema()
			s.PropertyOrder = append(s.PropertyOrder, set.Name)
		}
	}
	return s
}

// never matches nothing.
func never() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

// sizePattern matches what [Size] reads.
const sizePattern = `^ *[0-9]+ *([kKmMgG]?[bB]?|[kKmMgG][iI][bB]) *$`

func (s Setting) schema() *jsonschema.Schema {
	var zero float64
	out := &jsonschema.Schema{Type: "string"}
	switch s.Kind {
	case Choice:
		for _, v := range s.Values {
			out.Enum = append(out.Enum, v)
		}
	case Count:
		out = &jsonschema.Schema{Type: "integer", Minimum: &zero}
	case Amount:
		out = &jsonschema.Schema{Type: "number", Minimum: &zero}
	case ByteSize:
		out = &jsonschema.Schema{Types: []string{"string", "integer"}, Pattern: sizePattern, Minimum: &zero}
	case List:
		out = &jsonschema.Schema{Types: []string{"string", "array"}, Items: &jsonschema.Schema{Type: "string"}}
	}
	out.Description = s.Doc
	if s.Default != "" {
		out.Description += " (default: " + s.Default + ")"
	}
	return out
}

// featureSchema is the schema of the feature scopes.
func featureSchema() (*jsonschema.Schema, error) {
	type scope struct {
		Include []string `json:"include,omitempty" jsonschema:"globs of the files that belong to the feature; ** matches any number of folders; without them all files do"`
		Exclude []string `json:"exclude,omitempty" jsonschema:"globs of the files that do not; they win"`
	}
	type file struct {
		Features map[string]scope `json:"features" jsonschema:"parts of the project by name, for --feature"`
	}
	s, err := jsonschema.For[file](nil)
	if err != nil {
		return nil, fmt.Errorf("schema features: %w", err)
	}
	return s, nil
}
