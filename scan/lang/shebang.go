package lang

import (
	"bytes"
	"strings"
)

// shebang names the language of the interpreter in a #! line, empty when there
// is no such line or the interpreter is not known.
func shebang(head []byte) string {
	head = trimBOM(head)
	if !bytes.HasPrefix(head, []byte("#!")) {
		return ""
	}
	line := head[2:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	words := strings.Fields(string(line[:min(len(line), 256)]))
	if len(words) == 0 {
		return ""
	}
	program := baseName(words[0])
	if program == "env" {
		program = envProgram(words[1:])
	}
	// A shell line whose next line re-executes another program, an old habit of
	// Tcl and Scala scripts.
	if program == "sh" && bytes.Contains(head[:min(len(head), 512)], []byte("exec ")) {
		for _, p := range []string{"wish", "tclsh", "scala"} {
			if bytes.Contains(head[:min(len(head), 512)], []byte("exec "+p)) {
				program = p
			}
		}
	}
	t := lookup()
	if l := t.interpreters[program]; l != nil {
		return l.Name
	}
	// Versions follow the name: python3.12, lua5.4, ruby-3.2, perl5.
	if l := t.interpreters[strings.TrimRight(program, "0123456789.-_")]; l != nil {
		return l.Name
	}
	return ""
}

// envProgram is the program that `env args…` runs: the first word that is
// neither an option nor an assignment.
func envProgram(args []string) string {
	for _, a := range args {
		if strings.HasPrefix(a, "-") || strings.Contains(a, "=") {
			continue
		}
		return baseName(a)
	}
	return ""
}

// modeline names the language that an Emacs (-*- mode: c++ -*-) or Vim
// (vim: ft=cpp) mode line in the first three lines asks for.
func modeline(head []byte) string {
	for range 3 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		head = rest
		if len(line) > 400 {
			continue
		}
		if name := emacsMode(line); name != "" {
			return name
		}
		if name := vimMode(line); name != "" {
			return name
		}
	}
	return ""
}

func emacsMode(line []byte) string {
	_, rest, ok := bytes.Cut(line, []byte("-*-"))
	if !ok {
		return ""
	}
	mode, _, ok := bytes.Cut(rest, []byte("-*-"))
	if !ok {
		return ""
	}
	for field := range strings.SplitSeq(string(mode), ";") {
		key, value, pair := strings.Cut(field, ":")
		switch {
		case pair && strings.EqualFold(strings.TrimSpace(key), "mode"):
			return nameOf(value)
		case !pair && !strings.Contains(string(mode), ":"):
			return nameOf(key)
		}
	}
	return ""
}

func vimMode(line []byte) string {
	i := bytes.Index(line, []byte("vim:"))
	if i < 0 {
		return ""
	}
	rest := string(line[i+4:])
	for _, key := range []string{"ft=", "filetype=", "syntax="} {
		if j := strings.Index(rest, key); j >= 0 {
			value := rest[j+len(key):]
			if end := strings.IndexAny(value, " :\t\r"); end >= 0 {
				value = value[:end]
			}
			return nameOf(value)
		}
	}
	return ""
}

func nameOf(mode string) string {
	if l := ByName(strings.TrimSpace(mode)); l != nil {
		return l.Name
	}
	return ""
}
