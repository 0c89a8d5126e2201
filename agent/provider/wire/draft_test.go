package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
)

func TestInput(t *testing.T) {
	for _, c := range []struct {
		text    string
		stop    agent.StopReason
		want    string
		invalid string
	}{
		{"", agent.StopCalls, "{}", ""},
		{" \n", agent.StopEnd, "{}", ""},
		{"", agent.StopMaxTokens, "{}", "cut off"},
		{"", agent.StopRefusal, "{}", "cut off"},
		{`{"a":1}`, agent.StopMaxTokens, `{"a":1}`, ""},
		{`{"a":`, agent.StopMaxTokens, "{}", "cut off"},
		{`{"a":`, agent.StopCalls, "{}", "not valid JSON"},
		{"\t{ \"a\" : [ 1 , 2 ] }\n", agent.StopCalls, `{"a":[1,2]}`, ""},
		{`{"a":1} x`, agent.StopCalls, "{}", "not valid JSON"},
		{`{}{}`, agent.StopCalls, "{}", "not valid JSON"},
		{`[]`, agent.StopCalls, "{}", "no object"},
		{`"{}"`, agent.StopCalls, "{}", "no object"},
		{`null`, agent.StopCalls, "{}", "no object"},
		{`{"a":NaN}`, agent.StopCalls, "{}", "not valid JSON"},
		{"```json\n{}\n```", agent.StopCalls, "{}", "not valid JSON"},
		{strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000), agent.StopCalls, "{}", "not valid JSON"},
	} {
		raw, invalid := input(c.text, c.stop)
		if string(raw) != c.want || (invalid == "") != (c.invalid == "") || !strings.Contains(invalid, c.invalid) {
			t.Errorf("%.40q at %s: %s, %q, want %s, %q", c.text, c.stop, raw, invalid, c.want, c.invalid)
		}
	}
}

func TestDraftOrdersAndDrops(t *testing.T) {
	d := NewDraft(nil, func(agent.Delta) {})
	call := d.OpenCall(5, "c", "n")
	text := d.Open(2, agent.BlockText)
	d.Open(1, agent.BlockText) // stays empty
	thought := d.Open(0, agent.BlockThinking)
	text.Add("a\xff")
	call.Add("{")
	call.Add("}")
	thought.Sign("s")
	thought.Sign("t")
	got := d.Response(agent.StopEnd, agent.Usage{Input: 1}, "m")
	want := agent.Response{Stop: agent.StopCalls, Usage: agent.Usage{Input: 1}, Model: "m", Message: agent.Message{Role: agent.Assistant, Blocks: []agent.Block{
		{Kind: agent.BlockThinking, Signature: "st"}, {Kind: agent.BlockText, Text: "a\ufffd"},
		{Kind: agent.BlockCall, Call: &agent.Call{ID: "c", Name: "n", Input: json.RawMessage("{}")}}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// Fresh ids are the same each time and meet no other, however many there are.
func TestFreshIDs(t *testing.T) {
	var transcript []agent.Message
	for i := range 5 {
		transcript = append(transcript, agent.Message{Role: agent.Assistant, Blocks: []agent.Block{{Kind: agent.BlockCall, Call: &agent.Call{ID: fmt.Sprintf("call_%d", 2*i)}}}})
	}
	ids := func() (out []string) {
		d := NewDraft(transcript, func(x agent.Delta) { out = append(out, x.ID) })
		for range 10 {
			d.OpenCall(0, "", "n")
		}
		return out
	}
	a, seen := ids(), map[string]bool{}
	if !reflect.DeepEqual(a, ids()) {
		t.Error("ids differ from one time to the next")
	}
	for _, m := range transcript {
		seen[m.Calls()[0].ID] = true
	}
	for _, id := range a {
		if seen[id] {
			t.Errorf("%s is there twice", id)
		}
		seen[id] = true
	}
}

// value is a random JSON value with all the characters that are escaped.
func value(r *rand.Rand, depth int) any {
	chars := []rune("a\\\"</>&\u2028\u2029\n\x01é😀u003c")
	switch n := r.IntN(6); {
	case n == 0 && depth > 0:
		m := map[string]any{}
		for range r.IntN(4) {
			m[value(r, 0).(string)] = value(r, depth-1)
		}
		return m
	case n == 1 && depth > 0:
		l := []any{}
		for range r.IntN(4) {
			l = append(l, value(r, depth-1))
		}
		return l
	case n == 2 && depth > 0:
		return r.Float64()
	}
	s := make([]rune, r.IntN(8))
	for i := range s {
		s[i] = chars[r.IntN(len(chars))]
	}
	return string(s)
}

// Canonical JSON means the same, and is the same for every way to write a value.
func TestCanonical(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		v := value(r, 4)
		escaped, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		indented, _ := json.MarshalIndent(v, " ", "\t")
		var bare bytes.Buffer
		enc := json.NewEncoder(&bare)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		got := Canonical(escaped)
		var back any
		if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, v) {
			t.Fatalf("%s became %s", escaped, got)
		}
		stored, _ := json.Marshal(json.RawMessage(got))
		for _, same := range [][]byte{indented, bare.Bytes(), got, stored} {
			if !bytes.Equal(Canonical(same), got) {
				t.Fatalf("%s and %s give %s and %s", escaped, same, got, Canonical(same))
			}
		}
	}
	if got := Canonical([]byte("{not json")); string(got) != "{not json" {
		t.Errorf("%s", got)
	}
	if got := Canonical([]byte(`"\\u003c \u003C \\\u003e"`)); string(got) != `"\\u003c < \\>"` {
		t.Errorf("%s", got)
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add([]byte(`{"a":"\\\u003c\u2028"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := Canonical(raw)
		if json.Valid(raw) != json.Valid(got) || !bytes.Equal(Canonical(got), got) {
			t.Errorf("%q became %q", raw, got)
		}
	})
}
