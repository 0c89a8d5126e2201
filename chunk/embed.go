package chunk

import "bytes"

// embed adds the definitions of the scripts of a page: they are parsed with
// everything else blanked, so their offsets are those of the page.
func embed(b *builder, language string) {
	text := scripts(b.src)
	if text == nil {
		return
	}
	g := grammarOf(language)
	t, ok := g.parse(text)
	defer t.close()
	if !ok {
		return
	}
	inner := *b
	inner.comments = commentsOf(language)
	t.src = b.src
	inner.walk(t, text)
	if f := g.spec.extraImports; f != nil {
		f(text, inner.importAt)
	}
	b.out = inner.out
}

// scripts is the page with all but the bodies of its script elements blanked,
// nil when it has none.
func scripts(src []byte) []byte {
	var out []byte
	for at := 0; ; {
		i := bytes.Index(src[at:], []byte("<script"))
		if i < 0 {
			return out
		}
		at += i
		open := bytes.IndexByte(src[at:], '>')
		if open < 0 {
			return out
		}
		from := at + open + 1
		end := bytes.Index(src[from:], []byte("</script"))
		if end < 0 {
			return out
		}
		if out == nil {
			out = bytes.Clone(src)
			for k := range out {
				if out[k] != '\n' {
					out[k] = ' '
				}
			}
		}
		copy(out[from:from+end], src[from:from+end])
		at = from + end
	}
}
