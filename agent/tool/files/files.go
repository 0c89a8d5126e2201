// Package files holds the tools that work on the files of the tree: read, write,
// edit, grep, glob, ls and todo.
//
// What always holds:
//
//   - Every path goes through an [workspace.Workspace], in the access that the
//     permissions judge and again when the tool runs.
//   - What a tool writes over, the model has read as it is now.
//   - A text file keeps what an edit does not name: line ends, byte order
//     mark, mode, a missing last newline, bytes that are not UTF-8.
//   - grep lists the same matches with and without ripgrep.
package files

import (
	"embed"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/spill"
	"github.com/topo-dev/topo/agent/tool"
	"github.com/topo-dev/topo/agent/workspace"
)

// Options is what the tools need besides the tree.
type Options struct {
	Outputs *spill.Store // the store of handles; nil for none
	Ripgrep string       // path of rg, to search faster; empty for the own search
	Getenv  func(string) string

	// Readable reports whether a file may be read that a call did not name, such
	// as one below a directory that is searched; nil is yes.
	Readable func(path string) bool

	// Mask replaces what must not be shown in the whole content of a file, line by
	// line: a part of a file may not tell that it is of a private key. Nil shows all.
	Mask func(content []byte) []byte
}

//go:embed *.md
var docs embed.FS

// Tools returns the tools on the tree, sorted by name.
func Tools(w *workspace.Workspace, o Options) []agent.Tool {
	t := &tools{w: w, Options: o}
	return []agent.Tool{
		tool.New(tool.Definition{Name: "edit", Description: doc("edit"), Destructive: true}, t.editAccess, t.edit),
		tool.New(tool.Definition{Name: "glob", Description: doc("glob"), ReadOnly: true}, t.globAccess, t.glob),
		tool.New(tool.Definition{Name: "grep", Description: doc("grep"), ReadOnly: true}, t.grepAccess, t.grep),
		tool.New(tool.Definition{Name: "ls", Description: doc("ls"), ReadOnly: true}, t.lsAccess, t.ls),
		tool.New(tool.Definition{Name: "read", Description: doc("read"), ReadOnly: true}, t.readAccess, t.read),
		tool.New(tool.Definition{Name: "todo", Description: doc("todo"), ReadOnly: true, Idempotent: true}, nil, todo),
		tool.New(tool.Definition{Name: "write", Description: doc("write"), Destructive: true, Idempotent: true}, t.writeAccess, t.write),
	}
}

type tools struct {
	w *workspace.Workspace
	Options
}

// masked is content as it may be shown.
func (t *tools) masked(content []byte) []byte {
	if t.Mask == nil {
		return content
	}
	return t.Mask(content)
}

func doc(name string) string {
	b, err := docs.ReadFile(name + ".md")
	if err != nil {
		panic(err) // the file is part of the program
	}
	return strings.TrimSpace(string(b))
}

// access is what a call does to one path: to where it leads, and by the name it
// was given when a link makes that another: a rule on either counts.
func (t *tools) access(op agent.Op, path string) ([]agent.Access, error) {
	return t.w.Access(op, path)
}
