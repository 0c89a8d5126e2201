package codebase

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/stream"
)

// reply is an answer with what this tool alone has to add.
type reply struct {
	answer.Answer
	hints []string
}

// maxStructured bounds a structured answer, bytes.
const maxStructured = 1 << 20

// defineAnswer makes a tool that asks a session. kinds are the answers that it may
// give.
func defineAnswer[In any](b *base, name string, kinds []answer.Answer, ask func(context.Context, *answer.Session, In) (reply, error)) agent.Tool {
	return define(b, name, outputSchema(kinds), func(ctx context.Context, v *fresh.Snapshot, in In) (agent.Output, error) {
		s := &answer.Session{Session: v.Session, Tree: v.Place.Root, Readable: b.Readable, Mask: b.Mask}
		r, err := ask(ctx, s, in)
		if err != nil {
			return agent.Output{}, explained(err)
		}
		if v.Warning != "" {
			r.Rest().Hints = append(r.Rest().Hints, answer.Hint{Text: outOfDate(v)})
		}
		return output(r)
	})
}

// output is what the agent and other programs get of an answer.
func output(r reply) (agent.Output, error) {
	var text strings.Builder
	r.Text(&text, answer.TextOptions{Most: maxText})
	var structured bytes.Buffer
	enc := json.NewEncoder(&structured)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r.Answer); err != nil {
		return agent.Output{}, err
	}
	if structured.Len() > maxStructured {
		return agent.Output{}, fmt.Errorf("the answer has %d bytes, which is too much; narrow the question or lower the limit", structured.Len())
	}
	out := agent.Output{Text: text.String(), Structured: bytes.TrimSpace(structured.Bytes())}
	for _, h := range r.Rest().Hints {
		if said, ok := say(h); ok {
			out.Hints = append(out.Hints, answer.Visible(said))
		}
	}
	if r.Rest().Truncated != "" {
		out.Hints = append(out.Hints, "there is more: raise limit, or ask about a narrower place")
	}
	out.Hints = append(out.Hints, r.hints...)
	return out, nil
}

// Building is the answer while the first index is being built.
type Building struct {
	Building Progress
}

// RecordKind is the name of the object.
func (Building) RecordKind() string { return "building" }

// Progress says how far the index is, in files. Total is 0 while the tree is
// listed.
type Progress struct{ Done, Total int }

// whileBuilding answers that there is no index yet, which is no error.
func whileBuilding(e *fresh.BuildingError, structured bool) (agent.Output, error) {
	out := agent.Output{Text: answer.Visible(e.Error()) + ". This tool answers once it is done.",
		Hints: []string{"go on with grep, glob and read, and ask again in a while"}}
	var err error
	if structured {
		out.Structured, err = stream.Marshal(Building{Progress{e.Done, e.Total}})
	}
	return out, err
}

// explained says what to do about errors that a model can act on.
func explained(err error) error {
	var place *ask.PlaceError
	switch {
	case !errors.As(err, &place):
		return err
	case place.File != "":
		return errors.New(answer.Visible(place.Advise("outline shows what " + place.File + " defines")))
	}
	return errors.New(answer.Visible(place.Advise("find it with search, or with grep when it is not a definition")))
}

func orDefault(n, d int) int {
	if n == 0 {
		return d
	}
	return n
}
