package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/workspace"
)

type writeInput struct {
	Path    string `json:"path" jsonschema:"file to write, relative to the root" tool:"min=1"`
	Content string `json:"content" jsonschema:"the whole content"`
}

func (t *tools) writeAccess(in writeInput) ([]agent.Access, error) {
	return t.access(agent.OpWrite, in.Path)
}

func (t *tools) write(ctx context.Context, in writeInput) (agent.Output, error) {
	rel, err := t.w.Resolve(in.Path)
	if err != nil {
		return agent.Output{}, err
	}
	defer t.w.Lock(rel)()
	old, err := t.known(in.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return agent.Output{}, err
	}
	if old != nil && bytes.Equal(old.Data, []byte(in.Content)) {
		return agent.Output{Text: rel + " has this content already; nothing was written."}, nil
	}
	if err := ctx.Err(); err != nil {
		return agent.Output{}, err
	}
	if old != nil && t.isMasked(old.Data, in.Content) {
		return agent.Output{}, fmt.Errorf("%s: nothing was written: the content holds %s in the place of a credential of the file, which would be lost; change the other lines with edit", rel, maskMark+"…]")
	}
	if err := t.w.Write(in.Path, []byte(in.Content), old); err != nil {
		return agent.Output{}, err
	}
	if old == nil {
		return agent.Output{Text: fmt.Sprintf("Made %s (%s).", rel, measure(in.Content))}, nil
	}
	return agent.Output{Text: fmt.Sprintf("Replaced %s (%s).\n%s", rel, measure(in.Content), diff(rel, string(t.masked(plain(old.Data))), string(t.masked([]byte(in.Content)))))}, nil
}

// maskMark begins what stands for a credential in what the model reads.
const maskMark = "[secret: "

// isMasked reports whether content holds more masks than the file itself, where what was
// shown of the file holds more too.
func (t *tools) isMasked(old []byte, content string) bool {
	old = plain(old)
	own := bytes.Count(old, []byte(maskMark))
	return strings.Count(content, maskMark) > own && bytes.Count(t.masked(old), []byte(maskMark)) > own
}

// plain is the content of a file as UTF-8.
func plain(data []byte) []byte {
	if encoding(data) == "UTF-16" {
		return decode16(data)
	}
	return data
}

// known reads a file that is to be changed and demands that the model has seen
// it as it is.
func (t *tools) known(name string) (*workspace.File, error) {
	f, err := t.w.Read(name, maxWhole)
	if err != nil {
		return nil, err
	}
	return f, t.w.Known(f)
}

func measure(s string) string {
	n := bytes.Count([]byte(s), []byte("\n"))
	if s != "" && s[len(s)-1] != '\n' {
		n++
	}
	unit := "lines"
	if n == 1 {
		unit = "line"
	}
	return fmt.Sprintf("%d %s, %d bytes", n, unit, len(s))
}
