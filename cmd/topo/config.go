package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// configName is the repository's configuration, relative to the root.
const configName = ".topo/config.yaml"

// maxConfig bounds the configuration in bytes and maxConfigDepth its nesting:
// it is part of the repository and may be hostile. The YAML parser takes time
// quadratic in a crafted text: 1.6 s for 60 kB, a tenth of a second for this.
const (
	maxConfig      = 16 << 10
	maxConfigDepth = 32
)

// config is the configuration by key.
type config map[string]configValue

type configValue struct {
	values []string
	line   int // where the key stands, 1-based
}

// readConfig reads the configuration of the tree at root; nil without one. It
// does not follow a symbolic link that leaves the root.
func readConfig(root string) (config, error) {
	if root == "" {
		root = "."
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, envf("root %s: %w", root, err)
	}
	defer dir.Close()
	name := filepath.Join(root, configName)
	file, err := openRegular(dir, configName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, usagef("%s: cannot be read: %w; repair or remove it", name, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err != nil {
		return nil, envf("%s: %w", name, err)
	}
	if len(text) > maxConfig {
		return nil, usagef("%s: larger than %d bytes; shorten it", name, maxConfig)
	}
	conf, err := parseConfig(text)
	if err != nil {
		return nil, usagef("%s:%w", name, err)
	}
	return conf, nil
}

// errNotRegular refuses what may block or never end when it is read.
var errNotRegular = errors.New("not a regular file")

// openRegular opens a file of the repository, which may have put a named pipe
// or a device in its place: opening one of those may wait for ever.
func openRegular(dir *os.Root, name string) (*os.File, error) {
	info, err := dir.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return dir.Open(name)
}

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

// parseConfig reads YAML: one mapping of known keys to scalars or lists of
// scalars. Everything else, anchors and tags included, is an error.
func parseConfig(text []byte) (config, error) {
	if err := checkNesting(text); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, syntaxError(err)
	}
	conf := config{}
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
		for _, entry := range entries {
			if err := conf.add(entry); err != nil {
				return nil, err
			}
		}
	}
	return conf, nil
}

// checkNesting refuses text whose brackets or indentation could nest deeper
// than any configuration does, since the parser recurses.
func checkNesting(text []byte) error {
	for i, line := range strings.Split(string(text), "\n") {
		depth := strings.Count(line, "[") + strings.Count(line, "{") + strings.Count(line, "- ") + strings.Count(line, "? ")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if depth > maxConfigDepth || indent > 4*maxConfigDepth {
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

func (c config) add(entry *ast.MappingValueNode) error {
	key := entry.Key.GetToken().Value
	known := configKeys()
	if !slices.Contains(known, key) {
		return errorAt(entry.Key, "unknown key %q; known: %s", key, strings.Join(known, ", "))
	}
	if _, twice := c[key]; twice {
		return errorAt(entry.Key, "key %q is given twice", key)
	}
	values, err := scalars(key, entry.Value)
	if err != nil {
		return err
	}
	c[key] = configValue{values, entry.Key.GetToken().Position.Line}
	return nil
}

// scalars is the value of key: one scalar, or for a list several.
func scalars(key string, n ast.Node) ([]string, error) {
	list := key == "include" || key == "exclude"
	if seq, ok := n.(*ast.SequenceNode); ok && list {
		out := make([]string, 0, len(seq.Values))
		for _, v := range seq.Values {
			s, err := scalar(key, v)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
		return out, nil
	}
	s, err := scalar(key, n)
	return []string{s}, err
}

func scalar(key string, n ast.Node) (string, error) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, nil
	case *ast.IntegerNode:
		return v.GetToken().Value, nil
	}
	return "", errorAt(n, "%s: expected a plain value", key)
}

func configKeys() (keys []string) {
	for _, s := range settings() {
		if s.config {
			keys = append(keys, s.name)
		}
	}
	return keys
}
