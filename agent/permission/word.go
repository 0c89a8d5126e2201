package permission

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// literal is what a word will be, when that is known before it runs: text and
// quotes only. Everything that is expanded makes it unknown, a pattern of file
// names too unless it begins with plain text: the names are the repository's
// choice, and one that begins with a dash is an option.
func literal(w *syntax.Word) word {
	if w == nil {
		return word{}
	}
	l := literalizer{}
	plain := "" // what is outside of quotes
	for i, p := range w.Parts {
		l.part(p, i == 0, false)
		if lit, ok := p.(*syntax.Lit); ok {
			plain += lit.Value
		}
	}
	l.dynamic = l.dynamic || !plainBraces(plain)
	return word{l.b.String(), !l.dynamic, l.glob}
}

type literalizer struct {
	b       strings.Builder
	dynamic bool
	glob    bool
}

func (l *literalizer) part(p syntax.WordPart, first, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		if quoted {
			l.b.WriteString(unescapeQuoted(p.Value))
		} else {
			l.plain(p.Value, first)
		}
	case *syntax.SglQuoted:
		if p.Dollar { // $'…' has escapes of its own
			l.dynamic = true
		}
		l.b.WriteString(p.Value)
	case *syntax.DblQuoted:
		if p.Dollar { // $"…" is translated
			l.dynamic = true
		}
		for _, q := range p.Parts {
			l.part(q, false, true)
		}
	default:
		l.dynamic = true
	}
}

// plain adds text outside of quotes: backslashes take the meaning from the next
// character, patterns expand, and so does a tilde at the
// beginning and after an equals sign.
func (l *literalizer) plain(s string, first bool) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			if i++; i < len(s) && s[i] != '\n' {
				l.b.WriteByte(s[i])
			}
			continue
		case '*', '?', '[':
			l.glob = true
			if l.b.Len() == 0 || l.b.String()[0] == '-' {
				l.dynamic = true
			}
		case '~':
			switch {
			case first && i == 0: // ~/x stays as it is written, and is judged as such
				l.dynamic = l.dynamic || len(s) > 1 && s[1] != '/'
			case i > 0 && (s[i-1] == '=' || s[i-1] == ':'):
				l.dynamic = true
			}
		}
		l.b.WriteByte(s[i])
	}
}

// plainBraces reports whether no brace of the unquoted text expands: {} and what
// holds neither a comma nor two dots are literal.
func plainBraces(s string) bool {
	return !strings.Contains(s, "{") || !strings.Contains(s, ",") && !strings.Contains(s, "..")
}

// unescapeQuoted takes the backslashes that count within double quotes.
func unescapeQuoted(s string) string {
	if !strings.ContainsRune(s, '\\') {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			if i++; s[i] != '\n' {
				b.WriteByte(s[i])
			}
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// plainVariables are variables in capitals that change what programs print or
// how much they do, never what they run.
var plainVariables = map[string]bool{
	"CGO_ENABLED": true, "CI": true, "CLICOLOR": true, "COLUMNS": true, "DEBUG": true, "FORCE_COLOR": true, "GOARCH": true,
	"GOMAXPROCS": true, "GOOS": true, "LANG": true, "LC_ALL": true, "LINES": true, "NODE_ENV": true, "NO_COLOR": true,
	"PYTHONDONTWRITEBYTECODE": true, "PYTHONUNBUFFERED": true, "RUST_BACKTRACE": true, "RUST_LOG": true, "TERM": true, "TZ": true, "VERBOSE": true,
}

// harmless reports whether setting the variable runs nothing. Names in small
// letters are a script's own, but for those that programs read too.
func harmless(name string) bool {
	if plainVariables[name] {
		return true
	}
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return false
	}
	return !strings.HasSuffix(name, "_proxy") && name != "path" && name != "npm_config" && !strings.HasPrefix(name, "npm_")
}
