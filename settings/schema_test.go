package settings

import (
	"encoding/json"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"
)

// TestSchemasAgreeWithParser checks that a file is valid by its schema exactly when
// it is read.
func TestSchemasAgreeWithParser(t *testing.T) {
	schemas := map[string]*jsonschema.Resolved{}
	all, err := Schemas()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		var parsed jsonschema.Schema
		if err := json.Unmarshal(s.JSON, &parsed); err != nil {
			t.Fatal(err)
		}
		if schemas[s.Name], err = parsed.Resolve(nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		schema string
		scope  Scope
		text   string
		valid  bool
	}{
		{"config", Project, "preset: fast\ntop: 3\nexclude: [a, b]\ninclude: x\nmax-file-size: 2MiB\n", true},
		{"config", Project, "max-file-size: 4096\n", true},
		{"config", Project, "max-file-size: big\n", false},
		{"config", Project, "preset: slow\n", false},
		{"config", Project, "top: -1\n", false},
		{"config", Project, "cache-dir: /x\n", false},
		{"config", Project, "exclude: [[a]]\n", false},
		{"user-config", User, "cache-dir: /x\ncolor: always\nbudget-usd: 0.5\npreset: deep\n", true},
		{"user-config", User, "color: sometimes\n", false},
		{"user-config", User, "openai-api-key: sk\n", false},
	} {
		var value any
		if err := yaml.Unmarshal([]byte(tt.text), &value); err != nil {
			t.Fatal(err)
		}
		if err := schemas[tt.schema].Validate(value); (err == nil) != tt.valid {
			t.Errorf("%s: schema: %v", tt.text, err)
		}
		entries, err := parse([]byte(tt.text), tt.scope)
		f := &File{Name: "f", Scope: tt.scope, entries: entries}
		src := Sources{Lookup: func(string) (string, bool) { return "", false }, User: f}
		if tt.scope == Project {
			src.Project, src.User = f, nil
		}
		if err == nil {
			_, err = Resolve(src)
		}
		if (err == nil) != tt.valid {
			t.Errorf("%s: parser: %v", tt.text, err)
		}
	}
	for text, valid := range map[string]bool{
		"features: {auth: {include: [a]}}":  true,
		"features: {auth: {exclude: [a]}}":  true,
		"features: {auth: {includes: [a]}}": false,
		"feature: {}":                       false,
	} {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if err := schemas["features"].Validate(value); (err == nil) != valid {
			t.Errorf("%s: %v", text, err)
		}
	}
}
