package chunk

import "strings"

// InNamespace starts the name of a [Bind] that imports nothing: its Member is a
// definition of the file that lies in the namespace Path, "\A\B", and not in that
// of most of the file.
const InNamespace = "namespace "

// phpLeaf writes a name as chains have it. "self" is the type itself, as "Self";
// "static" may be a subtype, which is true of "$this" too. A name with a namespace
// is written in full, with "\" before it.
func phpLeaf(w *factWalk, i int, text string) string {
	if text[0] == '$' {
		if text == "$this" && w.inAnonymous() {
			return "?"
		}
		return text
	}
	if strings.IndexByte(text, '\\') >= 0 {
		return w.phpQualified(text)
	}
	known := ""
	switch strings.ToLower(text) {
	case "self":
		known = "Self"
	case "static":
		if known = "Self"; w.t.typeOf(i) == "relative_scope" {
			known = "$this"
		}
	case "parent":
		known = "super"
	default:
		return text
	}
	if w.inAnonymous() {
		return "?"
	}
	return known
}

// inAnonymous reports whether the innermost type around the node has no name.
func (w *factWalk) inAnonymous() bool {
	return len(w.kinds) > 0 && w.kinds[len(w.kinds)-1].fact < 0
}

// phpQualified is the full name of one that holds a namespace: its first part may
// be an alias, or the word "namespace" for the current one.
func (w *factWalk) phpQualified(text string) string {
	if text = strings.Join(strings.Fields(text), ""); text == "" || text[0] == '\\' {
		return text
	}
	first, rest, _ := strings.Cut(text, `\`)
	if strings.EqualFold(first, "namespace") {
		return phpJoin(w.facts.Package, rest)
	}
	if path, ok := w.aliases[strings.ToLower(first)]; ok {
		return phpJoin(path, rest)
	}
	return phpJoin(w.facts.Package, text)
}

// phpJoin is the full name of a name in a namespace.
func phpJoin(space, name string) string {
	if space == "" {
		return `\` + name
	}
	return `\` + space + `\` + name
}

// phpBinds reads the names that a use declaration binds, and namespaces.
func phpBinds(w *factWalk, n int) {
	if w.t.typeOf(n) == "namespace_definition" {
		w.phpNamespaces(n)
		return
	}
	line := w.line.at(int(w.t.nodes[n].start))
	phpUses(w.t.text(n), func(path, alias string) {
		i := strings.LastIndexByte(path, '\\')
		if alias == "" {
			alias = path[i+1:]
		}
		if w.aliases == nil {
			w.aliases = map[string]string{}
		}
		w.aliases[strings.ToLower(alias)] = path
		w.addBind(Bind{Name: alias, Path: `\` + path[:max(i, 0)], Member: path[i+1:], Line: line})
	})
}

// phpSpace is the part of the source that is in one namespace.
type phpSpace struct {
	name     string
	from, to int
}

// phpNamespaces reads the namespaces of the file when it meets the first. The
// file's is the one that holds most of it; what another one holds is bound to that.
func (w *factWalk) phpNamespaces(first int) {
	if w.spaced {
		return
	}
	w.spaced = true
	size := map[string]int{}
	spaces := w.phpSpaces(first)
	for _, s := range spaces {
		if size[s.name] += s.to - s.from; size[s.name] > size[w.facts.Package] {
			w.facts.Package = s.name
		}
	}
	c := 0
	for _, s := range spaces {
		line := w.line.at(s.from)
		for ; c < len(w.chunks) && w.chunks[c].StartByte < s.to; c++ {
			if k := &w.chunks[c]; s.name != w.facts.Package && k.Kind != Import && k.Scope == "" {
				w.addBind(Bind{Name: InNamespace + k.Name, Path: `\` + s.name, Member: k.Name, Line: line})
			}
		}
	}
}

// phpSpaces are the namespaces from node first on. One without braces ends where
// the next begins.
func (w *factWalk) phpSpaces(first int) (out []phpSpace) {
	for k := first; k < len(w.t.nodes); k = max(k+1, int(w.t.nodes[k].next)) {
		if w.t.typeOf(k) != "namespace_definition" {
			continue
		}
		s := phpSpace{from: int(w.t.nodes[k].start), to: len(w.t.src)}
		if n := w.t.field(k, "name"); n >= 0 {
			s.name = clip(strings.Join(strings.Fields(w.t.text(n)), ""))
		}
		if n := len(out); n > 0 && out[n-1].to > s.from {
			out[n-1].to = s.from
		}
		if w.t.field(k, "body") >= 0 {
			s.to = int(w.t.nodes[k].end)
		}
		out = append(out, s)
	}
	return out
}
