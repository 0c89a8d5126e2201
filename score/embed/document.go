package embed

import (
	"bytes"
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/score"
)

// documentVersion changes whenever the same file may give another document; the
// vectors of before are then not used.
const documentVersion = 2

// Bounds of a document, bytes: models of embeddings read 256 to 8,192 tokens,
// and what comes late in a text counts little.
const (
	maxDocument = 2000
	maxComment  = 600
	maxImports  = 300
	headLines   = 80 // of a file in which its comment is looked for
)

// FileDocument is the text that represents a file: its path and what it says of
// itself at its top, what it defines, and what it imports. Of prose, and of
// what has no definitions, its beginning. It is never empty.
func FileDocument(name, language string, chunks []chunk.Chunk, content []byte) string {
	var b strings.Builder
	b.WriteString(name)
	about := ""
	has := func(section bool) bool {
		return slices.ContainsFunc(chunks, func(c chunk.Chunk) bool { return c.Kind != chunk.Import && (c.Kind == chunk.Section) == section })
	}
	if !has(true) || has(false) {
		about = headComment(lang.SyntaxOf(language), content)
	}
	if about == "" && !has(false) { // prose, and what says nothing of itself
		about = oneLine(content, maxComment)
	}
	if about = strings.TrimRight(about, ". "); about != "" {
		b.WriteString(": " + about)
	}
	if names := defined(chunks); len(names) > 0 {
		b.WriteString(". Defines: " + strings.Join(names, ", "))
	}
	if imports := imported(chunks, content); imports != "" {
		text := clip(b.String(), maxDocument-maxImports)
		return clip(text+". Imports: "+imports, maxDocument)
	}
	return clip(b.String(), maxDocument)
}

// DefinitionDocument is the text that represents a definition: its qualified
// name, its signature and its doc comment. Of a section, its beginning.
func DefinitionDocument(language string, c chunk.Chunk, content []byte) string {
	out := c.Qualified()
	if c.Kind == chunk.Section {
		if c.StartByte >= 0 && c.EndByte <= len(content) && c.StartByte < c.EndByte {
			out += ": " + oneLine(content[c.StartByte:c.EndByte], maxDocument)
		}
		return clip(out, maxDocument)
	}
	if sig := score.Signature(c, content); sig != "" {
		out += ": " + sig
	}
	if c.DocStart >= 0 && c.DocStart < c.DocEnd && c.DocEnd <= len(content) {
		if doc := commentText(lang.SyntaxOf(language), content[c.DocStart:c.DocEnd]); doc != "" {
			out += ". " + doc
		}
	}
	return clip(out, maxDocument)
}

// defined lists the names of definitions, each once, in source order.
func defined(chunks []chunk.Chunk) (names []string) {
	seen := map[string]bool{}
	size := 0
	for _, c := range chunks {
		if c.Kind == chunk.Import || c.Name == "" || seen[c.Name] {
			continue
		}
		seen[c.Name] = true
		if size += len(c.Name) + 2; size > maxDocument {
			break
		}
		names = append(names, c.Name)
	}
	return names
}

// importWords say that something is imported and not what.
var importWords = []string{"import", "from", "use", "using", "require", "require_relative", "include", "package", "const", "let", "var", "as", "static", "pub", "crate", "self"}

// imported are the words of the imports but those of the syntax.
func imported(chunks []chunk.Chunk, content []byte) string {
	var words []string
	size := 0
	for _, c := range chunks {
		if c.Kind != chunk.Import || c.StartByte < 0 || c.EndByte > len(content) || c.StartByte >= c.EndByte {
			continue
		}
		for _, w := range strings.FieldsFunc(string(content[c.StartByte:min(c.EndByte, c.StartByte+4*maxImports)]), func(r rune) bool {
			return strings.ContainsRune(" \t\r\n\"'`;,(){}<>=#*", r)
		}) {
			if slices.Contains(importWords, w) || slices.Contains(words, w) {
				continue
			}
			if size += len(w) + 2; size > maxImports {
				return strings.Join(words, ", ")
			}
			words = append(words, w)
		}
	}
	return strings.Join(words, ", ")
}

// directives begin like a comment and are none.
var directives = []string{"#!", "#include", "#define", "#if", "#ifdef", "#ifndef", "#pragma", "#[", "#import", "//go:", "// +build"}

// headComment is the first comment of a file that is not about its license.
func headComment(l *lang.Language, content []byte) string {
	var block []string
	end := "" // of the block comment or docstring around the line
	for n := 0; n < headLines && len(content) > 0; n++ {
		var raw []byte
		raw, content, _ = bytes.Cut(content, []byte("\n"))
		line := strings.TrimSpace(string(raw[:min(len(raw), 500)]))
		inside := end != ""
		if !inside && (line == "" || !isComment(l, line)) {
			if text := joinComment(block); text != "" {
				return text
			}
			block = nil
			if line != "" && !skippable(line) {
				return ""
			}
			continue
		}
		if text := l.Uncomment(line); !strings.Contains(text, "-*-") && !strings.HasPrefix(text, "eslint-") {
			block = append(block, text)
		}
		for _, mark := range l.BlockMarks() {
			switch {
			case inside && end == mark[1] && strings.Contains(line, end):
				end = ""
			case !inside && strings.HasPrefix(line, mark[0]) && !strings.Contains(line[len(mark[0]):], mark[1]):
				end = mark[1]
			}
		}
	}
	return joinComment(block)
}

func isComment(l *lang.Language, line string) bool {
	for _, d := range directives {
		if strings.HasPrefix(line, d) {
			return false
		}
	}
	return l.IsComment(line)
}

// skippable lines may precede the comment that says what a file is for.
func skippable(line string) bool {
	for _, p := range []string{"#!", "<?php", "package ", "'use strict'", `"use strict"`, "//go:", "// +build", "#pragma once", "#ifndef", "#define"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// joinComment joins the lines of a comment. It returns "" for one that is only a
// license or says next to nothing.
func joinComment(block []string) string {
	text := strings.Join(strings.Fields(strings.Join(block, " ")), " ")
	low := strings.ToLower(text)
	for _, w := range []string{"copyright", "licen", "spdx", "all rights reserved", "code generated"} {
		if strings.Contains(low, w) {
			return ""
		}
	}
	if len(text) < 8 {
		return ""
	}
	return clip(text, maxComment)
}

// commentText is a doc comment without its markers, on one line.
func commentText(l *lang.Language, raw []byte) string {
	var out []string
	for line := range strings.Lines(string(raw[:min(len(raw), 4*maxComment)])) {
		out = append(out, l.Uncomment(line))
	}
	return clip(strings.Join(strings.Fields(strings.Join(out, " ")), " "), maxComment)
}

// oneLine is the beginning of a text on one line.
func oneLine(text []byte, most int) string {
	return clip(string(bytes.Join(bytes.Fields(text[:min(len(text), 2*most)]), []byte(" "))), most)
}

// clip cuts s to at most n bytes of valid UTF-8.
func clip(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "")
	}
	return s
}

// Parts finds the parameters and the result in a signature by the rules that
// common languages share: what is in the brackets after the name, and what follows
// them or comes before the name. Both are empty where it cannot find them.
func Parts(signature, name string) (params []string, result string) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	at := strings.Index(signature, name+"(")
	if name == "" || at < 0 {
		return nil, ""
	}
	rest := signature[at+len(name)+1:]
	depth, from, end := 1, 0, -1
	for i := 0; i < len(rest) && end < 0; i++ {
		switch rest[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			if rest[i] == '>' && i > 0 && (rest[i-1] == '-' || rest[i-1] == '=') {
				continue // an arrow
			}
			if depth--; depth == 0 {
				end = i
			}
		case ',':
			if depth == 1 {
				params = append(params, strings.TrimSpace(rest[from:i]))
				from = i + 1
			}
		}
	}
	if end < 0 {
		return nil, ""
	}
	if last := strings.TrimSpace(rest[from:end]); last != "" {
		params = append(params, last)
	}
	result = strings.TrimSpace(strings.TrimLeft(strings.TrimRight(strings.TrimSpace(rest[end+1:]), "{:;= "), "-=>: "))
	if result == "" { // "int f(": the type comes first
		words := strings.Fields(signature[:at])
		if n := len(words); n > 0 && !slices.Contains([]string{"func", "def", "fn", "function", "async", "fun", "sub"}, words[n-1]) && !strings.HasSuffix(words[n-1], ")") {
			result = words[n-1]
		}
	}
	return params, result
}
