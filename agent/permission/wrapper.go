package permission

import (
	"path"
	"strings"
)

// wrapper is a command that runs another one, which its arguments name.
type wrapper struct {
	// values are options that take the next word as their value.
	values string
	// skip is how many words there are between the options and the command.
	skip int
	// opaque is set when running under it is more than running: with other
	// rights, elsewhere, with input as arguments. A rule must then name it.
	opaque bool
}

// wrappers by name. An option that is not understood makes no difference: what
// looks like one is passed over, and the first other word is taken for the
// command.
var wrappers = map[string]wrapper{
	".": {opaque: true}, "source": {opaque: true},
	"builtin": {}, "busybox": {}, "chroot": {skip: 1, opaque: true}, "chrt": {skip: 1}, "command": {}, "doas": {values: "-u -C", opaque: true},
	"env": {values: "-u --unset"}, "exec": {values: "-a"}, "ionice": {values: "-c -n -p"}, "nice": {values: "-n"}, "nohup": {},
	"nsenter": {opaque: true}, "parallel": {opaque: true}, "pkexec": {opaque: true}, "runuser": {values: "-u", opaque: true},
	"setarch": {}, "setsid": {}, "stdbuf": {values: "-i -o -e"}, "strace": {values: "-o -e -p", opaque: true},
	"sudo":    {values: "-u -g -h -p -C -T -U -r -t -D -R", opaque: true},
	"taskset": {skip: 1}, "time": {values: "-f -o"}, "timeout": {values: "-s -k", skip: 1}, "unshare": {opaque: true},
	"watch": {values: "-n", opaque: true}, "xargs": {values: "-a -d -E -I -L -n -P -s", opaque: true},
}

// shells take a script as an argument.
var shells = map[string]bool{"ash": true, "bash": true, "dash": true, "ksh": true, "mksh": true, "rbash": true, "sh": true, "zsh": true}

// quiet commands of the shell print or test and do nothing else.
var quiet = map[string]bool{"[": true, ":": true, "break": true, "continue": true, "echo": true, "exit": true, "false": true,
	"printf": true, "pwd": true, "return": true, "sleep": true, "test": true, "true": true}

// plainTest reports whether a quiet command is quiet with these arguments:
// printf -v and test -v evaluate the name of a variable, which can run commands.
func plainTest(name string, args []word) bool {
	for _, w := range args[1:] {
		if name != "echo" && (!w.static || w.glob || strings.HasPrefix(w.text, "-v") || w.text == "-R") {
			return false
		}
	}
	return args[0].text == name
}

// addInner adds the commands that s runs itself.
func (a *analysis) addInner(s *simple, depth int) {
	name := path.Base(s.args[0].text)
	switch {
	case shells[name]:
		a.addShellScript(s, depth)
	case name == "eval":
		a.addScript(s, s.args[1:], depth)
	case name == "trap" && len(s.args) > 1:
		a.addScript(s, s.args[1:2], depth)
	case name == "find" || name == "fd" || name == "fdfind":
		a.addFindCommands(s, depth)
	case name == "su" || name == "script" || name == "flock" || name == "ssh":
		a.addOptionScript(s, depth)
	case quiet[name]:
		s.needsNoRule = plainTest(name, s.args)
	case name == "cd" || name == "pushd" || name == "popd":
		a.moved = true
		// cd is judged by its target, when a word names it.
		s.needsNoRule = name == "cd" && len(s.args) == 2 && s.args[1].static && !strings.HasPrefix(s.args[1].text, "-")
	default:
		if c, ok := wrappers[name]; ok {
			a.addWrapped(s, name, c, depth)
		}
	}
}

// addWrapped adds the command after the options of a wrapper.
func (a *analysis) addWrapped(s *simple, name string, c wrapper, depth int) {
	rest, clean := s.args[1:], true
	for len(rest) > 0 {
		w := rest[0]
		switch {
		case !w.static:
			a.addUnknown("what %s runs is known only when it runs", name)
			return
		case w.text == "--":
		case strings.HasPrefix(w.text, "-") && len(w.text) > 1:
			if name == "env" && (strings.HasPrefix(w.text, "-S") || strings.HasPrefix(w.text, "--s")) {
				a.addUnknown("env splits a text into a command")
			}
			clean = clean && knownOption(name, w.text)
			if takesValue(c.values, w.text) && len(rest) > 1 {
				rest = rest[1:]
			}
		case name == "env" && strings.Contains(w.text, "="):
			v, _, _ := strings.Cut(w.text, "=")
			a.variable(v)
		default:
			if len(rest) <= c.skip {
				return
			}
			inner := rest[c.skip:]
			if name == "xargs" || name == "parallel" {
				inner = append(append([]word(nil), inner...), word{}) // what it reads is added
			}
			a.add(inner, depth+1)
			s.needsNoRule = !c.opaque && clean
			return
		}
		rest = rest[1:]
	}
}

// knownOption reports whether an option of a wrapper only changes how the
// command runs. env -C and the like change where.
func knownOption(name, option string) bool {
	switch name {
	case "env":
		return option == "-i" || option == "-u" || option == "--ignore-environment"
	case "command", "builtin", "exec":
		return false
	}
	return true
}

func takesValue(values, option string) bool {
	for v := range strings.FieldsSeq(values) {
		if v == option {
			return true
		}
	}
	return false
}

// addShellScript adds the script of sh -c. Other uses of a shell run a file or its
// input, whose commands are unknown.
func (a *analysis) addShellScript(s *simple, depth int) {
	for i, w := range s.args[1:] {
		switch {
		case !w.static:
			a.addUnknown("what %s runs is known only when it runs", s.args[0].text)
			return
		case strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") && strings.Contains(w.text, "c"):
			if i+2 < len(s.args) {
				a.addScript(s, s.args[i+2:i+3], depth)
				s.needsNoRule = s.needsNoRule && strings.Trim(w.text, "-ceux") == "" && i == 0
			}
			return
		case !strings.HasPrefix(w.text, "-"):
			s.risks = append(s.risks, risk{word: w.text, why: "it runs a script"})
			return
		}
	}
	a.addUnknown("%s runs what it reads", s.args[0].text)
}

// addScript adds the commands of a text that the shell evaluates.
func (a *analysis) addScript(s *simple, words []word, depth int) {
	var parts []string
	for _, w := range words {
		if !w.static {
			a.addUnknown("the text that %s runs is known only when it runs", s.args[0].text)
			return
		}
		parts = append(parts, w.text)
	}
	a.parse(strings.Join(parts, " "), depth+1)
	s.needsNoRule = true
}

// addFindCommands adds the commands of find -exec and similar options, each up to its ; or +.
func (a *analysis) addFindCommands(s *simple, depth int) {
	for i := 0; i < len(s.args); i++ {
		switch s.args[i].text {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
		default:
			continue
		}
		from := i + 1
		for i++; i < len(s.args) && s.args[i].text != ";" && s.args[i].text != "+"; i++ {
		}
		inner := append([]word(nil), s.args[from:min(i, len(s.args))]...)
		for j, w := range inner {
			if strings.Contains(w.text, "{}") {
				inner[j].static = false
			}
		}
		a.add(inner, depth+1)
	}
}

// addOptionScript adds the text after -c. What else these commands run is unknown,
// so a rule must name them.
func (a *analysis) addOptionScript(s *simple, depth int) {
	for i, w := range s.args {
		if w.text == "-c" && i+1 < len(s.args) {
			a.addScript(s, s.args[i+1:i+2], depth)
		}
	}
	s.needsNoRule = false
	s.risks = append(s.risks, risk{why: "it runs commands elsewhere or as another user"})
}
