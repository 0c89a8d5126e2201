package lang

import (
	"strings"
	"testing"
)

func TestDetectByPath(t *testing.T) {
	tests := map[string]string{ // language: paths
		"go": "a.go A.GO x/y.go", "rust": "a.rs lib.rs.in", "python": "a.py a.pyi SConstruct a.pyx x.py.in", "c": "a.c a.h config.h.in A.h",
		"cpp": "a.cc a.cpp a.hpp a.C a.H a.cxx a.inl", "javascript": "a.js a.mjs a.cjs a.jsx", "typescript": "a.ts a.d.ts a.mts", "tsx": "a.tsx",
		"java": "A.java", "ruby": "a.rb Rakefile Gemfile a.gemspec config.ru", "csharp": "a.cs", "php": "a.php a.phtml", "kotlin": "a.kt build.gradle.kts",
		"scala": "a.scala build.sbt", "swift": "a.swift", "bash": "a.sh .bashrc a.bats", "lua": "a.lua", "elixir": "a.ex a.exs", "ocaml": "a.ml a.mli",
		"groovy": "a.groovy build.gradle Jenkinsfile Jenkinsfile.ci", "hcl": "main.tf a.hcl", "protobuf": "a.proto", "sql": "a.sql", "css": "a.css",
		"html": "a.html a.htm", "markdown": "a.md README.MD a.mdx", "toml": "a.toml Cargo.lock", "yaml": "a.yaml a.yml .clang-format config.yml.example",
		"dockerfile": "Dockerfile Dockerfile.dev a.dockerfile Containerfile", "elm": "a.elm", "cue": "a.cue", "svelte": "a.svelte",
		"json": "a.json .eslintrc.json", "jsonc": "tsconfig.json tsconfig.build.json", "makefile": "Makefile Makefile.linux a.mk GNUmakefile",
		"cmake": "CMakeLists.txt a.cmake a.cmake.in", "go-module": "go.mod", "maven": "pom.xml", "xml": "a.xml a.xsd", "text": "LICENSE LICENSE-MIT a.txt",
		"pip": "requirements.txt requirements-test.txt", "dotenv": ".env .env.local", "starlark": "BUILD a.bzl", "erlang": "a.app.src", "blade": "a.blade.php",
		"objc": "a.m", "perl": "a.pl Makefile.PL", "r": "a.R a.r", "verilog": "a.v", "fsharp": "a.fs", "ini": "setup.cfg a.ini", "eex": "a.html.eex",
		"assembly": "a.s a.S", "ignore": ".gitignore sub/.gitignore .dockerignore", "editorconfig": ".editorconfig",
		"": "a a.unknown .x Makefilex x.h.unknown tsconfig.jso noext/",
	}
	for want, paths := range tests {
		for p := range strings.FieldsSeq(paths) {
			if got := Detect(p, nil); got != want {
				t.Errorf("Detect(%q) = %q, want %q", p, got, want)
			}
		}
	}
}

func TestDetectByContent(t *testing.T) {
	tests := []struct{ path, head, want string }{
		{"a.h", "#include <stdio.h>\nstruct a { int b; };\n", "c"},
		{"a.h", "/* a class of\n   things: template < of std:: */\nint class_of(int x);\n", "c"},
		{"a.h", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a(void);\n", "c"},
		{"a.h", "#include <vector>\n", "cpp"},
		{"a.h", "#pragma once\nnamespace a {\n", "cpp"},
		{"a.h", "template<typename T>\nT a();\n", "cpp"},
		{"a.h", "class Foo : public Bar {\n", "cpp"},
		{"a.h", "//===- a.h - Thing -*- C++ -*-===//\nint a();\n", "cpp"},
		{"a.h", "#import <Foundation/Foundation.h>\n@interface A : NSObject\n", "objc"},
		{"a.m", "@implementation A\n", "objc"},
		{"a.m", "% A function.\nfunction y = a(x)\n", "matlab"},
		{"a.m", ":- module a.\n", "mercury"},
		{"a.m", "(* Notebook *)\n", "wolfram"},
		{"a.pl", "use strict;\nmy $x = 1;\n", "perl"},
		{"a.pl", ":- use_module(library(lists)).\n", "prolog"},
		{"a.pl", "use v6;\nsay 1;\n", "raku"},
		{"a.pl", "#!/usr/bin/swipl\nmain.\n", "prolog"},
		{"a.ts", "import a from 'b'\n", "typescript"},
		{"a.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n", "xml"},
		{"a.ts", "\xef\xbb\xbf\n<!DOCTYPE TS><TS version=\"2.1\">\n", "xml"},
		{"a.v", "module top(input clk);\n  always @(posedge clk) begin\n", "verilog"},
		{"a.v", "Require Import List.\nTheorem x : True.\n", "rocq"},
		{"a.v", "import os\n\nfn main() {\n}\n", "v"},
		{"a.r", "library(dplyr)\n", "r"},
		{"a.r", "REBOL [Title: \"x\"]\n", "rebol"},
		{"a.md", "# Title\n", "markdown"},
		{"a.md", ";; Machine description\n(define_insn \"addsi3\"\n", "machine-description"},
		{"a.cls", "\\NeedsTeXFormat{LaTeX2e}\n", "latex"},
		{"a.cls", "public class A {\n", "apex"},
		{"a.inc", "<?php echo 1;\n", "php"}, {"a.inc", "#define A 1\n", "cpp"}, {"a.inc", "?\n", ""},
		{"a.fs", "#version 330\nvoid main() {}\n", "glsl"}, {"a.fs", "module A\nlet x = 1\n", "fsharp"},
		{"a.d", "a.o: a.c a.h\n", "makefile"}, {"a.d", "module a;\nimport std.stdio;\n", "d"},
		{"a.php", "<?hh // strict\n", "hack"}, {"a.php", "<?php\n", "php"},
		{"a.pro", "QT += core\nTEMPLATE = app\n", "qmake"}, {"a.pro", "-keep class x\n", "proguard"},
		{"a.pp", "unit A;\n", "pascal"}, {"a.pp", "class a {\n", "puppet"},
		{"a.tpl", "{{- define \"x\" -}}\n", "go-template"},
		{"a.3", ".TH A 3\n", "roff"}, {"libfoo.so.3", "text\n", ""},
		{"a.config", "<configuration/>\n", "xml"}, {"a.config", "CONFIG_X=y\n", ""},
		{"a.cue", "package a\nx: 1\n", "cue"}, {"a.cue", "FILE \"a.wav\" WAVE\n", ""},
		{"run", "#!/usr/bin/env python3.12\n", "python"}, {"run", "#!/bin/bash -e\n", "bash"}, {"run", "#! /usr/bin/perl -w\n", "perl"},
		{"run", "#!/usr/bin/env -S deno run --allow-net\n", "typescript"}, {"run", "#!/usr/bin/env FOO=1 ruby\n", "ruby"},
		{"run", "#!/bin/sh\nexec tclsh \"$0\"\n", "tcl"}, {"run", "#!\n", ""}, {"run", "#!/no/such\n", ""}, {"run", "#!/usr/bin/env\n", ""},
		{"run", "# vim: set ft=ruby :\n", "ruby"}, {"run", "# -*- mode: python; coding: utf-8 -*-\n", "python"}, {"run", "# -*- coding: utf-8 -*-\n", ""},
		{"run", "<?xml version=\"1.0\"?>\n", "xml"}, {"a.py", "#!/bin/bash\n", "python"}, {"run", "plain\n", ""},
	}
	for _, tt := range tests {
		if got := Detect(tt.path, []byte(tt.head)); got != tt.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", tt.path, tt.head, got, tt.want)
		}
	}
}
