package answer

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// Outline is what a file defines and imports, or what a folder holds.
type Outline struct {
	Head
	Path        string         // of the file or folder; empty for the root
	Files       []OutlineFile  // the file, or those of a folder that is not large
	Folders     []Folder       `json:",omitempty"` // of a large folder: those right below it, and its files
	Lines       int            `json:",omitempty"` // of the file
	Imports     []string       `json:",omitempty"` // of the file, as it writes them
	Definitions []OutlineEntry `json:",omitempty"` // of the file, in their order
	Denied      bool           `json:",omitempty"` // a rule denies reading the file
	Tail
}

// OutlineFile is one file of an outline.
type OutlineFile struct {
	Path        string
	Language    string
	Role        stream.Role
	Tokens      int      // estimated
	Skipped     string   `json:",omitempty"` // why the content is not used
	Main        []string `json:",omitempty"` // its most used definitions
	Definitions int      // how many it has
}

// Folder is a folder of an outline.
type Folder struct {
	Path     string // of a folder it ends in a slash
	Files    int
	Tokens   int    // estimated
	Language string // of most files
}

// OutlineEntry is one definition of an outline.
type OutlineEntry struct {
	Kind      string
	Name      string
	Scope     string `json:",omitempty"` // what it is defined in
	Signature string `json:",omitempty"`
	Line      int
	EndLine   int
	Cognitive int `json:",omitempty"` // cognitive complexity
}

// How much of a folder is listed.
const (
	folderFiles = 60 // up to how many files by themselves
	mainNames   = 6  // of the definitions of a file
)

// Outline tells what a file defines and imports, or what a folder holds. path is
// relative to the root; empty is the root.
func (s *Session) Outline(ctx context.Context, of string) (*Outline, error) {
	p := strings.TrimSuffix(path.Clean("/" + of)[1:], "/")
	a := &Outline{Head: s.head("outline-answer", "outline "+p), Path: p, Files: []OutlineFile{}, Tail: s.tail()}
	if id, ok := s.Index.Lookup(p); ok {
		return a, a.file(s, id)
	}
	return a, a.folder(ctx, s)
}

// file adds what a file imports and defines.
func (a *Outline) file(s *Session, id int) error {
	f, err := s.Index.File(id)
	if err != nil {
		return err
	}
	nodes, err := s.FileNodes(id)
	if err != nil {
		return err
	}
	a.Denied = !s.readable(f.Path)
	of := outlineFile(f)
	of.Definitions = len(nodes) - 1
	a.Files, a.TotalFiles, a.TotalTokens = append(a.Files, of), 1, of.Tokens
	if a.Denied || f.Skipped != "" {
		return nil
	}
	content, err := s.Index.Content(id, nil)
	if err != nil {
		return err
	}
	imports, err := s.Index.Imports(id)
	if err != nil {
		return err
	}
	for _, i := range imports {
		a.Imports = append(a.Imports, i.Path)
	}
	chunks, err := s.Index.Chunks(id)
	if err != nil {
		return err
	}
	a.Lines = bytes.Count(content, []byte("\n"))
	a.define(chunks, nodes, content)
	if len(nodes) > 1 {
		a.next("symbol", placeOf(nodes[1].Ref()))
	}
	a.next("impact", f.Path)
	return nil
}

// define adds the definitions of a file.
func (a *Outline) define(chunks []chunk.Chunk, nodes []graph.Node, content []byte) {
	type key struct {
		line int
		name string
	}
	cognitive := map[key]int{}
	for _, n := range nodes {
		cognitive[key{n.Line, n.Name}] = n.Metrics.Cognitive
	}
	for _, c := range chunks {
		if c.Kind != chunk.Import {
			a.Definitions = append(a.Definitions, OutlineEntry{c.Kind.String(), c.Name, c.Scope, score.Signature(c, content),
				c.StartLine, c.EndLine, cognitive[key{c.StartLine, c.Qualified()}]})
		}
	}
}

func outlineFile(f index.File) OutlineFile {
	return OutlineFile{Path: f.Path, Language: f.Language, Role: f.Role, Tokens: stream.EstimateTokens(f.Size), Skipped: string(f.Skipped)}
}

// folder adds the files of a folder with what they define, or of a large one its
// folders.
func (a *Outline) folder(ctx context.Context, s *Session) error {
	var ids []int
	for id := range s.Index.NumFiles() {
		f, err := s.Index.File(id)
		if err != nil {
			return err
		}
		if s.readable(f.Path) && (a.Path == "" || strings.HasPrefix(f.Path, a.Path+"/")) {
			ids = append(ids, id)
			a.TotalTokens += stream.EstimateTokens(f.Size)
		}
	}
	if a.TotalFiles = len(ids); len(ids) == 0 {
		return fault.Usagef("%q is neither a file nor a folder of the index", a.Path)
	}
	if len(ids) > folderFiles {
		a.hint("{ask} goes deeper, of one of the folders", Ask{Question: "outline"})
		return a.folders(s, ids)
	}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.listed(s, id); err != nil {
			return err
		}
	}
	a.hint("{ask} of one of the files lists its definitions with their lines", Ask{Question: "outline"})
	return nil
}

// listed adds a file with its most used definitions.
func (a *Outline) listed(s *Session, id int) error {
	f, err := s.Index.File(id)
	if err != nil {
		return err
	}
	nodes, err := s.FileNodes(id)
	if err != nil {
		return err
	}
	of := outlineFile(f)
	of.Definitions = len(nodes) - 1
	slices.SortStableFunc(nodes[1:], func(a, b graph.Node) int { return b.FanIn - a.FanIn })
	for i := range nodes[1:min(len(nodes), mainNames+1)] {
		of.Main = append(of.Main, nodes[i+1].Name)
	}
	a.Files = append(a.Files, of)
	return nil
}

// folders adds what is right below a large folder, the fullest first.
func (a *Outline) folders(s *Session, ids []int) error {
	below, files := map[string]*Folder{}, map[string]int{}
	languages := map[string]map[string]int{}
	for _, id := range ids {
		f, err := s.Index.File(id)
		if err != nil {
			return err
		}
		name, _, inside := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(f.Path, a.Path), "/"), "/")
		if inside {
			name += "/"
		}
		at := below[name]
		if at == nil {
			at = &Folder{Path: name}
			if a.Path != "" {
				at.Path = a.Path + "/" + name
			}
			below[name], languages[name] = at, map[string]int{}
		}
		at.Files++
		files[name]++
		at.Tokens += stream.EstimateTokens(f.Size)
		if f.Language != "" {
			languages[name][f.Language]++
		}
	}
	for _, name := range byCount(files) {
		if most := byCount(languages[name]); len(most) > 0 {
			below[name].Language = most[0]
		}
		a.Folders = append(a.Folders, *below[name])
	}
	return nil
}

// Records are the files, definitions and folders.
func (a *Outline) Records() []any {
	return slices.Concat(anys(a.Files), anys(a.Definitions), anys(a.Folders))
}
