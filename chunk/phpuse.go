package chunk

import "strings"

// phpUse reads the paths of "use A\B as C, D;" and "use function F\{G, H};".
func phpUse(text string, add func(string, int)) {
	phpUses(text, func(path, _ string) { add(path, 0) })
}

// phpUses calls add with each path of a use declaration, and its alias or "".
func phpUses(text string, add func(path, alias string)) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "use")
	if !ok {
		return
	}
	rest = phpUseKind(strings.TrimSuffix(strings.TrimSpace(rest), ";"))
	prefix := ""
	if head, inner, ok := strings.Cut(rest, "{"); ok {
		prefix, rest = strings.TrimSpace(head), strings.TrimRight(inner, "} \t\r\n")
	}
	for _, part := range splitList(rest, 0) {
		name, alias, _ := strings.Cut(phpUseKind(part.text), " as ")
		if path := strings.TrimPrefix(prefix+strings.TrimSpace(name), `\`); path != prefix {
			add(path, strings.TrimSpace(alias))
		}
	}
}

// phpUseKind leaves out the word for what is imported when that is no class.
func phpUseKind(text string) string {
	text = strings.TrimSpace(text)
	for _, kind := range []string{"function ", "const "} {
		text = strings.TrimPrefix(text, kind)
	}
	return text
}

// phpInclude reads the path of an include or require: of "__DIR__ . '/a.php'"
// "./a.php", of "dirname(__DIR__) . '/a.php'" "../a.php". A path that only a run
// tells is left out.
func phpInclude(text string, add func(string, int)) {
	i := strings.IndexAny(text, `"'`)
	if i < 0 || len(text) > maxName {
		return
	}
	head, rest := text[:i], text[i+1:]
	path, after, closed := strings.Cut(rest, text[i:i+1])
	if !closed || path == "" || strings.ContainsAny(path, "$\n") || strings.Trim(after, " \t\r\n);") != "" {
		return
	}
	ups := strings.Count(head, "dirname(")
	switch {
	case strings.Contains(head, "__DIR__"):
	case strings.Contains(head, "__FILE__") && ups > 0:
		ups--
	case strings.ContainsAny(head, "$.") || ups > 0:
		return
	default:
		add(path, i+1)
		return
	}
	add("./"+strings.Repeat("../", ups)+strings.TrimLeft(path, "/"), i+1)
}
