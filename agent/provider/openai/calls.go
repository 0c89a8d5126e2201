package openai

import (
	"encoding/json"
	"strings"

	"github.com/topo-dev/topo/agent/provider/wire"
)

// call is a tool call whose pieces are coming in. It is passed on once its name
// is known to be whole: with the first piece of its input, or at the end.
type call struct {
	index int
	place int
	id    string
	name  string
	part  *wire.Part
}

// call takes a piece of a call. Servers differ: the index may be missing or
// always 0, the id may come with every piece, and the name too.
func (r *reader) call(p callPiece) {
	c := r.find(p)
	if c == nil {
		index := len(r.calls)
		if p.Index != nil {
			index = *p.Index
		}
		c = &call{index: index, place: r.place()}
		r.calls = append(r.calls, c)
		r.said = nil // what is said after a call comes after it
	}
	if c.id == "" {
		c.id = p.ID
	}
	if c.part == nil && p.Function.Name != c.name {
		c.name += p.Function.Name
	}
	if p.Function.Arguments != "" {
		c.open(r)
		c.part.Add(string(p.Function.Arguments))
	}
}

// find returns the call that a piece belongs to, nil for a new one. A piece that
// names another id, or names a tool again after the input was whole, begins a
// call of its own whatever its index says.
func (r *reader) find(p callPiece) *call {
	var c *call
	if p.Index == nil {
		if len(r.calls) > 0 && (p.ID != "" || p.Function.Name == "") {
			c = r.calls[len(r.calls)-1]
		}
	} else {
		for i := len(r.calls) - 1; i >= 0 && c == nil; i-- {
			if r.calls[i].index == *p.Index {
				c = r.calls[i]
			}
		}
	}
	switch {
	case c == nil:
		return nil
	case p.ID != "" && c.id != "" && p.ID != c.id && p.Function.Name != "":
		return nil
	case p.ID == "" && p.Function.Name != "" && c.part != nil && c.part.Complete():
		return nil
	}
	return c
}

// open passes the call on.
func (c *call) open(r *reader) {
	if c.part == nil {
		c.part = r.draft.OpenCall(c.place, c.id, c.name)
	}
}

// maxDetails bounds the pieces of thinking that are kept to be sent back.
const maxDetails = 10000

// details are the pieces of thinking that OpenRouter wants back. Pieces of one
// block come apart and are put together again.
type details []*detail

type detail struct {
	fields        map[string]any
	kind          string // fields "type" and "index" as JSON, by which pieces belong together
	text, summary strings.Builder
}

// add takes a piece and returns the text in it.
func (d *details) add(raw json.RawMessage) (said string) {
	var id struct {
		Type    json.RawMessage `json:"type"`
		Index   json.RawMessage `json:"index"`
		Text    text            `json:"text"`
		Summary text            `json:"summary"`
	}
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil || json.Unmarshal(raw, &id) != nil || len(*d) >= maxDetails {
		return ""
	}
	kind := string(id.Type) + " " + string(id.Index)
	n := len(*d)
	if n == 0 || (*d)[n-1].kind != kind || m["data"] != nil {
		*d = append(*d, &detail{fields: map[string]any{}, kind: kind})
		n++
	}
	last := (*d)[n-1]
	for k, v := range m {
		if v != nil {
			last.fields[k] = v
		}
	}
	last.text.WriteString(string(id.Text))
	last.summary.WriteString(string(id.Summary))
	return string(id.Text + id.Summary)
}

// json is the list as it is sent back, empty when there is none.
func (d details) json() string {
	if len(d) == 0 {
		return ""
	}
	var out []map[string]any
	for _, x := range d {
		if x.text.Len() > 0 {
			x.fields["text"] = x.text.String()
		}
		if x.summary.Len() > 0 {
			x.fields["summary"] = x.summary.String()
		}
		out = append(out, x.fields)
	}
	b, err := json.Marshal(out)
	if err != nil {
		return ""
	}
	return string(wire.Canonical(b))
}
