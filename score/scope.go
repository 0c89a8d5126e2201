package score

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// ScopeFiles are where feature scopes are declared, relative to the root; the
// first that exists counts.
var ScopeFiles = []string{".topo/features.yaml", ".repo-context/features.yaml"}

// Bounds of a scope file, which comes from the repository and is not trusted.
const (
	maxScopeFile  = 1 << 20
	maxScopeDepth = 64
	maxPatterns   = 1000
	maxPattern    = 1000 // bytes
)

// Scopes are named parts of a repository:
//
//	features:
//	  auth:
//	    include: ["src/auth/**", "src/middleware/auth*"]
//	    exclude: ["**/*_test.*"]
type Scopes map[string]Scope

// Scope is one named part: what an include pattern matches and no exclude
// pattern does. Without include patterns everything is included. In a pattern
// * and ? stay within a path segment, [a-z] is a class, and ** as a segment
// matches any number of segments. A pattern matches whole paths.
type Scope struct {
	Include []string `yaml:"include"`
	Exclude []string `yaml:"exclude"`
}

// ParseScopes reads a scope file. Errors name line and column. Aliases and tags
// are refused: they are of no use here, aliases can grow without bound, and the
// YAML library panics on some tags.
func ParseScopes(data []byte) (s Scopes, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("feature scopes: not readable as YAML: %v", r)
		}
	}()
	if len(data) > maxScopeFile {
		return nil, fmt.Errorf("feature scopes: the file is longer than %d bytes", maxScopeFile)
	}
	if depth := nesting(data); depth > maxScopeDepth {
		return nil, fmt.Errorf("feature scopes: nested deeper than %d", maxScopeDepth)
	}
	f, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, fmt.Errorf("feature scopes: %w", err)
	}
	if len(f.Docs) > 1 {
		return nil, errors.New("feature scopes: more than one YAML document")
	}
	var v aliasFinder
	for _, d := range f.Docs {
		if d.Body != nil {
			ast.Walk(&v, d.Body)
		}
	}
	if v.found != nil {
		at := v.found.GetToken().Position
		return nil, fmt.Errorf("feature scopes: line %d: aliases, anchors and tags are not supported; write the list out", at.Line)
	}
	var doc struct {
		Features Scopes `yaml:"features"`
	}
	if err := yaml.UnmarshalWithOptions(data, &doc, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("feature scopes: %w", err)
	}
	return doc.Features, doc.Features.check()
}

func (s Scopes) check() error {
	for _, name := range s.Names() {
		patterns := slices.Concat(s[name].Include, s[name].Exclude)
		if len(patterns) > maxPatterns {
			return fmt.Errorf("feature scopes: %q has more than %d patterns", name, maxPatterns)
		}
		for _, p := range patterns {
			if p == "" || len(p) > maxPattern {
				return fmt.Errorf("feature scopes: a pattern of %q is empty or longer than %d bytes", name, maxPattern)
			}
			if err := checkGlob(p); err != nil {
				return fmt.Errorf("feature scopes: pattern %q of %q: %w", p, name, err)
			}
		}
	}
	return nil
}

// nesting is an upper bound of how deep flow collections nest and blocks are
// indented, which bounds the depth of a recursive parser.
func nesting(data []byte) int {
	deepest, flow := 0, 0
	for line := range strings.Lines(string(data)) {
		indent := 0
		for _, c := range line {
			if c != ' ' && c != '-' && c != '?' && c != '\t' {
				break
			}
			if c != ' ' || indent < len(line) {
				indent++
			}
		}
		for _, c := range line {
			switch c {
			case '[', '{':
				flow++
			case ']', '}':
				flow = max(flow-1, 0)
			}
			deepest = max(deepest, flow)
		}
		deepest = max(deepest, indent/2)
	}
	return deepest
}

type aliasFinder struct{ found ast.Node }

func (v *aliasFinder) Visit(n ast.Node) ast.Visitor {
	switch n.Type() {
	case ast.AliasType, ast.AnchorType, ast.MergeKeyType, ast.TagType:
		if v.found == nil {
			v.found = n
		}
	}
	return v
}

// Names lists the scopes, sorted.
func (s Scopes) Names() []string {
	names := make([]string, 0, len(s))
	for n := range s {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Lookup finds a scope. The error lists the known ones.
func (s Scopes) Lookup(name string) (Scope, error) {
	sc, ok := s[name]
	if ok {
		return sc, nil
	}
	if len(s) == 0 {
		return sc, fmt.Errorf("unknown feature %q: none is declared in %s", name, strings.Join(ScopeFiles, " or "))
	}
	return sc, fmt.Errorf("unknown feature %q; known: %s", name, strings.Join(s.Names(), ", "))
}

// Match reports whether a slash-separated path is in the scope. It is what
// [Options].Scope wants.
func (s Scope) Match(path string) bool {
	in := len(s.Include) == 0 || slices.ContainsFunc(s.Include, func(p string) bool { return Glob(p, path) })
	return in && !slices.ContainsFunc(s.Exclude, func(p string) bool { return Glob(p, path) })
}
