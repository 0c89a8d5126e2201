package answer

import (
	"fmt"
	"strings"

	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/internal/lazy"
)

// Hint is a next step worth taking. One in JSON:
//
//	{"Text":"go one edge further: {ask}","Asks":[{"Question":"callers","Places":["Server.Close"],"Options":["depth=2"]}]}
type Hint struct {
	// Text is a sentence. In it {ask} is the next of Asks, and another word in
	// braces, such as {limit}, is an option of the question.
	Text string
	Asks []Ask `json:",omitempty"`
}

// Ask is a question to ask next.
type Ask struct {
	Question string   // callers, callees, importers, imports, subtypes, supertypes, symbol, file, path, cycles, hotspots, stats, query, impact, diff, search, index
	Places   []string `json:",omitempty"` // what it is asked of
	Options  []string `json:",omitempty"` // name=value, or a name alone
}

var inBraces = lazy.Regexp(`\{[a-z-]+\}`)

// Say puts a hint into the words of its reader: ask tells how to ask a question,
// option how an option of the question is called.
func (h Hint) Say(ask func(Ask) string, option func(string) string) string {
	asks := h.Asks
	return inBraces().ReplaceAllStringFunc(h.Text, func(m string) string {
		name := strings.Trim(m, "{}")
		if name != "ask" {
			return option(name)
		}
		if len(asks) == 0 {
			return m
		}
		a := asks[0]
		asks = asks[1:]
		return ask(a)
	})
}

// hint adds a next step.
func (t *Tail) hint(text string, asks ...Ask) { t.Hints = append(t.Hints, Hint{text, asks}) }

// next adds a question as a next step.
func (t *Tail) next(question string, places ...string) {
	t.hint("next: {ask}", Ask{Question: question, Places: places})
}

// several tells how to ask about one of several places of a name.
func (t *Tail) several(p *ask.Places, question string) {
	if len(p.Nodes) > 1 && !p.Folder {
		t.hint(fmt.Sprintf("%s names %d places; ask for one of them: {ask}", p.Given, len(p.Nodes)),
			Ask{Question: question, Places: []string{placeOf(p.Nodes[0].Ref())}})
	}
}
