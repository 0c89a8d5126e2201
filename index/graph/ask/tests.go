package ask

import (
	"path"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
)

// maxTestNames bounds the names in one command; with more the whole package or
// file is run.
const maxTestNames = 20

// TestCommands are the commands that run tests, for the languages whose own
// tool takes them by name.
func (s *Session) TestCommands(tests []algo.Test) []string {
	goNames, goDirs := map[string]bool{}, map[string]bool{}
	files, fileNames := map[string]bool{}, map[string]bool{}
	for _, t := range tests {
		switch language := s.language(t.Path); {
		case language == "go" && strings.HasSuffix(t.Path, "_test.go"):
			goDirs["./"+path.Dir(t.Path)] = true
			if name := t.Name; goTest(name) && t.Kind == graph.NodeFunction.String() {
				goNames[name] = true
			}
		case language == "python":
			files[t.Path] = true
			if t.Kind == graph.NodeFunction.String() || t.Kind == graph.NodeMethod.String() {
				fileNames[t.Path+"::"+strings.ReplaceAll(t.Name, ".", "::")] = pytest(t.Name)
			}
		}
	}
	var out []string
	if len(goNames) > 0 {
		command := "go test " + joinArgs(goDirs)
		if len(goNames) <= maxTestNames {
			command += " -run '^(" + strings.Join(sortedKeys(goNames), "|") + ")$'"
		}
		out = append(out, strings.ReplaceAll(command, "./. ", ". "))
	}
	if names := sortedKeys(fileNames); len(names) > 0 && len(names) <= maxTestNames {
		out = append(out, "pytest "+joinArgs(fileNames))
	} else if len(files) > 0 {
		out = append(out, "pytest "+joinArgs(files))
	}
	return out
}

// goTest and pytest report whether the tool runs what has that name.
func goTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Example")
}

func pytest(name string) bool {
	return strings.HasPrefix(name[strings.LastIndexByte(name, '.')+1:], "test")
}

// sortedKeys are the keys that are set.
func sortedKeys(m map[string]bool) []string {
	var keys []string
	for k, set := range m {
		if set {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

func joinArgs(m map[string]bool) string {
	keys := sortedKeys(m)
	for i := range keys {
		keys[i] = Quote(keys[i])
	}
	return strings.Join(keys, " ")
}

// language is that of a file of the index.
func (s *Session) language(p string) string {
	f, _ := s.file(p)
	return f.Language
}
