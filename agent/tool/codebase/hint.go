package codebase

import (
	"fmt"
	"strings"

	"github.com/topo-dev/topo/answer"
)

// say puts a hint into the words of the tools. What no tool can do is left out.
func say(h answer.Hint) (string, bool) {
	for _, a := range h.Asks {
		if _, ok := toolCall(a); !ok {
			return "", false
		}
	}
	known := true
	said := h.Say(func(a answer.Ask) string { c, _ := toolCall(a); return c }, func(option string) string {
		known = false // the tools take other options than the commands
		return option
	})
	return strings.TrimPrefix(said, "next: "), known
}

// toolCall is the tool that asks a question, with its input.
func toolCall(a answer.Ask) (string, bool) {
	options := map[string]string{}
	for _, o := range a.Options {
		name, value, _ := strings.Cut(o, "=")
		options[name] = value
	}
	of := ""
	if len(a.Places) > 0 {
		of = fmt.Sprintf(" %q", a.Places[0])
	}
	switch a.Question {
	case "callers", "callees", "importers", "imports", "subtypes", "supertypes":
		return walkCall(a.Question, of, options["depth"])
	case "uses", "used_by":
		if of != "" {
			of = " from" + of
		}
		return withOptions("trace_dependencies"+of, "direction", a.Question, "depth", options["depth"]), true
	case "path":
		if _, undirected := options["undirected"]; undirected || len(a.Places) != 2 || strings.Contains(options["kinds"], ",") {
			return "", false
		}
		return withOptions(fmt.Sprintf("trace_dependencies from%s to %q", of, a.Places[1]), "kind", options["kinds"]), true
	case "symbol", "impact":
		if of != "" {
			of = " of" + of
		}
		return map[string]string{"symbol": "symbol", "impact": "analyze_impact"}[a.Question] + of, true
	case "file", "outline":
		return "outline" + of, true
	case "cycles", "hotspots", "stats":
		return "query_graph " + a.Question, len(a.Options) == 0
	case "query":
		return "query_graph cypher" + of, true
	case "search":
		if of == "" {
			return "search, or grep", true
		}
		return "search" + of, true
	case "diff":
		return "analyze_impact diff" + of, len(a.Options) == 0
	}
	return "", false
}

// walkCall is the call for what is found along edges: one edge away it is
// query_graph, further trace_dependencies.
func walkCall(question, of, depth string) (string, bool) {
	if of == "" {
		return "query_graph " + question, true
	}
	if depth == "" {
		return "query_graph " + question + " of" + of, true
	}
	direction, kind := "uses", "calls"
	switch question {
	case "callers":
		direction = "used_by"
	case "importers":
		direction, kind = "used_by", "imports"
	case "imports":
		kind = "imports"
	case "subtypes":
		direction, kind = "used_by", "inherits"
	case "supertypes":
		kind = "inherits"
	}
	return withOptions("trace_dependencies from"+of, "direction", direction, "kind", kind, "depth", depth), true
}

// withOptions adds the names and values that are not empty.
func withOptions(s string, pairs ...string) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			s += ", " + pairs[i] + " " + pairs[i+1]
		}
	}
	return s
}
