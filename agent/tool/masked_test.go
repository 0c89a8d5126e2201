package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
)

// TestMasked: what a tool says, and the error it gives, hold no credential.
func TestMasked(t *testing.T) {
	key := "ghp_"
	for i, seed := 0, uint32(7); i < 36; i++ {
		seed = seed*1664525 + 1013904223
		key += string("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[(seed>>8)%62])
	}
	fail := false
	plain := New(Definition{Name: "say"}, nil, func(context.Context, struct{}) (agent.Output, error) {
		if fail {
			return agent.Output{}, errors.New("cannot use token " + key)
		}
		return agent.Output{Text: "token: " + key + "\nend\n", Hints: []string{"next"}, Structured: json.RawMessage(`{"Lines":["a","token: ` + key + `"],"N":1}`)}, nil
	})
	hidden := Masked([]agent.Tool{plain})[0]
	out, err := hidden.Run(context.Background(), json.RawMessage("{}"))
	if err != nil || strings.Contains(out.Text, key) || !strings.Contains(out.Text, "[secret: ") || !strings.Contains(out.Text, "\nend\n") ||
		!strings.Contains(out.Text, "1 masked in this output") || len(out.Hints) != 1 {
		t.Errorf("%q, %v", out.Text, err)
	}
	if got := string(out.Structured); strings.Contains(got, key) || !strings.HasPrefix(got, `{"Lines":["a","token: [secret: `) || !strings.HasSuffix(got, `"],"N":1}`) {
		t.Errorf("structured: %s", got)
	}
	fail = true
	if _, err := hidden.Run(context.Background(), nil); err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("the error holds the key: %v", err)
	}
	if hidden.Spec().Name != "say" {
		t.Error("the tool lost its name")
	}
}
