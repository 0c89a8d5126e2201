package lang

import (
	"bytes"
	"strings"

	"github.com/topo-dev/topo/internal/lazy"
)

// generatedName reports whether the name says that a program wrote the file.
func generatedName(p pathParts, l *Language) bool {
	if lockFile(p.base) {
		return true
	}
	if strings.HasSuffix(p.base, ".js.map") || strings.HasSuffix(p.base, ".css.map") {
		return true
	}
	if l == nil {
		return false
	}
	if l.Role == "generated" || l.Generated.match(p) {
		return true
	}
	switch l.Name {
	case "dart":
		for _, s := range []string{".g", ".freezed", ".pb", ".pbenum", ".pbjson", ".pbserver", ".pbgrpc", ".gr", ".mocks", ".config.g"} {
			if hasSuffix(p.stem, s) {
				return true
			}
		}
	case "javascript", "css":
		return p.anyDir(func(d string) bool { return d == "dist" }) // what the bundler writes
	}
	return strings.HasPrefix(p.stem, "zz_generated")
}

// lockFile knows the files in which package managers pin what they resolved.
func lockFile(base string) bool {
	switch base {
	case "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock",
		"Cargo.lock", "Gemfile.lock", "gems.locked", "composer.lock", "poetry.lock", "Pipfile.lock", "uv.lock", "pdm.lock", "pixi.lock",
		"go.sum", "go.work.sum", "Gopkg.lock", "glide.lock", "mix.lock", "rebar.lock", "pubspec.lock", "Podfile.lock",
		"Package.resolved", "Cartfile.resolved", "packages.lock.json", "flake.lock", "gradle.lockfile", "buildscript-gradle.lockfile",
		"conan.lock", "MODULE.bazel.lock", "maven_install.json", "cabal.project.freeze", "stack.yaml.lock", "shard.lock", ".terraform.lock.hcl",
		"Chart.lock", "buf.lock", "elm-stuff", "Manifest.toml", "paket.lock", "project.assets.json", "berksfile.lock", "Berksfile.lock":
		return true
	}
	return false
}

// generatedContent reports whether the notice at the top of the file, or the
// shape of a script or style sheet, says that a program wrote it.
func generatedContent(base string, l *Language, head []byte) bool {
	if len(head) == 0 {
		return false
	}
	if l != nil {
		switch l.Name {
		case "javascript", "css":
			if minified(head) {
				return true
			}
		case "c", "cpp", "objective-c", "csharp":
			if lineDirective().Match(head) {
				return true // it says which lines of another file it was made from
			}
		case "markdown", "text", "restructuredtext", "asciidoc":
			return false // prose about generated code is not generated
		case "go-module", "go-workspace":
			return false // maintained by commands, and still what the build starts from
		}
	}
	return generatedNotice(trimBOM(head))
}

// lineDirective is how the output of parser generators names its source.
var lineDirective = lazy.Regexp(`(?m)^[ \t]*#[ \t]*line[ \t]+[0-9]+[ \t]+"`)

// minified reports whether code was packed into lines that nobody writes: over
// 1 KB of it at more than 300 bytes a line, its first comment left out.
func minified(head []byte) bool {
	code := head
	if bytes.HasPrefix(code, []byte("/*")) {
		if _, after, ok := bytes.Cut(code, []byte("*/")); ok {
			code = after
		}
	}
	const enough, perLine = 1 << 10, 300
	return len(code) > enough && len(code)/(bytes.Count(code, newline)+1) > perLine
}

// generatedNotice looks for a generator's notice in the comments before the
// first line of code. A generator's own source holds the notice too, but in a
// string, further down.
func generatedNotice(head []byte) bool {
	const mostLines = 60
	end := "" // of the block comment that is open
	for n := 0; len(head) > 0 && n < mostLines; n++ {
		var line []byte
		line, head, _ = bytes.Cut(head, newline)
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if end == "" {
			var ok bool
			if end, ok = commentLine(line); !ok {
				return false
			}
		}
		if len(line) < 400 && notice(line) {
			return true
		}
		if end != "" && bytes.Contains(line, []byte(end)) {
			end = ""
		}
	}
	return false
}

// commentLine reports whether a line starts a comment in any language, and what
// ends it when it stays open.
func commentLine(line []byte) (end string, ok bool) {
	for _, b := range [...][2]string{{"/*", "*/"}, {"<!--", "-->"}, {`"""`, `"""`}, {"(*", "*)"}, {"{-", "-}"}, {"--[[", "]]"}, {"<#", "#>"}} {
		if bytes.HasPrefix(line, []byte(b[0])) {
			if bytes.Contains(line[len(b[0]):], []byte(b[1])) {
				return "", true
			}
			return b[1], true
		}
	}
	switch line[0] {
	case '#', ';', '%', '\'', '!', '*':
		return "", true
	case '/':
		return "", bytes.HasPrefix(line, []byte("//"))
	case '-':
		return "", bytes.HasPrefix(line, []byte("--"))
	case '<': // XML declaration, PHP's opening tag, doctype
		return "", bytes.HasPrefix(line, []byte("<?")) || bytes.HasPrefix(line, []byte("<!"))
	}
	// What is before the notice in files that are made for tools.
	return "", bytes.HasPrefix(line, []byte("REM ")) || bytes.HasPrefix(line, []byte("syntax ="))
}

// notice reports whether a comment line is a generator's notice.
func notice(line []byte) bool {
	var buf [400]byte
	low := buf[:0]
	for _, c := range line {
		if isCapital(c) {
			c += 'a' - 'A'
		}
		low = append(low, c)
	}
	if !bytes.Contains(low, []byte("generated")) {
		return bytes.Contains(low, []byte("a bison parser, made by"))
	}
	for _, s := range notices {
		if bytes.Contains(low, []byte(s)) {
			return true
		}
	}
	return bytes.Contains(low, []byte("do not edit")) || bytes.Contains(low, []byte("do not modify")) || bytes.Contains(low, []byte("don't edit"))
}

// notices are the phrases, in lower case, that generators put at the top.
var notices = [...]string{
	"@generated", "<auto-generated", "automatically generated by", "automatically generated from", "automatically generated file",
	"autogenerated by", "auto-generated by", "auto-generated file", "autogenerated file", "automatically generated with",
	"this file is generated", "this file was generated", "this file is automatically generated", "this file was automatically generated",
	"file is auto-generated", "file was auto-generated", "file is autogenerated", "file was autogenerated", "this code was generated",
	"generated by the protocol buffer compiler", "generated by cython", "generated by swig", "generated automatically by", "this file generated by",
	"scanner generated by flex", "machine generated file",
}
