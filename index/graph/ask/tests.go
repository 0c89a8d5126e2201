package ask

import (
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/internal/shellquote"
	"github.com/topo-dev/topo/scan/lang"
)

// TestCommands are the commands that run tests, for the languages whose own
// tool takes them by name, sorted by language.
func (s *Session) TestCommands(tests []algo.Test) []string {
	byLanguage := map[string][]lang.Test{}
	for _, t := range tests {
		l := lang.SyntaxOf(s.language(t.Path))
		test := lang.Test{Path: t.Path}
		if t.Kind == graph.NodeFunction.String() || t.Kind == graph.NodeMethod.String() {
			test.Name = t.Name
		}
		byLanguage[l.Name] = append(byLanguage[l.Name], test)
	}
	var out []string
	for _, l := range lang.All() {
		if args := l.Tests.Command(byLanguage[l.Name]); args != nil {
			out = append(out, joinArgs(args))
		}
	}
	return out
}

func joinArgs(args []string) string {
	quoted := slices.Clone(args)
	for i := range quoted {
		quoted[i] = shellquote.Quote(quoted[i])
	}
	return strings.Join(quoted, " ")
}

// language is that of a file of the index.
func (s *Session) language(p string) string {
	f, _ := s.file(p)
	return f.Language
}
