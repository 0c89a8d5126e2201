package structured

import (
	"encoding/json"
	"strings"
	"testing"
)

const schema = `{
  "type": "object",
  "properties": {"file": {"type": "string"}, "lines": {"type": "array", "items": {"type": "integer"}}},
  "required": ["file"],
  "additionalProperties": false
}`

func TestCheck(t *testing.T) {
	c, err := New([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ in, want, err string }{
		{`{"file": "a.go", "lines": [1, 2]}`, `{"file":"a.go","lines":[1,2]}`, ""},
		{"Here it is:\n```json\n{\"file\":\"a\"}\n```\nThat is all.", `{"file":"a"}`, ""},
		{"```\n{\"file\":\"a\"}\n```", `{"file":"a"}`, ""},
		{`{"file":"in a ` + "```" + ` block"}`, `{"file":"in a ` + "```" + ` block"}`, ""},
		{"```json\n{\"file\":\"a\"}\n```\n```json\n{\"file\":\"b\"}\n```", "", "not JSON"},
		{`{"lines":[1]}`, "", "file"},
		{`{"file":1}`, "", "string"},
		{`{"file":"a","more":1}`, "", "more"},
		{`{"file":"a"} {"file":"b"}`, "", "not JSON"},
		{`The file is a.go.`, "", "not JSON"},
		{"", "", "not JSON"},
		{strings.Repeat("[", 1000), "", "nested"},
	} {
		got, err := c.Check(x.in)
		if got != x.want || (err == nil) != (x.err == "") || err != nil && !strings.Contains(err.Error(), x.err) {
			t.Errorf("%.60q: %q, %v; want %q, %q", x.in, got, err, x.want, x.err)
		}
	}
}

func TestNew(t *testing.T) {
	for _, bad := range []string{"", "[]", "{", `{"$ref":"https://example.com/x.json"}`} {
		if _, err := New([]byte(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func FuzzCheck(f *testing.F) {
	c, err := New([]byte(schema))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(`{"file":"a"}`)
	f.Add("```json\n{}\n```")
	f.Fuzz(func(t *testing.T, s string) {
		if out, err := c.Check(s); err == nil && !json.Valid([]byte(out)) {
			t.Errorf("%q passed as %q", s, out)
		}
	})
}
