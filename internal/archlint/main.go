// Command archlint enforces who may import whom. Run it with make lint.
//
// A stage must be usable as a library and testable alone, so the arrows between
// the rooms are few and each has a reason. A package that no rule names may
// import the standard library only.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

const module = "github.com/topo-dev/topo"

// rule says which packages of this module a room may import. A name stands for
// the package and everything below it, unless a longer name has its own rule; after
// "=" it is the package alone.
type rule struct {
	room  string // relative to the module; "" is the root package
	may   []string
	outer bool // third-party packages are allowed
	why   string
}

var rules = []rule{
	{"", []string{"stream", "internal", "scan", "scan/lang", "chunk", "index", "index/token", "index/fresh", "index/graph", "score", "score/eval/replay", "render", "detect", "detect/rules", "answer"}, true, "the library is the stages, composed; it knows no model and no face"},
	{"stream", nil, false, "the records must be importable by anyone at no cost"},
	{"internal", []string{"internal"}, true, "mechanics have no knowledge of the product"},
	{"internal/archlint", nil, false, "a tool of the build"},
	{"internal/fielddoc", nil, false, "a tool of the build"},
	{"internal/lab", []string{"", "stream", "internal", "internal/lab/train", "score", "score/eval/replay"}, true, "what learns and compares sees the library and the ranking; nothing that runs imports it but topo eval"},
	{"internal/lab/train", []string{"internal", "score"}, true, "the weights are fitted to feature matrices, whatever they were taken from"},
	{"internal/lab/bench", []string{"internal"}, true, "measures the built binary from outside, as a user would"},
	{"scan", []string{"stream", "internal", "scan/lang"}, true, "the first stage knows files, ignore rules and languages only"},
	{"scan/lang", []string{"stream", "internal"}, true, "what a language is depends on no stage"},
	{"chunk", []string{"stream", "internal", "scan/lang"}, true, "a chunker needs languages, never the index"},
	{"index", []string{"stream", "internal", "chunk", "index/token"}, true, "the index stores chunks and terms; it ranks nothing"},
	{"index/token", []string{"internal"}, false, "one tokenizer for index and query, below both"},
	{"index/fresh", []string{"stream", "internal", "index", "index/graph", "chunk", "scan", "scan/lang"}, true, "keeping an index fresh takes a scan and the graph; commands and servers share it"},
	{"index/graph", []string{"stream", "internal", "index", "index/token", "chunk", "scan/lang"}, true, "the graph is built from the index and stored in it"},
	{"score", []string{"stream", "internal", "scan/lang", "index", "index/token", "index/graph", "chunk"}, true, "ranking reads the index and never writes it"},
	{"score/eval/replay", []string{"stream", "internal", "scan", "scan/lang", "chunk", "index", "index/fresh", "index/graph", "score"}, true, "a case goes through the stages as a query does: its tree is scanned, indexed and ranked"},
	{"answer", []string{"stream", "internal", "index", "index/graph", "chunk", "scan", "scan/lang", "detect", "score"}, true, "an answer is made from the index, its graph and the tree; who asked is unknown to it"},
	{"settings", []string{"internal", "score", "render"}, true, "every face shares what a setting is and where its value comes from; flags and the environment are passed in"},
	{"schema", []string{"stream", "internal", "answer", "detect", "score", "render", "=agent", "agent/session", "index/graph"}, true, "a schema is derived from the type that is encoded, so it sees every room with records"},
	{"render", []string{"stream", "internal"}, true, "rendering must work on any selection, without an index"},
	{"detect", []string{"stream", "internal", "scan/lang", "index", "index/graph"}, true, "detectors are consumers of the index"},
	{"detect/rules", []string{"stream", "internal", "detect", "scan/lang"}, true, "a rule sees what the engine hands it"},
	{"agent", []string{"stream", "internal"}, true, "the loop knows tools by their interface, no stage"},
	{"agent/mcp", []string{"stream", "internal", "agent", "agent/spill"}, true, "the protocol carries any tool by the agent's interface, whatever it answers from"},
	{"agent/provider", []string{"stream", "internal", "agent"}, true, "an adapter knows its wire and the agent's contract, no tool and no stage; the loop knows it by its interface"},
	{"agent/tool", []string{"stream", "internal", "agent", "scan", "chunk", "index", "score", "render", "detect"}, true, "tools put the stages behind the agent's interface"},
	{"agent/tool/codebase", []string{"", "stream", "internal", "agent", "agent/tool", "answer", "schema", "index", "index/fresh", "index/graph", "score", "detect"}, true, "the code tools put the library behind the agent's interface"},
	{"agent/host", []string{"stream", "internal", "agent", "agent/mcp", "agent/provider", "agent/tool", "agent/tool/codebase", "index/fresh", "detect/rules"}, false, "a host assembles a run from all rooms of the agent and the index of the code tools; it knows no face"},
	{"docs/library", []string{""}, false, "a program that embeds topo needs one import"},
	{"face", []string{"", "stream", "internal", "answer", "agent/host", "=agent"}, true, "a face is a client of the library, the host and its events"},
	{"cmd", []string{"", "stream", "internal", "answer", "=detect", "render", "schema", "=score/eval", "settings", "=agent", "agent/host", "=internal/lab", "face"}, true, "cmd is flags, then the library or the host, then rendering; of the lab it sees what topo eval calls; nothing imports cmd"},
}

type pkg struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

func main() {
	pkgs, err := list()
	if err != nil {
		fmt.Fprintln(os.Stderr, "archlint:", err)
		os.Exit(3)
	}
	problems := check(pkgs)
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, p)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}

func list() ([]pkg, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Standard", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); err == io.EOF {
			return pkgs, nil
		} else if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, p)
	}
}

// check returns one line for each import that no rule allows.
func check(pkgs []pkg) (problems []string) {
	for _, p := range pkgs {
		room := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		r, ok := find(room)
		if !ok {
			problems = append(problems, fmt.Sprintf("%s: no import rule; add one to internal/archlint with its reason", p.ImportPath))
			continue
		}
		for _, imp := range p.Imports {
			if !r.allows(imp) {
				problems = append(problems, fmt.Sprintf("%s must not import %s: %s", p.ImportPath, imp, r.why))
			}
		}
	}
	return problems
}

// find returns the rule with the longest room that holds the package.
func find(room string) (best rule, ok bool) {
	for _, r := range rules {
		if within(room, r.room) && (!ok || len(r.room) > len(best.room)) {
			best, ok = r, true
		}
	}
	return best, ok
}

func within(p, room string) bool {
	if room == "" {
		return p == ""
	}
	return p == room || strings.HasPrefix(p, room+"/")
}

func (r rule) allows(imp string) bool {
	if imp != module && !strings.HasPrefix(imp, module+"/") {
		first, _, _ := strings.Cut(imp, "/")
		return r.outer || imp == "C" || !strings.Contains(first, ".")
	}
	target := strings.TrimPrefix(strings.TrimPrefix(imp, module), "/")
	if r.room != "" && within(target, r.room) && ownRoom(target, r.room) {
		return true
	}
	for _, m := range r.may {
		if exact, ok := strings.CutPrefix(m, "="); ok {
			if target == exact {
				return true
			}
			continue
		}
		// The stages are open to cmd with all that is below them, internal is not.
		if within(target, m) && (r.room == "cmd" && !within(m, "internal") || ownRoom(target, m)) {
			return true
		}
	}
	return false
}

// ownRoom reports whether target has no rule narrower than that of room.
func ownRoom(target, room string) bool {
	r, ok := find(target)
	return ok && (r.room == room || within(room, r.room))
}
