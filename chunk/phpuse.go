package chunk

import "strings"

// phpUse reads "use A\B as C, D;" and "use function F\{G, H};".
func phpUse(text string, add func(string, int)) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "use")
	if !ok {
		return
	}
	rest = strings.TrimSuffix(strings.TrimSpace(rest), ";")
	for _, kind := range []string{"function ", "const "} {
		rest = strings.TrimPrefix(rest, kind)
	}
	prefix := ""
	if head, inner, ok := strings.Cut(rest, "{"); ok {
		prefix, rest = strings.TrimSpace(head), inner
	}
	for _, part := range splitList(rest, 0) {
		name, _, _ := strings.Cut(part.text, " as ")
		add(strings.TrimPrefix(prefix+strings.TrimSpace(name), `\`), 0)
	}
}
