package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topo-dev/topo/agent/workspace"
)

// TestParallelEdits edits one file from many calls at once: each edit that says
// it was made is in the file.
func TestParallelEdits(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "line <%d>\n", i)
	}
	k := newKit(t, map[string]string{"f": text.String()})
	if _, err := k.call("read", `{"path":"f"}`); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			in := editInput{Path: "f", Edits: []oneEdit{{OldText: fmt.Sprintf("<%d>", i), NewText: fmt.Sprintf("(%d)", i)}}}
			if _, err := k.call("edit", in); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := k.get("f"); strings.Contains(got, "<") || strings.Count(got, "(") != 40 {
		t.Errorf("%s", got)
	}
}

// countdown is a context that is cancelled after a number of checks.
type countdown struct {
	context.Context
	mu   sync.Mutex
	left int
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func (c *countdown) Deadline() (time.Time, bool) { return time.Time{}, false }

// TestCancelled cancels each tool at every moment at which it looks: it says so,
// and a file is as it was or as it was to be.
func TestCancelled(t *testing.T) {
	files := map[string]string{"f": "one\n"}
	for i := range 300 {
		files[fmt.Sprintf("d/%d.txt", i)] = "one\n"
	}
	k := newKit(t, files)
	if _, err := k.call("read", `{"path":"f"}`); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]string{
		"grep": `{"pattern":"one","limit":2000}`, "glob": `{"pattern":"*.txt"}`, "ls": `{"depth":2}`,
		"edit":  `{"path":"f","edits":[{"old_text":"one","new_text":"two"},{"old_text":"two","new_text":"three"}]}`,
		"write": `{"path":"g","content":"x"}`,
	} {
		for _, tool := range k.tools {
			if tool.Spec().Name != name {
				continue
			}
			for n := range 3 {
				ctx := &countdown{Context: t.Context(), left: n}
				_, err := tool.Run(ctx, json.RawMessage(in))
				if n == 0 && !errors.Is(err, context.Canceled) {
					t.Errorf("%s, cancelled at once: %v", name, err)
				}
			}
		}
	}
	if got := k.get("f"); got != "one\n" && got != "three\n" {
		t.Errorf("half of the edits were made: %q", got)
	}
}

// TestDescribedWithoutTree holds that the tools can be listed where there is no
// tree.
func TestDescribedWithoutTree(t *testing.T) {
	if n := len(Tools((*workspace.Workspace)(nil), Options{})); n != 7 {
		t.Errorf("%d tools", n)
	}
}
