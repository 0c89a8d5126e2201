package graph

import (
	"encoding/json"
	"slices"
	"strings"
)

// tsConfig is what a tsconfig.json says about module names.
type tsConfig struct {
	base  string // directory that names start from, when hasBase
	paths []tsPath

	hasBase bool
}

// tsPath is one entry of paths: a name with at most one *, and what it stands
// for, relative to the tree.
type tsPath struct {
	prefix, suffix string
	star           bool
	targets        []string
}

// maxExtends bounds a chain of configurations, which may be a circle.
const maxExtends = 5

// readTSConfig reads a configuration and what it extends; nil when there is
// none or it says nothing about names.
func readTSConfig(t *tree, file string, depth int) *tsConfig {
	var m struct {
		Extends         any
		CompilerOptions struct {
			BaseURL *string `json:"baseUrl"`
			Paths   map[string][]string
		}
	}
	if depth > maxExtends || json.Unmarshal(plainJSON(t.read(file)), &m) != nil {
		return nil
	}
	dir := dirOf(file)
	c := &tsConfig{}
	if ext, ok := m.Extends.(string); ok && strings.HasPrefix(ext, ".") {
		if p, ok := join(dir, ext); ok {
			if !strings.HasSuffix(p, ".json") {
				p += ".json"
			}
			if parent := readTSConfig(t, p, depth+1); parent != nil {
				*c = *parent
			}
		}
	}
	if m.CompilerOptions.BaseURL != nil {
		c.base, c.hasBase = join(dir, *m.CompilerOptions.BaseURL)
	}
	if m.CompilerOptions.Paths != nil {
		start := dir
		if c.hasBase {
			start = c.base
		}
		c.paths = tsPaths(start, m.CompilerOptions.Paths)
	}
	if !c.hasBase && len(c.paths) == 0 {
		return nil
	}
	return c
}

// tsPaths orders the entries as TypeScript prefers them: exact names, then the
// longest prefix before the *.
func tsPaths(dir string, entries map[string][]string) []tsPath {
	var out []tsPath
	for name, to := range entries {
		e := tsPath{prefix: name}
		e.prefix, e.suffix, e.star = strings.Cut(name, "*")
		for _, x := range to {
			if p, ok := join(dir, x); ok {
				e.targets = append(e.targets, p)
			}
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b tsPath) int {
		switch {
		case a.star != b.star && !a.star:
			return -1
		case a.star != b.star:
			return 1
		case len(a.prefix) != len(b.prefix):
			return len(b.prefix) - len(a.prefix)
		}
		return strings.Compare(a.prefix+"*"+a.suffix, b.prefix+"*"+b.suffix)
	})
	return out
}

// resolve tries what the configuration makes of a name, until try holds.
func (c *tsConfig) resolve(name string, try func(string) bool) bool {
	for _, e := range c.paths {
		middle, ok := e.match(name)
		if !ok {
			continue
		}
		for _, to := range e.targets {
			if try(strings.Replace(to, "*", middle, 1)) {
				return true
			}
		}
		break // the best pattern alone counts
	}
	return c.hasBase && try(joinDir(c.base, name))
}

func (e *tsPath) match(name string) (middle string, ok bool) {
	if !e.star {
		return "", name == e.prefix
	}
	rest, ok := strings.CutPrefix(name, e.prefix)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, e.suffix)
}

// plainJSON blanks the comments and trailing commas that configurations may
// hold. It works on a copy.
func plainJSON(src []byte) []byte {
	out := slices.Clone(src)
	comma := -1 // of a comma with nothing after it yet
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		case c == '/' && i+1 < len(out) && out[i+1] == '*':
			end := len(out)
			if j := strings.Index(string(out[i+2:]), "*/"); j >= 0 {
				end = i + 2 + j + 2
			}
			for ; i < end; i++ {
				out[i] = ' '
			}
			i--
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return out
}
