package graph

import (
	"bytes"
	"strings"
)

// reexports are the paths that the root of a crate re-exports under names of its own,
// by name: "pub use other::module", "pub extern crate other as name", and the
// same in a macro that writes the root. Only its own text is looked at, no
// condition is judged. Private uses are included too, because the
// crate's own files refer to them as crate::name.
func (r *rustResolver) reexports(root string) map[string][]string {
	if m, ok := r.exports[root]; ok {
		return m
	}
	m := map[string][]string{}
	r.exports[root] = m
	text := r.t.read(root)
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		decl, crate := rustDeclares(line)
		if decl == "" {
			continue
		}
		for !strings.Contains(decl, ";") && len(text) > 0 && len(decl) < maxRustUse {
			line, text, _ = bytes.Cut(text, []byte{'\n'})
			code, _, _ := bytes.Cut(line, []byte("//"))
			decl += string(bytes.TrimSpace(code))
		}
		decl, _, _ = strings.Cut(decl, ";")
		if crate {
			addExport(m, decl)
		} else {
			rustPaths("", decl, 0, func(path string) { addExport(m, path) })
		}
	}
	return m
}

const maxRustUse = 1 << 14 // bytes of one declaration

// rustDeclares is what follows "use" or "extern crate" at the beginning of a
// line.
func rustDeclares(line []byte) (rest string, crate bool) {
	s := strings.TrimSpace(string(line[:min(len(line), maxRustUse)]))
	s = strings.TrimPrefix(s, "pub ")
	if strings.HasPrefix(s, "pub(") {
		_, s, _ = strings.Cut(s, ") ")
	}
	if rest, ok := strings.CutPrefix(s, "use "); ok {
		return rest, false
	}
	rest, crate = strings.CutPrefix(s, "extern crate ")
	if !crate {
		return "", false
	}
	return rest, true
}

// rustPaths calls add with each path of a tree of uses, with its new name.
func rustPaths(prefix, text string, depth int, add func(string)) {
	text = strings.TrimSpace(text)
	head, inner, group := strings.Cut(text, "{")
	if !group || depth > 8 {
		if rest, ok := strings.CutPrefix(text, "self"); ok && prefix != "" && (rest == "" || rest[0] == ' ') {
			add(strings.TrimSuffix(prefix, "::") + rest)
		} else if text != "" {
			add(prefix + text)
		}
		return
	}
	prefix += strings.TrimSpace(head)
	level, from := 0, 0
	for i := range len(inner) {
		switch c := inner[i]; {
		case c == '{':
			level++
		case c == '}' && level > 0:
			level--
		case level == 0 && (c == ',' || c == '}'):
			rustPaths(prefix, inner[from:i], depth+1, add)
			if from = i + 1; c == '}' {
				return
			}
		}
	}
}

// addExport enters "a::b as c" or "a::b"; the first of a name counts.
func addExport(m map[string][]string, text string) {
	path, name, renamed := strings.Cut(text, " as ")
	segments := strings.Split(strings.TrimPrefix(strings.TrimSpace(path), "::"), "::")
	if !renamed {
		name = segments[len(segments)-1]
	}
	if name = strings.TrimSpace(name); m[name] == nil && name != "" && name != "*" && name != "self" {
		m[name] = segments
	}
}

// followExport follows a name that the root of a crate re-exports to the module
// that defines it, and the segments from there; ok tells whether it is a module.
func (r *rustResolver) followExport(root string, segments []string, to *targets) (whole, ok bool) {
	if r.hops >= maxReexp || !r.isRoot(root) {
		return false, false
	}
	path := r.reexports(root)[segments[0]]
	if path == nil {
		return false, false
	}
	r.hops++
	defer func() { r.hops-- }()
	var there targets
	if !r.path(root, path, false, &there) || len(there.files) != 1 {
		return false, false
	}
	file := r.t.in.Files[there.files[0]].Path
	return r.descend(moduleDir(file), file, segments[1:], to), true
}

// isRoot tells whether a file is the root of a library of the workspace.
func (r *rustResolver) isRoot(file string) bool {
	dir, ok := strings.CutSuffix(file, "/src/lib.rs")
	if file == "src/lib.rs" {
		dir, ok = "", true
	}
	_, own := r.own[dir]
	return ok && own
}
