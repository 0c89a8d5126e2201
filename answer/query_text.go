package answer

import (
	"fmt"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/query"
)

func number(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

// valueText is a value of a row as text.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case string:
		return v
	case float64:
		return fmt.Sprintf("%.6g", v)
	case graph.Ref:
		return placeOf(v)
	case query.Edge:
		return "[" + v.Kind + "]"
	case query.Path:
		return wayText(v)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = valueText(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(v)
}

// wayText is a path with its edges as arrows.
func wayText(v query.Path) string {
	var parts []string
	for i, n := range v.Nodes {
		if i > 0 {
			arrow := "-[" + v.Edges[i-1].Kind + "]->"
			if v.Edges[i-1].To != n.ID {
				arrow = "<-[" + v.Edges[i-1].Kind + "]-"
			}
			parts = append(parts, arrow)
		}
		parts = append(parts, placeOf(n))
	}
	return strings.Join(parts, " ")
}
