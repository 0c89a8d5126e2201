package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/topo-dev/topo/index"
)

// lsif is the part of a Language Server Index Format dump that tells where
// names lead (https://microsoft.github.io/language-server-protocol).
type lsif struct {
	document map[int]string              // id → path below the root, "" outside
	ranges   map[int]position            // id → where it begins
	holder   map[int]int                 // range → document
	next     map[int]int                 // range → result set
	result   map[int]int                 // result set → definitions
	target   map[int]int                 // definitions → the first one's range
	at       map[string]map[position]int // path → ranges
}

type position struct{ Line, Character int }

// lsifElement is one line of a dump: a vertex or an edge of its graph.
type lsifElement struct {
	ID          int
	Type, Label string
	URI         string
	Start       position
	InV, OutV   int
	InVs        []int
}

// readLSIF reads a dump of the repository in root.
func readLSIF(r io.Reader, root string) (*lsif, error) {
	l := &lsif{map[int]string{}, map[int]position{}, map[int]int{}, map[int]int{}, map[int]int{}, map[int]int{}, map[string]map[position]int{}}
	for d := json.NewDecoder(r); ; {
		var e lsifElement
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("LSIF: %w", err)
		}
		l.add(e, root)
	}
	for id, start := range l.ranges {
		if p := l.document[l.holder[id]]; p != "" {
			if l.at[p] == nil {
				l.at[p] = map[position]int{}
			}
			if _, ok := l.next[id]; ok {
				l.at[p][start] = id
			}
		}
	}
	return l, nil
}

func (l *lsif) add(e lsifElement, root string) {
	switch e.Label {
	case "document":
		file := strings.TrimPrefix(e.URI, "file://")
		if real, err := filepath.EvalSymlinks(file); err == nil { // topo reads a file where it lies
			file = real
		}
		if p, err := filepath.Rel(root, file); err == nil && !strings.HasPrefix(p, "..") {
			l.document[e.ID] = filepath.ToSlash(p)
		}
	case "range":
		l.ranges[e.ID] = e.Start
	case "next":
		l.next[e.OutV] = e.InV
	case "textDocument/definition":
		l.result[e.OutV] = e.InV
	case "item":
		if _, ok := l.target[e.OutV]; !ok && len(e.InVs) > 0 {
			l.target[e.OutV] = e.InVs[0]
		}
	case "contains":
		for _, v := range e.InVs {
			l.holder[v] = e.OutV
		}
	}
}

// module is the file of the module that the name at a place stands for, ""
// when it stands for something else.
func (l *lsif) module(path string, at position) string {
	to, ok := l.target[l.result[l.next[l.at[path][at]]]]
	if !ok || l.ranges[to] != (position{}) { // a module in a file begins where that begins
		return ""
	}
	return l.document[l.holder[to]]
}

var (
	rustImport = regexp.MustCompile(`(?m)^[ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:(?:use|extern crate)\s[^;]*;|mod\s+\w+\s*;)`)
	rustToken  = regexp.MustCompile(`//[^\n]*|\w+|[{},;]`)
)

// rustNames calls imported with the module file that each path of a use or mod
// declaration leads to: the last module that the path names.
func (l *lsif) rustNames(path, text string, imported func(file string)) {
	for _, m := range rustImport.FindAllStringIndex(text, -1) {
		line := strings.Count(text[:m[0]], "\n")
		begin := m[0] - (strings.LastIndexByte(text[:m[0]], '\n') + 1)
		decl := text[m[0]:m[1]]
		last, named, stack := "", false, []string{}
		for _, t := range rustToken.FindAllStringIndex(decl, -1) {
			switch word := decl[t[0]:t[1]]; word {
			case "{":
				stack = append(stack, last)
			case "}", ",", ";":
				if named {
					imported(last)
				}
				last, named = "", false
				if n := len(stack); n > 0 && word == "}" {
					stack = stack[:n-1]
				} else if n > 0 {
					last = stack[n-1]
				}
			default:
				named = true
				at := position{line + strings.Count(decl[:t[0]], "\n"), t[0] - (strings.LastIndexByte(decl[:t[0]], '\n') + 1)}
				if at.Line == line {
					at.Character += begin
				}
				if f := l.module(path, at); f != "" {
					last = f
				}
			}
		}
	}
}

// rustImports compares with rust-analyzer, which loads the workspace as cargo
// describes it: the files of the modules that each file's use and mod
// declarations name.
func rustImports(ctx context.Context, root string, x *index.Index, examples int) (*importScore, error) {
	cmd := exec.CommandContext(ctx, "rust-analyzer", "lsif", ".")
	cmd.Dir, cmd.Stderr = root, io.Discard
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("rust-analyzer lsif: %w; install it with: rustup component add rust-analyzer", err)
	}
	l, err := readLSIF(bytes.NewReader(text), root)
	if err != nil {
		return nil, err
	}
	said := &oracleAnswer{}
	for path := range l.at {
		source, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return nil, err
		}
		said.Files = append(said.Files, path)
		l.rustNames(path, string(source), func(to string) {
			if to != "" {
				said.Pairs = append(said.Pairs, [2]string{path, to})
			}
		})
	}
	return againstPairs(&importScore{name: filepath.Base(root), language: "Rust", oracle: "rust-analyzer"}, said, x, examples)
}
