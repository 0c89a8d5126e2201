package signal

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/internal/lazy"
)

// Bounds of what a query names.
const (
	maxNames  = 1000 // calls and members
	maxFrames = 200
	maxParts  = 60 // words looked for in names
	minPart   = 5  // letters
)

// definitionHints is what a query says about single definitions. Names are in lower case.
type definitionHints struct {
	called  map[string]bool // name(
	members map[string]bool // holder.name
	parts   []part
	frames  []frame
}

// part is a word that names may hold; code may also hold names.
type part struct {
	lower string
	code  bool
}

// frame is one line of a stack trace.
type frame struct {
	segs []string // of the path
	line int
	name string  // of the function, empty when the trace does not name it
	deep float64 // 1 for the deepest
}

func parseDefinitionHints(q *query) definitionHints {
	a := definitionHints{called: map[string]bool{}, members: map[string]bool{}}
	a.findNames(q.text)
	for i := range q.idents {
		id := &q.idents[i]
		if (id.title || id.code) && len(id.name) >= minPart && len(a.parts) < maxParts {
			a.parts = append(a.parts, part{strings.ToLower(id.name), looksLikeCode(id.name)})
		}
	}
	if strings.Contains(q.text, `", line `) {
		a.addFrames(q.text, pythonFrame(), 1, 2, 3, true)
	}
	if strings.Contains(q.text, "at ") {
		a.addFrames(q.text, javaFrame(), 2, 3, 1, false)
	}
	if strings.Contains(q.text, ":") {
		a.addFrames(q.text, placeFrame(), 1, 2, 0, false)
	}
	return a
}

var (
	pythonFrame = lazy.Regexp(`File "([^"\n]{1,300})", line (\d{1,7})(?:, in ([\w<>.]+))?`)
	javaFrame   = lazy.Regexp(`at [\w.$]{1,300}\.([\w$<>]+)\((\w+\.\w+):(\d{1,7})\)`)
	placeFrame  = lazy.Regexp(`([\w./\\-]{1,300}\.\w{1,5}):(\d{1,7})`)
)

// addFrames collects frames; path, line and name are groups of the expression, name
// 0 for none. last is set for traces whose last frame is the deepest.
func (a *definitionHints) addFrames(text string, re *regexp.Regexp, path, line, name int, last bool) {
	found := re.FindAllStringSubmatch(text, maxFrames)
	for i, m := range found {
		f := frame{segs: strings.FieldsFunc(m[path], slashes), deep: float64(len(found)-i) / float64(len(found))}
		f.line, _ = strconv.Atoi(m[line])
		if last {
			f.deep = float64(i+1) / float64(len(found))
		}
		if name > 0 {
			f.name = m[name]
		}
		if len(f.segs) > 0 {
			a.frames = append(a.frames, f)
		}
	}
}

func slashes(r rune) bool { return r == '/' || r == '\\' }

// frameDepth is how deep in a stack trace a definition is, 0 when it is in none. A
// line may have moved since: where the trace names the function, only the name
// counts. A line without a name counts half.
func (a *definitionHints) frameDepth(path string, c *chunk.Chunk) (deep float64) {
	if len(a.frames) == 0 {
		return 0
	}
	segs := strings.Split(path, "/")
	for _, f := range a.frames {
		n := 0
		for n < len(f.segs) && n < len(segs) && f.segs[len(f.segs)-1-n] == segs[len(segs)-1-n] {
			n++
		}
		if n == 0 || n == 1 && len(f.segs) > 1 && len(segs) > 1 {
			continue
		}
		switch {
		case f.name != "" && f.name == c.Name:
			deep = max(deep, f.deep)
		case f.name == "" && f.line >= c.StartLine && f.line <= c.EndLine:
			deep = max(deep, f.deep/2)
		}
	}
	return deep
}

// sharesPart reports whether a name holds a word of the query, or is part of one.
func (a *definitionHints) sharesPart(lower string) bool {
	if len(lower) < minPart {
		return false
	}
	for _, p := range a.parts {
		if p.lower != lower && (strings.Contains(lower, p.lower) || p.code && strings.Contains(p.lower, lower)) {
			return true
		}
	}
	return false
}

// findNames finds the calls and members in a text: close(, Server.Close,
// Server::close, Server#close, server->close.
func (a *definitionHints) findNames(text string) {
	for i, n := 0, 0; i < len(text) && n < maxNames; {
		end := nameEnd(text, i)
		if end == i {
			i++
			continue
		}
		word, rest := text[i:end], text[end:]
		i = end
		if strings.HasPrefix(rest, "(") {
			a.called[strings.ToLower(word)] = true
			n++
		}
		for _, sep := range []string{".", "::", "#", "->"} {
			if strings.HasPrefix(rest, sep) {
				if to := nameEnd(rest, len(sep)); to > len(sep) {
					a.members[strings.ToLower(word+"."+rest[len(sep):to])] = true
					n++
				}
			}
		}
	}
}

// nameEnd ends the identifier that starts at text[i]; i when none does.
func nameEnd(text string, i int) int {
	end := i
	for end < len(text) {
		c := text[end]
		letter := c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (end == i || c < '0' || c > '9') {
			break
		}
		end++
	}
	return end
}
