package tool

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/internal/secret"
)

// Masked are the tools with the secrets in what they say replaced by their kind. A
// model and the service behind it get no credential of the tree or of a command's
// output.
func Masked(tools []agent.Tool) []agent.Tool {
	out := make([]agent.Tool, len(tools))
	for i, t := range tools {
		out[i] = masked{t}
	}
	return out
}

type masked struct{ agent.Tool }

// Run implements [agent.Tool].
func (m masked) Run(ctx context.Context, input json.RawMessage) (agent.Output, error) {
	out, err := m.Tool.Run(ctx, input)
	text, n := secret.Mask([]byte(out.Text))
	if n > 0 {
		out.Text = fmt.Sprintf("%s\n[%d masked in this output: they are credentials]\n", text, n)
	}
	out.Structured = maskValues(out.Structured)
	if err != nil {
		if text, n := secret.Mask([]byte(err.Error())); n > 0 {
			err = fmt.Errorf("%s", text)
		}
	}
	return out, err
}

// maskValues masks the strings of a structured answer, where there is a secret.
func maskValues(raw json.RawMessage) json.RawMessage {
	var v any
	if _, n := secret.Mask(raw); n == 0 || json.Unmarshal(raw, &v) != nil {
		return raw
	}
	clean, err := json.Marshal(maskValue(v))
	if err != nil {
		return nil
	}
	return clean
}

func maskValue(v any) any {
	switch v := v.(type) {
	case string:
		text, _ := secret.Mask([]byte(v))
		return string(text)
	case []any:
		for i := range v {
			v[i] = maskValue(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = maskValue(v[k])
		}
	}
	return v
}
