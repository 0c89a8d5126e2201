package embed

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/topo-dev/topo/chunk"
)

func documentOf(language, name, src string) string {
	return FileDocument(name, language, chunk.Parse(context.Background(), language, name, []byte(src)).Chunks, []byte(src))
}

func TestFileDocument(t *testing.T) {
	for _, c := range []struct{ language, name, src, want string }{
		{"go", "a/evict.go", "// Copyright 2024 Somebody. All rights reserved.\n// Licensed under X.\n\n// Package evict removes pods\n// under pressure.\npackage evict\n\nimport (\n\t\"context\"\n\tapi \"k8s.io/api\"\n)\n\nfunc Evict() {}\ntype Manager struct{}\nfunc (m *Manager) Start() {}\n",
			"a/evict.go: Package evict removes pods under pressure. Defines: Evict, Manager, Start. Imports: context, api, k8s.io/api"},
		{"python", "auth.py", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\"\"\"JWT authentication module.\n\nMore.\n\"\"\"\nimport jwt\nfrom typing import Dict\n\ndef authenticate(token):\n    pass\n",
			"auth.py: JWT authentication module. More. Defines: authenticate. Imports: jwt, typing, Dict"},
		{"c", "x.c", "/*\n * Reads pages of a cache.\n */\n#include <stdio.h>\nint page(void) { return 1; }\n", "x.c: Reads pages of a cache. Defines: page. Imports: stdio.h"},
		{"markdown", "docs/a.md", "# Eviction\nHow pods go.\n\n## Order\nBy usage.\n", "docs/a.md: # Eviction How pods go. ## Order By usage. Defines: Eviction, Order"},
		{"go", "b.go", "package b\n\nfunc F() {}\n", "b.go. Defines: F"},
		{"", "LICENSE", "", "LICENSE"},
	} {
		if got := documentOf(c.language, c.name, c.src); got != c.want {
			t.Errorf("%s:\n%q\nwant\n%q", c.name, got, c.want)
		}
	}
}

func TestDocumentsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("// " + strings.Repeat("ünï ", 2000) + "\npackage p\nimport (\n")
	for i := range 300 {
		fmt.Fprintf(&b, "\t\"example.com/module/number%d\"\n", i)
	}
	b.WriteString(")\n")
	for i := range 900 {
		fmt.Fprintf(&b, "func FunctionNumber%d() {}\n", i)
	}
	got := documentOf("go", "p.go", b.String())
	if len(got) > maxDocument || !utf8.ValidString(got) || !strings.Contains(got, "FunctionNumber3,") || !strings.Contains(got, "Imports: example.com/module/number0") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

func TestDefinitionDocument(t *testing.T) {
	src := []byte("package p\n\n// Authenticate checks\n// a token.\nfunc (s *Server) Authenticate(token string) error { return nil }\n")
	for _, c := range chunk.Parse(context.Background(), "go", "p.go", src).Chunks {
		if got, want := DefinitionDocument("go", c, src), "Server.Authenticate: func (s *Server) Authenticate(token string) error. Authenticate checks a token."; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	src = []byte("def f(a):\n    \"\"\"Says hello.\"\"\"\n    return a\n")
	c := chunk.Parse(context.Background(), "python", "p.py", src).Chunks[0]
	if got, want := DefinitionDocument("python", c, src), "f: def f(a):. Says hello."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// Spans of another state of the file must not panic.
	for _, content := range [][]byte{nil, src[:5]} {
		DefinitionDocument("python", c, content)
		FileDocument("p.py", "python", []chunk.Chunk{c, {Kind: chunk.Import, StartByte: 3, EndByte: 900}}, content)
	}
}

func TestParts(t *testing.T) {
	for _, c := range []struct {
		sig, name string
		params    []string
		result    string
	}{
		{"func (s *Server) Close(ctx context.Context, m map[string]int) (int, error)", "Close", []string{"ctx context.Context", "m map[string]int"}, "(int, error)"},
		{"def authenticate(token: str, *, opts: Dict[str, Any] = {}) -> Dict[str, Any]:", "authenticate", []string{"token: str", "*", "opts: Dict[str, Any] = {}"}, "Dict[str, Any]"},
		{"pub fn run(self, f: impl Fn(i32) -> i32) -> Result<(), E>", "Runner.run", []string{"self", "f: impl Fn(i32) -> i32"}, "Result<(), E>"},
		{"export function parse(a: string): Promise<void>", "parse", []string{"a: string"}, "Promise<void>"},
		{"static int page_read(struct page *p)", "page_read", []string{"struct page *p"}, "int"},
		{"func F()", "F", nil, ""}, {"def f(a):", "f", []string{"a"}, ""}, {"type T struct", "T", nil, ""}, {"func F(a int", "F", nil, ""}, {"", "", nil, ""},
	} {
		params, result := Parts(c.sig, c.name)
		if !slices.Equal(params, c.params) || result != c.result {
			t.Errorf("%q: %q, %q", c.sig, params, result)
		}
	}
}

func FuzzDocument(f *testing.F) {
	f.Add("// a\npackage p\nfunc F(a int) {}\n", "F(a int", "F")
	f.Add("\"\"\"x\n", "a(<>(", "a")
	f.Fuzz(func(t *testing.T, src, sig, name string) {
		for _, language := range []string{"go", "python", "markdown"} {
			if d := documentOf(language, "x", src); d == "" || len(d) > maxDocument || !utf8.ValidString(d) {
				t.Errorf("document %q", d)
			}
		}
		Parts(sig, name)
	})
}
