package graph

import "strings"

// Ref names a node in answers: enough to find it in the source. One in JSON:
//
//	{"ID":41,"Kind":"method","Name":"Server.Close","Path":"net/server.go","Line":88,"EndLine":102}
type Ref struct {
	ID      int
	Kind    string
	Name    string
	Path    string `json:",omitempty"` // absent for modules and external nodes
	Line    int    `json:",omitempty"` // 1-based; absent for files and modules
	EndLine int    `json:",omitempty"`
}

// Ref is the node's name in answers.
func (n *Node) Ref() Ref {
	return Ref{ID: n.ID, Kind: n.Kind.String(), Name: n.Name, Path: n.Path, Line: n.Line, EndLine: n.EndLine}
}

// LastPart is what people call a node of that name: what follows the last "/"
// of a file, module or external package, the last "." or "::" of anything else.
func LastPart(kind NodeKind, name string) string {
	seps := "."
	if kind == NodeFile || kind == NodeModule || kind == NodeExternal {
		seps = "/"
	}
	if i := strings.LastIndexAny(name, seps); i >= 0 && i+1 < len(name) {
		name = name[i+1:]
	}
	if seps == "." {
		if i := strings.LastIndex(name, "::"); i >= 0 && i+2 < len(name) {
			name = name[i+2:]
		}
	}
	return name
}
