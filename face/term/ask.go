package term

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/answer"
)

// Terminal asks the person at the terminal, also when standard input is a pipe.
type Terminal struct {
	out io.Writer // where the question goes
	// open opens the terminal for reading; an error when there is none.
	open func() (io.ReadCloser, error)
	in   *bufio.Reader
}

// NewTerminal asks the person at this process's terminal. The question goes to out;
// seen reports whether that is a terminal too.
func NewTerminal(out io.Writer, seen bool) *Terminal {
	return &Terminal{out: out, open: func() (io.ReadCloser, error) {
		// A question is of use only where it is seen.
		if !seen {
			return nil, agent.ErrNobody
		}
		return openTTY()
	}}
}

// Ask shows what the call would do and reads the answer.
func (t *Terminal) Ask(ctx context.Context, q agent.Question) (agent.Answer, error) {
	if t.in == nil {
		tty, err := t.open()
		if err != nil {
			return agent.Answer{}, fmt.Errorf("%w; grant it with %s", agent.ErrNobody, wayOut(q))
		}
		t.in = bufio.NewReaderSize(io.LimitReader(tty, 1<<20), 1<<12)
	}
	fmt.Fprint(t.out, question(q))
	for {
		fmt.Fprint(t.out, "Allow? [y]es, [a]lways in this session, [n]o, or say what to do instead: ")
		line, err := t.line(ctx)
		if err != nil {
			return agent.Answer{}, err
		}
		switch strings.ToLower(line) {
		case "":
		case "y", "yes":
			return agent.Answer{Allow: true}, nil
		case "a", "always":
			return agent.Answer{Allow: true, Always: true}, nil
		case "n", "no":
			return agent.Answer{}, nil
		default:
			return agent.Answer{Text: line}, nil
		}
	}
}

// wayOut names the flags that would have granted the call.
func wayOut(q agent.Question) string {
	for _, a := range q.Access {
		switch {
		case a.Op == agent.OpExec && len(a.Command) < 60 && !strings.ContainsAny(a.Command, "'\n"):
			return fmt.Sprintf("--allow 'bash(%s)', or --yes", a.Command)
		case a.Op == agent.OpWrite && !strings.ContainsAny(a.Path, "'\n"):
			return fmt.Sprintf("--allow 'write(%s)', or --yes", a.Path)
		}
	}
	return fmt.Sprintf("--allow %s, or --yes", q.Spec.Name)
}

// line reads a line, or returns when ctx ends. A read that waits for the
// terminal then ends with the process.
func (t *Terminal) line(ctx context.Context) (string, error) {
	type result struct {
		line string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		line, err := t.in.ReadString('\n')
		done <- result{strings.TrimSpace(line), err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return "", fmt.Errorf("%w: the terminal was closed", agent.ErrNobody)
		}
		return r.line, nil
	case <-ctx.Done():
		fmt.Fprintln(t.out)
		return "", ctx.Err()
	}
}

// maxQuestion is how many lines of a call's input a question shows of each
// field, save of a command, which is shown whole: nobody can allow what they
// have not seen.
const maxQuestion = 40

// question says what a call would do.
func question(q agent.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\ntopo: %s asks for permission (%s)\n", answer.Visible(q.Call.Name), answer.Visible(q.Decision.Rule))
	shown := map[string]bool{}
	for _, a := range q.Access {
		switch {
		case a.Command != "":
			fmt.Fprintf(&b, "  run:\n%s", block(a.Command, 0))
			shown[a.Command] = true
		case a.Host != "":
			fmt.Fprintf(&b, "  reach: %s\n", answer.Visible(a.Host))
		default:
			fmt.Fprintf(&b, "  %s: %s\n", a.Op, answer.Visible(a.Path))
			shown[a.Path] = true
		}
	}
	var in map[string]any
	if json.Unmarshal(q.Call.Input, &in) != nil {
		return b.String()
	}
	for _, key := range sortedKeys(in) {
		s, ok := in[key].(string)
		if !ok {
			raw, _ := json.MarshalIndent(in[key], "", " ")
			s = string(raw)
		}
		if !shown[s] {
			fmt.Fprintf(&b, "  %s:\n%s", answer.Visible(key), block(s, maxQuestion))
		}
	}
	return b.String()
}

// block is text on indented lines, at most limit of them; 0 is all.
func block(text string, limit int) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		if limit > 0 && i == limit {
			fmt.Fprintf(&b, "    … %d more lines\n", len(lines)-i)
			break
		}
		b.WriteString("    " + Screen(l) + "\n")
	}
	return b.String()
}

func sortedKeys(m map[string]any) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// openTTY opens the terminal of this process.
func openTTY() (io.ReadCloser, error) {
	for _, name := range []string{"/dev/tty", "CONIN$"} {
		if f, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
			return f, nil
		}
	}
	return nil, os.ErrNotExist
}
