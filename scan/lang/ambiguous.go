package lang

import "bytes"

// keep is what a content rule answers when it has nothing against the language
// that the extension belongs to by default.
const keep = "\x00keep"

// rule is one line of evidence: a language and the starts of lines (leading
// blanks ignored, C comments skipped) that speak for it.
type rule struct {
	language string
	starts   []string
}

// ambiguous is the content rule of an extension that several languages share,
// nil when the extension is enough. A rule gets content without BOM and
// answers a language, keep, or "" for a file of no known language.
func ambiguous(ext string) func([]byte) string {
	switch ext {
	case ".h":
		return header
	case ".m":
		return lines(rule{"objc", []string{"#import", "#include", "@interface", "@implementation", "@protocol", "@class", "@import", "#define"}},
			rule{"mercury", []string{":- "}}, rule{"wolfram", []string{"(*", "BeginPackage[", "Begin["}},
			rule{"matlab", []string{"%", "function ", "function[", "classdef ", "end"}})
	case ".pl":
		return lines(rule{"raku", []string{"use v6"}}, rule{"perl", []string{"use ", "my ", "sub ", "package ", "our ", "require "}},
			rule{"prolog", []string{":- ", ":-", "%"}})
	case ".pm":
		return lines(rule{"raku", []string{"use v6", "unit module", "unit class"}}, rule{"x-pixmap", []string{"/* XPM"}})
	case ".t":
		return lines(rule{"raku", []string{"use v6"}}, rule{"perl", []string{"use ", "my ", "require "}}, rule{"terra", []string{"terra ", "local "}})
	case ".ts", ".tsx":
		return opens(rule{"xml", []string{"<?xml", "<!DOCTYPE TS", "<TS "}})
	case ".v":
		return lines(rule{"rocq", []string{"Require ", "From ", "Theorem ", "Lemma ", "Definition ", "Inductive ", "Fixpoint ", "Proof.", "(*"}},
			rule{"verilog", []string{"`", "endmodule", "always", "assign ", "input ", "output ", "wire ", "reg "}},
			rule{"v", []string{"fn ", "pub fn ", "import ", "pub struct ", "struct ", "#flag"}})
	case ".r":
		return opens(rule{"rebol", []string{"REBOL", "rebol"}})
	case ".md":
		return lines(rule{"machine-description", []string{"(define_insn", "(define_expand", "(define_attr", "(define_constraint", "(define_predicate"}})
	}
	return rarer(ext)
}

// rarer continues ambiguous with the extensions met less often.
func rarer(ext string) func([]byte) string {
	switch ext {
	case ".cls":
		return lines(rule{"vba", []string{"VERSION 1.0 CLASS", "Attribute VB_"}}, rule{"latex", []string{"\\", "%"}},
			rule{"apex", []string{"public ", "private ", "global ", "@isTest", "@IsTest", "trigger "}})
	case ".inc":
		return lines(rule{"php", []string{"<?"}}, rule{"bitbake", []string{"SUMMARY", "DESCRIPTION", "SRC_URI", "require "}},
			rule{"pascal", []string{"{$"}}, rule{"cpp", []string{"#include", "#define", "#if", "struct ", "static ", "namespace ", "template"}},
			rule{"assembly", []string{";", ".macro", "%macro", "%define"}}, rule{"", []string{""}})
	case ".fs":
		return lines(rule{"glsl", []string{"#version", "uniform ", "void main", "precision "}}, rule{"forth", []string{"\\ ", ": "}})
	case ".d":
		return dependency
	case ".l":
		return lines(rule{"lex", []string{"%{", "%%", "%option"}}, rule{"common-lisp", []string{"(def", ";;", "(in-package"}}, rule{"roff", []string{".TH", ".SH", ".Dd"}})
	case ".ml":
		return lines(rule{"ocaml", []string{"let ", "open ", "module ", "type "}}, rule{"standard-ml", []string{"structure ", "signature ", "functor ", "fun "}})
	case ".cl":
		return lines(rule{"common-lisp", []string{"(", ";"}}, rule{"opencl", []string{"__kernel", "kernel ", "#define", "#pragma", "#if", "//", "void ", "inline "}})
	case ".hh", ".php":
		return opens(rule{"hack", []string{"<?hh"}})
	case ".pro":
		return lines(rule{"qmake", []string{"TEMPLATE", "QT ", "QT+", "SOURCES", "TARGET", "CONFIG", "include("}}, rule{"proguard", []string{"-keep", "-dont", "-optimiz", "-assume", "-keepattributes"}})
	case ".pp":
		return lines(rule{"pascal", []string{"unit ", "program ", "{$", "interface", "uses "}})
	case ".bb":
		return lines(rule{"clojure", []string{"(ns ", "(def", "(require"}})
	case ".sc":
		return lines(rule{"scala", []string{"import ", "package ", "object ", "class ", "def ", "val "}}, rule{"supercollider", []string{"SynthDef", "+ ", "^", "var ", "~"}})
	case ".tpl":
		return lines(rule{"go-template", []string{"{{-", "{{/*", "{{ define", "{{define"}})
	case ".spec":
		return lines(rule{"rpm-spec", []string{"Name:", "Summary:", "%global", "%define"}}, rule{"python", []string{"a = Analysis", "# -*- mode: python", "block_cipher"}})
	case ".mm", ".yy":
		return opens(rule{"xml", []string{"<map", "<?xml"}}, rule{"json", []string{"{"}})
	case ".cue":
		return lines(rule{"", []string{"FILE \"", "TRACK ", "REM GENRE"}})
	case ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".ms", ".me", ".man":
		return lines(rule{"roff", []string{".", "'\\\""}}, rule{"", []string{""}})
	case ".config", ".manifest", ".ui", ".props", ".targets", ".launch", ".filters", ".proj", ".pom", ".ivy":
		return opens(rule{"xml", []string{"<"}}, rule{"", []string{""}})
	}
	return nil
}

// lines makes a rule that gives the language of the first rule, in order, that
// any line speaks for.
func lines(rules ...rule) func([]byte) string {
	return func(head []byte) string {
		for _, r := range rules {
			if anyLine(head, r.starts) {
				return r.language
			}
		}
		return keep
	}
}

// opens makes a rule about the first bytes that are not blank.
func opens(rules ...rule) func([]byte) string {
	return func(head []byte) string {
		head = bytes.TrimLeft(head, " \t\r\n")
		for _, r := range rules {
			for _, s := range r.starts {
				if len(head) >= len(s) && string(head[:len(s)]) == s {
					return r.language
				}
			}
		}
		return keep
	}
}

func anyLine(head []byte, starts []string) bool {
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, newline)
		line = bytes.TrimLeft(line, " \t")
		for _, s := range starts {
			if len(line) >= len(s) && string(line[:len(s)]) == s {
				return true
			}
		}
	}
	return false
}

var newline = []byte("\n")

// dependency tells a D source from the dependency files compilers leave
// ("main.o: main.c …") and from DTrace scripts.
func dependency(head []byte) string {
	line, _, _ := bytes.Cut(head, newline)
	if i := bytes.Index(line, []byte(".o:")); i > 0 && bytes.IndexByte(line[:i], ' ') < 0 {
		return "makefile"
	}
	if anyLine(head, []string{"#pragma D option", "BEGIN", "syscall::", "dtrace:::"}) {
		return "dtrace"
	}
	return keep
}
