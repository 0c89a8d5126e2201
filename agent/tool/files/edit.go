package files

import (
	"context"
	"errors"
	"fmt"

	"github.com/topo-dev/topo/agent"
)

type editInput struct {
	Path  string    `json:"path" jsonschema:"file to change, relative to the root" tool:"min=1"`
	Edits []oneEdit `json:"edits" jsonschema:"applied in order, all or none" tool:"min=1,max=50"`
}

type oneEdit struct {
	OldText string `json:"old_text" jsonschema:"exact text to replace, without line numbers" tool:"min=1"`
	NewText string `json:"new_text" jsonschema:"text to put in its place"`
	All     bool   `json:"all,omitempty" jsonschema:"replace every occurrence"`
}

func (t *tools) editAccess(in editInput) ([]agent.Access, error) {
	return t.access(agent.OpWrite, in.Path)
}

func (t *tools) edit(ctx context.Context, in editInput) (agent.Output, error) {
	rel, err := t.w.Resolve(in.Path)
	if err != nil {
		return agent.Output{}, err
	}
	defer t.w.Lock(rel)()
	f, err := t.known(in.Path)
	if err != nil {
		return agent.Output{}, t.explain(in.Path, err)
	}
	switch {
	case binary(f.Data):
		return agent.Output{}, fmt.Errorf("%s: %w; edit changes text only", rel, errBinary)
	case encoding(f.Data) == "UTF-16":
		return agent.Output{}, fmt.Errorf("%s is encoded as UTF-16; edit changes UTF-8 only: convert it first, or write it anew", rel)
	}
	before := string(f.Data)
	after, err := applyEdits(ctx, before, in.Edits)
	if err != nil {
		// The message shows lines of the file: those that may be shown.
		if _, shown := applyEdits(ctx, string(t.masked([]byte(before))), in.Edits); shown != nil {
			err = shown
		}
		return agent.Output{}, fmt.Errorf("%s: nothing was changed: %w", rel, err)
	}
	if after == before {
		return agent.Output{}, fmt.Errorf("%s: nothing was changed: the edits leave the text as it is", rel)
	}
	if err := t.w.Write(in.Path, []byte(after), f); err != nil {
		return agent.Output{}, err
	}
	return agent.Output{Text: fmt.Sprintf("Changed %s.\n%s", rel, diff(rel, string(t.masked([]byte(before))), string(t.masked([]byte(after)))))}, nil
}

// maxResult bounds the text that edits make, in bytes: replacing all of a short
// text by a long one could grow without end.
const maxResult = 2 * maxWhole

var errTooLong = errors.New("the result would be too long")

func applyEdits(ctx context.Context, text string, edits []oneEdit) (string, error) {
	for i, e := range edits {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		after, err := applyEdit(text, e)
		if err != nil {
			if len(edits) > 1 {
				err = fmt.Errorf("edit %d of %d: %w", i+1, len(edits), err)
			}
			return "", err
		}
		text = after
	}
	return text, nil
}
