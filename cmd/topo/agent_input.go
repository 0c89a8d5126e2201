package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/stream"

	"github.com/topo-dev/topo/agent"
)

// maxStdin bounds a text on standard input, in bytes. More than a context
// window is of no use.
const maxStdin = 8 << 20

// given is what came on standard input.
type given struct {
	given *stream.Stream // a stream of records, not rendered yet
	text  string         // anything else
}

// readGiven reads standard input: a stream of records, told by its header, or
// text, such as that of topo render.
func (o *agentOptions) readGiven(ctx context.Context) (g given, err error) {
	if !o.f.inStream {
		return g, nil
	}
	first := time.AfterFunc(waitNotice, func() {
		o.f.notef("waiting for context on standard input; give </dev/null when there is none")
	})
	defer first.Stop()
	r := bufio.NewReaderSize(&notifying{o.f.stdin(ctx), func() { first.Stop() }}, 1<<16)
	head, err := r.Peek(r.Size())
	if err != nil && !errors.Is(err, io.EOF) {
		return g, err
	}
	if isStream(head) {
		s, err := stream.Read(ctx, r)
		if err != nil {
			return g, usagef("standard input: %w", err)
		}
		return given{given: s}, nil
	}
	text, err := io.ReadAll(io.LimitReader(r, maxStdin+1))
	if err != nil {
		return g, err
	}
	if len(text) > maxStdin {
		return g, usagef("standard input: more than %d bytes; render less, as in: topo render --max-tokens 20000", maxStdin)
	}
	return given{text: strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD"))}, nil
}

// isStream reports whether text begins with the header of a stream.
func isStream(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	var h struct{ Version *string }
	return bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &h) == nil && h.Version != nil
}

// contextOf makes the context of the run, and the task when none was given: that
// of the stream, or the text itself.
func (o *agentOptions) contextOf(ctx context.Context, g given) (list []agent.Context, task string, err error) {
	task = normalText([]byte(o.Task))
	switch {
	case g.given != nil:
		c, err := o.renderGiven(ctx, g.given)
		if err != nil {
			return nil, "", err
		}
		if task == "" {
			task = g.given.Header.Query
		}
		return append(list, c), task, nil
	case g.text != "" && task == "":
		return nil, g.text, nil
	case g.text != "":
		return append(list, agent.Context{Title: "Given by the user with the task:", Text: g.text}), task, nil
	}
	return nil, task, nil
}

// renderGiven prints the files of a stream as topo render does, within the
// budget for context.
func (o *agentOptions) renderGiven(ctx context.Context, s *stream.Stream) (agent.Context, error) {
	r, err := o.f.open(ctx, s, "")
	if err != nil {
		return agent.Context{}, err
	}
	defer r.Close()
	var out bytes.Buffer
	if err := r.Render(ctx, &out, s, topo.RenderOptions{Budget: topo.Budget{MaxTokens: o.ContextTokens}}); err != nil {
		return agent.Context{}, err
	}
	c := agent.Context{Title: "Files that topo selected for the task:", Text: out.String()}
	for _, f := range s.Files() {
		c.Paths = append(c.Paths, strings.ToValidUTF8(f.Path, "\uFFFD"))
	}
	return c, nil
}
