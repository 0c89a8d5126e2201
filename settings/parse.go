package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/topo-dev/topo/internal/nearest"
)

// positionError is a defect at a place of the configuration.
type positionError struct {
	line, column int
	msg          string
}

func (e positionError) Error() string { return fmt.Sprintf("%d:%d: %s", e.line, e.column, e.msg) }

func errorAt(n ast.Node, format string, args ...any) error {
	pos := n.GetToken().Position
	return positionError{pos.Line, pos.Column, fmt.Sprintf(format, args...)}
}

// parse reads YAML: one mapping of the keys that a file of that scope may have to
// scalars or lists of scalars. Everything else, anchors and tags included, is an
// error.
func parse(text []byte, scope Scope) (map[string]entry, error) {
	if err := checkNesting(text); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, syntaxError(err)
	}
	out := map[string]entry{}
	for i, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType || doc.Body.Type() == ast.NullType {
			continue
		}
		if i > 0 {
			return nil, errorAt(doc.Body, "a second document; keep one")
		}
		entries, err := mapping(doc.Body)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if err := add(out, e, scope); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// checkNesting refuses text whose brackets or indentation could nest deeper
// than any configuration does, since the parser recurses.
func checkNesting(text []byte) error {
	for i, line := range strings.Split(string(text), "\n") {
		depth := strings.Count(line, "[") + strings.Count(line, "{") + strings.Count(line, "- ") + strings.Count(line, "? ")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if depth > maxDepth || indent > 4*maxDepth {
			return positionError{i + 1, 1, "nested too deeply"}
		}
	}
	return nil
}

func syntaxError(err error) error {
	var at interface {
		error
		GetMessage() string
	}
	if errors.As(err, &at) {
		first, _, _ := strings.Cut(at.Error(), "\n") // "[3:1] message"
		var line, column int
		if _, serr := fmt.Sscanf(first, "[%d:%d]", &line, &column); serr == nil {
			return positionError{line, column, at.GetMessage()}
		}
	}
	return positionError{1, 1, "not YAML: " + err.Error()}
}

func mapping(n ast.Node) ([]*ast.MappingValueNode, error) {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}, nil
	}
	return nil, errorAt(n, "expected \"key: value\" lines")
}

func add(to map[string]entry, e *ast.MappingValueNode, scope Scope) error {
	key := e.Key.GetToken().Value
	known := keys(scope)
	if !slices.Contains(known, key) {
		return errorAt(e.Key, "%s", unknown(key, known))
	}
	if _, twice := to[key]; twice {
		return errorAt(e.Key, "key %q is given twice", key)
	}
	s, _ := find(key)
	values, err := scalars(s, e.Value)
	if err != nil {
		return err
	}
	to[key] = entry{values, e.Key.GetToken().Position.Line}
	return nil
}

// unknown says what is wrong with a key, and which one was meant.
func unknown(key string, known []string) string {
	s, ok := find(key)
	switch {
	case ok && s.Scope == User:
		return fmt.Sprintf("key %q is not read from a project, which is not trusted; set it in your own ~/.config/topo/%s", key, userName)
	case ok:
		return fmt.Sprintf("key %q is not read from a file; give --%s or set %s", key, s.Name, s.Env)
	}
	lower := strings.ToLower(key)
	for _, word := range []string{"api-key", "api_key", "apikey", "token-", "secret", "password"} {
		if strings.Contains(lower, word) {
			return fmt.Sprintf("unknown key %q; secrets are read from the environment alone", key)
		}
	}
	if meant := nearest.Of(key, known); meant != "" {
		return fmt.Sprintf("unknown key %q; did you mean %q?", key, meant)
	}
	return fmt.Sprintf("unknown key %q; known: %s", key, strings.Join(known, ", "))
}

// scalars is the value of a setting: one scalar, or for a list several.
func scalars(s Setting, n ast.Node) ([]string, error) {
	if seq, ok := n.(*ast.SequenceNode); ok && s.Kind == List {
		out := make([]string, 0, len(seq.Values))
		for _, v := range seq.Values {
			text, err := scalar(s.Name, v)
			if err != nil {
				return nil, err
			}
			out = append(out, text)
		}
		return out, nil
	}
	text, err := scalar(s.Name, n)
	return []string{text}, err
}

func scalar(key string, n ast.Node) (string, error) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, nil
	case *ast.IntegerNode:
		return v.GetToken().Value, nil
	case *ast.FloatNode:
		return v.GetToken().Value, nil
	}
	return "", errorAt(n, "%s: expected a plain value", key)
}
