package permission

import "github.com/topo-dev/topo/agent"

// DenyWrites is the rule that nothing at the path or below it is written. The path
// is slash-separated, relative to the root, and means itself.
func DenyWrites(path string) Rule {
	return Rule{Verdict: agent.Deny, Tool: string(agent.OpWrite), Pattern: quotePath(path)}
}
