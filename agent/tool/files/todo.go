package files

import (
	"context"
	"fmt"
	"strings"

	"github.com/topo-dev/topo/agent"
)

type todoInput struct {
	Items []todoItem `json:"items" jsonschema:"the whole list, in order" tool:"max=50"`
}

type todoItem struct {
	Text   string `json:"text" jsonschema:"what is to be done, in one line" tool:"min=1,max=500"`
	Status string `json:"status" tool:"enum=open|doing|done"`
}

// todo keeps nothing: the list is part of the transcript, where it survives a
// resume.
func todo(_ context.Context, in todoInput) (agent.Output, error) {
	if len(in.Items) == 0 {
		return agent.Output{Text: "The list is empty."}, nil
	}
	var b strings.Builder
	done, doing := 0, 0
	for _, it := range in.Items {
		mark := " "
		switch it.Status {
		case "doing":
			mark = ">"
			doing++
		case "done":
			mark = "x"
			done++
		}
		fmt.Fprintf(&b, "[%s] %s\n", mark, strings.Join(strings.Fields(it.Text), " "))
	}
	fmt.Fprintf(&b, "%d of %d done\n", done, len(in.Items))
	out := agent.Output{Text: b.String()}
	if doing > 1 {
		out.Hints = append(out.Hints, "Have one item doing at a time.")
	}
	return out, nil
}
