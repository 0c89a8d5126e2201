package codebase

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

type outlineInput struct {
	Path string `json:"path,omitempty" jsonschema:"A file or a folder, relative to the root; the whole repository when left out"`
}

func (b *base) outlineTool() agent.Tool { return define(b, "outline", b.outline) }

func (b *base) outline(ctx context.Context, v *fresh.Snapshot, in outlineInput, t *text) error {
	p := strings.TrimSuffix(path.Clean("/" + in.Path)[1:], "/")
	if id, ok := v.Index.Lookup(p); ok {
		return outlineFile(v, id, t)
	}
	return outlineFolder(ctx, v, p, t)
}

// outlineFile lists what a file imports and defines.
func outlineFile(v *fresh.Snapshot, id int, t *text) error {
	f, err := v.Index.File(id)
	if err != nil {
		return err
	}
	if !t.shows(f.Path) {
		return nil
	}
	if f.Skipped != "" {
		t.line("%s: the content is not used (%s).", visible(f.Path), f.Skipped)
		return nil
	}
	nodes, err := v.FileNodes(id)
	if err != nil {
		return err
	}
	chunks, err := v.Index.Chunks(id)
	if err != nil {
		return err
	}
	content, err := v.Index.Content(id, nil)
	if err != nil {
		return err
	}
	t.line("%s  (%s, %d lines)", visible(f.Path), described(f.Record()), strings.Count(string(content), "\n"))
	if err := outlineImports(v, id, t); err != nil {
		return err
	}
	outlineChunks(chunks, nodes, content, t)
	if len(nodes) > 1 {
		t.hint("symbol shows the source, callers and figures of one, such as %s", place(nodes[1].Ref()))
	}
	t.hint("analyze_impact on %q shows what depends on this file", f.Path)
	return nil
}

func outlineImports(v *fresh.Snapshot, id int, t *text) error {
	imports, err := v.Index.Imports(id)
	if err != nil || len(imports) == 0 {
		return err
	}
	const most = 30
	var names []string
	for _, i := range imports[:min(len(imports), most)] {
		names = append(names, visible(i.Path))
	}
	if len(imports) > most {
		names = append(names, fmt.Sprintf("and %d more", len(imports)-most))
	}
	t.line("imports: %s", strings.Join(names, ", "))
	return nil
}

// outlineChunks lists definitions by line, what is inside of others indented,
// with the complexity of those that are hard to read.
func outlineChunks(chunks []chunk.Chunk, nodes []graph.Node, content []byte, t *text) {
	const hard = 15 // cognitive complexity above which SonarSource's rule complains
	cognitive := map[string]int{}
	for _, n := range nodes {
		cognitive[fmt.Sprint(n.Line, n.Name)] = n.Metrics.Cognitive
	}
	for _, c := range chunks {
		if c.Kind == chunk.Import {
			continue
		}
		depth := 0
		if c.Scope != "" {
			depth = 1 + strings.Count(c.Scope, ".")
		}
		note := ""
		if n := cognitive[fmt.Sprint(c.StartLine, c.Qualified())]; n > hard {
			note = fmt.Sprintf("  [cognitive complexity %d]", n)
		}
		rec := stream.Chunk{Kind: c.Kind.String(), Name: c.Name, Signature: score.Signature(c, content)}
		t.line("%6d-%-6d%s%s%s", c.StartLine, c.EndLine, strings.Repeat("  ", min(depth, 6)), definition(rec), note)
	}
}

// folderFiles is up to how many files of a folder are listed by themselves.
const folderFiles = 60

// outlineFolder lists the files of a folder with what they define, or of a
// large one its folders.
func outlineFolder(ctx context.Context, v *fresh.Snapshot, dir string, t *text) error {
	var files []stream.File
	for _, f := range v.Files {
		if dir == "" || strings.HasPrefix(f.Path, dir+"/") {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return fmt.Errorf("%q is neither a file nor a folder of the index; glob or ls show what there is", dir)
	}
	name := dir
	if name == "" {
		name = "the repository"
	}
	if len(files) > folderFiles {
		listFolders(name, dir, files, t)
		return nil
	}
	t.line("%s: %s", visible(name), plural(len(files), "file"))
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		defines, err := mainNames(v, f)
		if err != nil {
			return err
		}
		t.line("%s  (%s)%s", visible(f.Path), described(f), defines)
	}
	t.hint("outline of one of the files lists its definitions with their lines")
	return nil
}

// mainNames are the most used definitions of a file.
func mainNames(v *fresh.Snapshot, f stream.File) (string, error) {
	id, ok := v.Index.Lookup(f.Path)
	if !ok {
		return "", v.Index.Err()
	}
	nodes, err := v.FileNodes(id)
	if err != nil || len(nodes) < 2 {
		return "", err
	}
	defs := slices.Clone(nodes[1:])
	slices.SortStableFunc(defs, func(a, b graph.Node) int { return b.FanIn - a.FanIn })
	const most = 6
	var names []string
	for _, n := range defs[:min(len(defs), most)] {
		names = append(names, visible(n.Name))
	}
	if len(defs) > most {
		names = append(names, fmt.Sprintf("… (%d definitions)", len(defs)))
	}
	return ": " + strings.Join(names, ", "), nil
}

// listFolders lists the folders right below dir, and its own files, with how
// much is in each.
func listFolders(name, dir string, files []stream.File, t *text) {
	type folder struct {
		files, tokens int
		languages     map[string]int
	}
	below := map[string]*folder{}
	for _, f := range files {
		rest := strings.TrimPrefix(strings.TrimPrefix(f.Path, dir), "/")
		first, _, inside := strings.Cut(rest, "/")
		if inside {
			first += "/"
		}
		d := below[first]
		if d == nil {
			d = &folder{languages: map[string]int{}}
			below[first] = d
		}
		d.files++
		d.tokens += stream.EstimateTokens(f.Size)
		d.languages[f.Language]++
	}
	t.line("%s: %s", visible(name), plural(len(files), "file"))
	names := make([]string, 0, len(below))
	for n := range below {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := below[b].files - below[a].files; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, n := range names {
		d := below[n]
		if !strings.HasSuffix(n, "/") {
			t.line("%s  (~%d tokens)", visible(path.Join(dir, n)), d.tokens)
			continue
		}
		t.line("%s/  %s, ~%d tokens%s", visible(path.Join(dir, n)), plural(d.files, "file"), d.tokens, mostly(d.languages))
	}
	t.hint("outline of one of the folders goes deeper; search finds code by what it does")
}

// mostly names the language of most files.
func mostly(languages map[string]int) string {
	best := ""
	for l, n := range languages {
		if l != "" && (best == "" || n > languages[best] || n == languages[best] && l < best) {
			best = l
		}
	}
	if best == "" {
		return ""
	}
	return ", mostly " + best
}
