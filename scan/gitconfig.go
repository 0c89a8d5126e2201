package scan

import "strings"

// maxConfig bounds a settings file of git, in bytes.
const maxConfig = 4 << 20

// setting is one variable of a git settings file. In key, section and name are
// in lower case and the subsection is as written: "remote.origin.url".
type setting struct{ key, value string }

// lastValue is the value that counts: the last one.
func lastValue(all []setting, key string) string {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].key == key {
			return all[i].value
		}
	}
	return ""
}

// parseConfig reads git's settings format (git-config, "Syntax"). What cannot
// be parsed ends the file, as git would refuse it whole.
func parseConfig(data []byte) []setting {
	p := configParser{s: strings.TrimPrefix(string(data), "\uFEFF")}
	var all []setting
	section := ""
	for {
		p.blank()
		switch c := p.peek(); {
		case c == 0:
			return all
		case c == '[':
			s, ok := p.section()
			if !ok {
				return all
			}
			section = s
		default:
			name := p.name()
			if name == "" || section == "" {
				return all
			}
			value, ok := p.value()
			if !ok {
				return all
			}
			all = append(all, setting{section + "." + name, value})
		}
	}
}

type configParser struct {
	s string
	i int
}

func (p *configParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// blank skips white space, comments and line ends.
func (p *configParser) blank() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\r', '\n', '\v', '\f':
			p.i++
		case '#', ';':
			for p.i < len(p.s) && p.s[p.i] != '\n' {
				p.i++
			}
		default:
			return
		}
	}
}

func (p *configParser) spaces() {
	for p.peek() == ' ' || p.peek() == '\t' {
		p.i++
	}
}

// section reads [name], [name "sub"] or the old [name.sub].
func (p *configParser) section() (string, bool) {
	p.i++
	start := p.i
	for isNameByte(p.peek()) || p.peek() == '.' {
		p.i++
	}
	name := strings.ToLower(p.s[start:p.i])
	p.spaces()
	if p.peek() == '"' {
		p.i++
		var sub strings.Builder
		for p.peek() != '"' {
			if p.peek() == '\\' {
				p.i++
			}
			if c := p.peek(); c == 0 || c == '\n' {
				return "", false
			}
			sub.WriteByte(p.peek())
			p.i++
		}
		p.i++
		name += "." + sub.String()
	}
	if p.peek() != ']' || name == "" {
		return "", false
	}
	p.i++
	return name, true
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-'
}

func (p *configParser) name() string {
	start := p.i
	for isNameByte(p.peek()) {
		p.i++
	}
	return strings.ToLower(p.s[start:p.i])
}

// value reads "= text" up to the end of the line; a name alone means true.
func (p *configParser) value() (string, bool) {
	p.spaces()
	switch p.peek() {
	case '=':
		p.i++
	case '\n', '\r', '#', ';', 0:
		return "true", true
	default:
		return "", false
	}
	var out []byte
	quoted, keep := false, 0 // keep: length without trailing white space
	for ; p.i < len(p.s); p.i++ {
		c := p.s[p.i]
		switch {
		case c == '\n' || c == '\r' && strings.HasPrefix(p.s[p.i:], "\r\n"):
			return string(out[:keep]), !quoted
		case !quoted && (c == '#' || c == ';'):
			p.blank()
			return string(out[:keep]), true
		case c == '"':
			quoted = !quoted
			keep = len(out)
			continue
		case c == '\\':
			e, skip, ok := p.escape()
			if !ok {
				return "", false
			}
			if skip {
				continue
			}
			c = e
		case !quoted && (c == ' ' || c == '\t'):
			if len(out) > 0 {
				out = append(out, c)
			}
			continue
		}
		out = append(out, c)
		keep = len(out)
	}
	return string(out[:keep]), !quoted
}

// escape reads what follows a backslash; skip means a continued line.
func (p *configParser) escape() (c byte, skip, ok bool) {
	p.i++
	switch p.peek() {
	case '\r':
		if strings.HasPrefix(p.s[p.i:], "\r\n") {
			p.i++
			return 0, true, true
		}
	case '\n':
		return 0, true, true
	case 't':
		return '\t', false, true
	case 'n':
		return '\n', false, true
	case 'b':
		return '\b', false, true
	case '"', '\\':
		return p.peek(), false, true
	}
	return 0, false, false
}
