package codebase

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/topo-dev/topo/detect/rules"
	"github.com/topo-dev/topo/index/fresh"
)

// Each structured answer is valid by the schema of its tool, and the schema allows
// nothing but the answers.
func TestStructuredAnswers(t *testing.T) {
	root := shop(t)
	put(t, root, "store/store.go", strings.Replace(read(t, root, "store/store.go"), "return nil, ErrNotFound", "return nil, nil", 1))
	tools := Tools(Options{Source: kept(t, root), Detectors: rules.All()})
	building := Tools(Options{Source: broken{&fresh.BuildingError{Done: 3, Total: 9}}})
	schemas := map[string]*jsonschema.Resolved{}
	for i, tool := range tools {
		spec := tool.Spec()
		if spec.Output == nil {
			continue
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(spec.Output, &s); err != nil || s.Type != "object" {
			t.Fatalf("%s: %v, %s", spec.Name, err, spec.Output)
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", spec.Name, err)
		}
		schemas[spec.Name] = resolved
		for _, wrong := range []string{`{}`, `{"Symbols":[]}`, `[]`} {
			var v any
			if err := json.Unmarshal([]byte(wrong), &v); err != nil {
				t.Fatal(err)
			}
			if resolved.Validate(v) == nil {
				t.Errorf("%s allows %s", spec.Name, wrong)
			}
		}
		out, err := building[i].Run(context.Background(), json.RawMessage(`{"name":"x","from":"x","ask":"stats","of":"x"}`))
		if err != nil { // the input is of another tool
			if out, err = building[i].Run(context.Background(), json.RawMessage(`{}`)); err != nil {
				continue
			}
		}
		check(t, spec.Name+" while building", resolved, out.Structured)
	}
	ar, err := txtar.ParseFile("testdata/answers.txtar")
	if err != nil {
		t.Fatal(err)
	}
	valid := 0
	for _, f := range ar.Files {
		name, input, _ := strings.Cut(f.Name, " ")
		for _, tool := range tools {
			if tool.Spec().Name != name || schemas[name] == nil {
				continue
			}
			if out, err := tool.Run(context.Background(), json.RawMessage(input)); err == nil {
				check(t, f.Name, schemas[name], out.Structured)
				valid++
			}
		}
	}
	if valid < 25 {
		t.Errorf("only %d answers were looked at", valid)
	}
}

func check(t *testing.T, what string, s *jsonschema.Resolved, structured []byte) {
	t.Helper()
	var v any
	err := json.Unmarshal(structured, &v)
	if err == nil {
		err = s.Validate(v)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", what, err, structured)
	}
}
