package chunk

import "strings"

// scalaImport reads "import a.b.{C, D => E}, f._": "a.b.C", "a.b.D" and "f._".
func scalaImport(text string, add func(string, int)) {
	rest := strings.TrimPrefix(text, "import")
	head, inner, group := strings.Cut(rest, "{")
	if !group {
		for _, part := range splitList(rest, 0) {
			add(part.text, 0)
		}
		return
	}
	prefix := strings.TrimSpace(head[strings.LastIndexByte(head, ',')+1:])
	for _, part := range splitList(inner, 0) {
		name, _, _ := strings.Cut(part.text, "=>")
		name, _, _ = strings.Cut(name, " as ")
		add(prefix+strings.TrimSpace(name), 0)
	}
}
