package chunk

import (
	"regexp"
	"strings"
	"sync"
)

// matches makes an importer of an expression: every match names a path in its
// first group that matched.
func matches(expr string) importer {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	return func(text string, add func(string, int)) {
		const most = 16 << 10 // bytes of one import statement
		for _, g := range compiled().FindAllStringSubmatchIndex(text[:min(len(text), most)], -1) {
			for k := 2; k+1 < len(g); k += 2 {
				if g[k] >= 0 {
					add(strings.TrimSpace(text[g[k]:g[k+1]]), g[k])
					break
				}
			}
		}
	}
}

// textOf is a naming function: the text of the first direct child of one of
// the types.
func textOf(types ...string) func(*tree, int) string {
	return func(t *tree, n int) string {
		k := t.kid(n, types...)
		if k < 0 || t.nodes[k].end-t.nodes[k].start > maxName {
			return ""
		}
		return strings.TrimSpace(t.text(k))
	}
}

// lastPart is a naming function: what follows the last separator of the field.
func lastPart(field, separators string) func(*tree, int) string {
	return func(t *tree, n int) string {
		f := t.field(n, field)
		if f < 0 {
			return ""
		}
		text := t.text(f)
		return strings.TrimSpace(text[strings.LastIndexAny(text, separators)+1:])
	}
}
