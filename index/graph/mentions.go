package graph

import (
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/scan/lang"
)

// Mentions returns the lines in a definition, or at the top level of a file, that
// contain the name of another: up to most of them, all for 0, and how many more
// there are. It searches the text: comments at the end of a line count, lines that
// are only a comment do not.
func (g *Graph) Mentions(in, of Node, most int) (list []Site, more int, err error) {
	file, ok := g.x.Lookup(in.Path)
	if !ok {
		return nil, 0, nil
	}
	src, err := g.x.Content(file, nil)
	if err != nil {
		return nil, 0, err
	}
	imports, err := g.importLines(file)
	if err != nil {
		return nil, 0, err
	}
	name, line, language := LastPart(of.Kind, of.Name), 0, lang.SyntaxOf(in.Language)
	for text := range strings.Lines(string(src)) {
		line++
		if in.Kind != NodeFile && (line < in.Line || line > in.EndLine) || imports[line] || in.Path == of.Path && line == of.Line {
			continue
		}
		if !mentions(language, text, name) {
			continue
		}
		if in.Kind == NodeFile {
			if at, err := g.innermost(in.ID, line); err != nil || at != in.ID {
				continue
			}
		}
		if most > 0 && len(list) == most {
			more++
			continue
		}
		list = append(list, Site{Path: in.Path, Line: line, Text: clippedLine([]byte(text))})
	}
	return list, more, nil
}

// importLines are the lines of a file that import names.
func (g *Graph) importLines(file int) (map[int]bool, error) {
	coded, err := g.x.Facts(file)
	if err != nil {
		return nil, err
	}
	facts, err := chunk.DecodeDeclarations(coded)
	if err != nil {
		return nil, nil // as Build takes them
	}
	lines := make(map[int]bool, len(facts.Binds))
	for i := range facts.Binds {
		lines[facts.Binds[i].Line] = true
	}
	return lines, nil
}

// mentions reports whether a name is in a line of code as a word.
func mentions(l *lang.Language, line, name string) bool {
	if l.IsComment(line) {
		return false
	}
	for at := 0; name != ""; {
		i := strings.Index(line[at:], name)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(name)
		if (i == 0 || !wordByte(line[i-1])) && (at == len(line) || !wordByte(line[at])) {
			return true
		}
	}
	return false
}
