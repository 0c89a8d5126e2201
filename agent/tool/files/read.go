package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/spill"
	"github.com/topo-dev/topo/agent/workspace"
	"github.com/topo-dev/topo/internal/nearest"
)

type readInput struct {
	Path   string `json:"path" jsonschema:"file, relative to the root, or the handle of an output" tool:"min=1"`
	Offset int    `json:"offset,omitempty" jsonschema:"first line to show" tool:"min=1,default=1"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many lines to show" tool:"min=1,max=10000,default=2000"`
}

func (t *tools) readAccess(in readInput) ([]agent.Access, error) {
	if spill.IsHandle(in.Path) {
		return nil, nil // an output of this session, which the model was given before
	}
	return t.access(agent.OpRead, in.Path)
}

func (t *tools) read(_ context.Context, in readInput) (agent.Output, error) {
	in.Offset = max(in.Offset, 1)
	if in.Limit == 0 {
		in.Limit = 2000
	}
	if spill.IsHandle(in.Path) {
		return t.readKept(in)
	}
	f, err := t.w.Read(in.Path, maxWhole)
	if errors.Is(err, workspace.ErrTooLarge) {
		return t.readLarge(in)
	}
	if err != nil {
		return agent.Output{}, t.explain(in.Path, err)
	}
	if binary(f.Data) {
		return agent.Output{}, fmt.Errorf("%s: %w", in.Path, binaryError(f.Data, int64(len(f.Data))))
	}
	data, note := f.Data, ""
	if enc := encoding(data); enc != "UTF-8" {
		note = "encoded as " + enc
		if enc == "UTF-16" {
			data = decode16(data)
		}
	}
	v, err := lines(bytes.NewReader(t.masked(data)), in.Offset, in.Limit, true)
	if err != nil {
		return agent.Output{}, err
	}
	if note != "" {
		v.notes = append(v.notes, note)
	}
	if n := len(data); n > 0 && data[n-1] != '\n' && v.last == v.lines {
		v.notes = append(v.notes, "no newline at the end")
	}
	t.w.Seen(f)
	return v.output(in)
}

// readLarge shows lines of a file that is too large to be held in memory. It
// does not count as read: such a file cannot be edited either.
func (t *tools) readLarge(in readInput) (agent.Output, error) {
	f, _, err := t.w.OpenFile(in.Path)
	if err != nil {
		return agent.Output{}, err
	}
	defer f.Close()
	head := make([]byte, sniffed)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return agent.Output{}, fmt.Errorf("%s: %w", in.Path, err)
	}
	if head = head[:n]; binary(head) || encoding(head) == "UTF-16" {
		size := int64(n)
		if st, err := f.Stat(); err == nil {
			size = st.Size()
		}
		return agent.Output{}, fmt.Errorf("%s: %w", in.Path, binaryError(head, size))
	}
	v, err := lines(io.MultiReader(bytes.NewReader(head), f), in.Offset, in.Limit, false)
	if err != nil {
		return agent.Output{}, fmt.Errorf("%s: %w", in.Path, err)
	}
	v.notes = append(v.notes, fmt.Sprintf("over %d bytes: it can be read by ranges and not edited", maxWhole))
	return v.output(in)
}

func (t *tools) readKept(in readInput) (agent.Output, error) {
	if t.Outputs == nil {
		return agent.Output{}, fmt.Errorf("%s: no outputs are kept here; run the tool again with a narrower question", in.Path)
	}
	f, err := t.Outputs.Open(in.Path)
	if err != nil {
		return agent.Output{}, err
	}
	defer f.Close()
	v, err := lines(f, in.Offset, in.Limit, true)
	if err != nil {
		return agent.Output{}, fmt.Errorf("%s: %w", in.Path, err)
	}
	return v.output(in)
}

// output adds what the lines themselves do not say.
func (v *view) output(in readInput) (agent.Output, error) {
	switch {
	case v.lines == 0 && in.Offset == 1:
		return agent.Output{Text: "[the file is empty]"}, nil
	case v.last == 0:
		return agent.Output{}, fmt.Errorf("%s has %d lines; offset %d is after its end", in.Path, v.lines, in.Offset)
	}
	if v.cut > 0 {
		v.notes = append(v.notes, fmt.Sprintf("%d lines cut after %d bytes", v.cut, maxLine))
	}
	if v.last < v.lines || v.more {
		of := fmt.Sprintf(" of %d", v.lines)
		if v.more {
			of = ""
		}
		v.notes = append(v.notes, fmt.Sprintf("lines %d to %d%s; more with offset %d", in.Offset, v.last, of, v.last+1))
	}
	if len(v.notes) > 0 {
		fmt.Fprintf(&v.text, "[%s]\n", strings.Join(v.notes, "; "))
	}
	return agent.Output{Text: v.text.String()}, nil
}

// explain adds what may have been meant to the error of a path.
func (t *tools) explain(name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir, base := path.Split(path.Clean(name))
	if dir == "" {
		dir = "."
	}
	entries, _, listErr := t.w.ReadDir(dir, 5000)
	if listErr != nil {
		return fmt.Errorf("%w; the directory %s does not exist either: look with glob", err, dir)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	if n := nearest.Of(base, names); n != "" {
		return fmt.Errorf("%w; did you mean %s?", err, path.Join(dir, n))
	}
	return fmt.Errorf("%w; look with glob or ls", err)
}
