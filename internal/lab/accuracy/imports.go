package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index"
)

// arrow is one import, between what the oracle of a language names: files, or
// directories of packages.
type arrow struct{ from, to string }

// importScore is what was measured of the imports of one repository.
type importScore struct {
	name, language, oracle string
	ours, truth, both      int
}

// compareEdges compares two sets of arrows; up to examples of their differences go to
// standard error.
func compareEdges(s *importScore, ours, truth map[arrow]bool, examples int) *importScore {
	s.ours, s.truth = len(ours), len(truth)
	for _, d := range []struct {
		what string
		a, b map[arrow]bool
	}{{"wrong", ours, truth}, {"missed", truth, ours}} {
		shown := 0
		for _, a := range slices.SortedFunc(maps.Keys(d.a), func(x, y arrow) int { return strings.Compare(x.from+x.to, y.from+y.to) }) {
			if d.b[a] {
				if d.what == "wrong" {
					s.both++
				}
			} else if shown < examples {
				shown++
				fmt.Fprintf(os.Stderr, "%s %s: %s -> %s\n", s.name, d.what, a.from, a.to)
			}
		}
	}
	return s
}

// edgesOf are the import edges of the files that keep accepts.
func edgesOf(x *index.Index, keep func(path string) bool) (map[arrow]bool, error) {
	out := map[arrow]bool{}
	var row []uint32
	for id := range x.NumFiles() {
		f, err := x.File(id)
		if err != nil {
			return nil, err
		}
		if !keep(f.Path) {
			continue
		}
		if row, err = x.Imported(id, row); err != nil {
			return nil, err
		}
		for _, to := range row {
			g, err := x.File(int(to))
			if err != nil {
				return nil, err
			}
			out[arrow{f.Path, g.Path}] = true
		}
	}
	return out, nil
}

func folderOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return "."
}

// grimpScript prints the imports between the modules of a package, by file.
const grimpScript = `
import sys, os, json, importlib.util, grimp
root, src, name = sys.argv[1:4]
sys.path.insert(0, os.path.join(root, src))
g = grimp.build_graph(name, cache_dir=None)
def file(m):
    p = os.path.join(root, src, *m.split("."))
    for q in (p + ".py", os.path.join(p, "__init__.py")):
        if os.path.exists(q):
            return os.path.relpath(q, root)
pairs = [[file(m), file(n)] for m in sorted(g.modules) for n in sorted(g.find_modules_directly_imported_by(m)) if file(m) and file(n)]
json.dump({"Files": [file(m) for m in g.modules if file(m)], "Pairs": pairs}, sys.stdout)
`

// pythonImports compares with grimp: the modules that each module imports.
func pythonImports(ctx context.Context, root, src, name string, x *index.Index, examples int) (*importScore, error) {
	cmd := exec.CommandContext(ctx, "python3", "-c", grimpScript, root, src, name)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("grimp: %w; install it with: pip install grimp", err)
	}
	return againstFiles(&importScore{name: filepath.Base(root), language: "Python", oracle: "grimp"}, text, x, examples)
}

// againstFiles compares the edges between the files that the oracle looked at
// with its pairs. Where it names a module of a package that is imported from
// the package, the edge to the package's own __init__.py, which Python runs
// too, is not counted against topo.
func againstFiles(s *importScore, text []byte, x *index.Index, examples int) (*importScore, error) {
	said := &oracleAnswer{}
	if err := json.Unmarshal(text, said); err != nil {
		return nil, err
	}
	return againstPairs(s, said, x, examples)
}

func againstPairs(s *importScore, said *oracleAnswer, x *index.Index, examples int) (*importScore, error) {
	known := map[string]bool{}
	for _, f := range said.Files {
		known[filepath.ToSlash(f)] = true
	}
	truth, folders := map[arrow]bool{}, map[arrow]bool{}
	for _, p := range said.Pairs {
		if p[0] != p[1] {
			a := arrow{filepath.ToSlash(p[0]), filepath.ToSlash(p[1])}
			truth[a] = true
			folders[arrow{a.from, folderOf(a.to)}] = true
		}
	}
	ours, err := edgesOf(x, func(p string) bool { return known[p] })
	if err != nil {
		return nil, err
	}
	for a := range ours {
		through := strings.HasSuffix(a.to, "/__init__.py") && folders[arrow{a.from, folderOf(a.to)}]
		if !known[a.to] || through && !truth[a] {
			delete(ours, a)
		}
	}
	return compareEdges(s, ours, truth, examples), nil
}

// tsImports compares with madge, which follows the aliases of tsconfig.json.
// The sources are those that the pattern src names.
func tsImports(ctx context.Context, root, src string, x *index.Index, examples int) (*importScore, error) {
	s := &importScore{name: filepath.Base(root), language: "TypeScript", oracle: "madge"}
	return madge(ctx, s, root, src, x, examples, "--extensions", "ts,tsx", "--ts-config", "tsconfig.json")
}

// jsImports compares with madge.
func jsImports(ctx context.Context, root, src string, x *index.Index, examples int) (*importScore, error) {
	s := &importScore{name: filepath.Base(root), language: "JavaScript", oracle: "madge"}
	return madge(ctx, s, root, src, x, examples, "--extensions", "js,mjs,cjs")
}

func madge(ctx context.Context, s *importScore, root, src string, x *index.Index, examples int, flags ...string) (*importScore, error) {
	dirs, err := filepath.Glob(filepath.Join(root, src))
	if err != nil || len(dirs) == 0 {
		return nil, fmt.Errorf("%s: no folder is like %q (%w)", root, src, err)
	}
	args := append([]string{"--json", "--basedir", root}, flags...)
	cmd := exec.CommandContext(ctx, "madge", append(args, dirs...)...)
	out, err := os.CreateTemp("", "madge") // it leaves before a pipe is read
	if err != nil {
		return nil, err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Dir, cmd.Stdout = root, out
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("madge: %w; install it with: npm install --global madge typescript", err)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		return nil, err
	}
	var said map[string][]string
	if err := json.Unmarshal(text, &said); err != nil {
		return nil, fmt.Errorf("madge: %w", err)
	}
	truth := map[arrow]bool{}
	for from, list := range said {
		for _, to := range list {
			truth[arrow{from, to}] = true
		}
	}
	ours, err := edgesOf(x, func(p string) bool { _, ok := said[p]; return ok })
	if err != nil {
		return nil, err
	}
	return compareEdges(s, ours, truth, examples), nil
}

// cImports compares with "gcc -MM".
func cImports(ctx context.Context, root, src string, flags []string, x *index.Index, examples int) (*importScore, error) {
	s := &importScore{name: filepath.Base(root), language: "C", oracle: "gcc -MM"}
	return includes(ctx, s, root, "gcc", []string{src + "/*.c"}, flags, x, examples)
}

// cppImports compares with "g++ -MM"; the sources are those that patterns name.
func cppImports(ctx context.Context, root, patterns string, flags []string, x *index.Index, examples int) (*importScore, error) {
	s := &importScore{name: filepath.Base(root), language: "C++", oracle: "g++ -MM"}
	return includes(ctx, s, root, "g++", strings.Fields(patterns), flags, x, examples)
}

// includes compares with what a compiler lists: the files that each source
// reaches.
func includes(ctx context.Context, s *importScore, root, compiler string, patterns, flags []string, x *index.Index, examples int) (*importScore, error) {
	edges, err := edgesOf(x, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	next := map[string][]string{}
	for a := range edges {
		next[a.from] = append(next[a.from], a.to)
	}
	ours, truth := map[arrow]bool{}, map[arrow]bool{}
	for _, p := range patterns {
		sources, err := filepath.Glob(filepath.Join(root, p))
		if err != nil || len(sources) == 0 {
			return nil, fmt.Errorf("%s: no file is like %q (%w)", root, p, err)
		}
		for _, source := range sources {
			rel, _ := filepath.Rel(root, source)
			rel = filepath.ToSlash(rel)
			cmd := exec.CommandContext(ctx, compiler, append([]string{"-MM"}, append(flags, rel)...)...)
			cmd.Dir = root
			out, err := cmd.Output()
			if err != nil {
				continue // it needs what is not here: no truth
			}
			_, list, _ := strings.Cut(strings.ReplaceAll(string(out), "\\\n", " "), ":")
			for _, h := range strings.Fields(list) {
				if h = filepath.ToSlash(filepath.Clean(h)); h != rel {
					truth[arrow{rel, h}] = true
				}
			}
			for _, to := range reached(rel, next) {
				ours[arrow{rel, to}] = true
			}
		}
	}
	return compareEdges(s, ours, truth, examples), nil
}

// reached lists what can be reached from a file, without the file.
func reached(from string, next map[string][]string) []string {
	seen := map[string]bool{from: true}
	queue := []string{from}
	for i := 0; i < len(queue); i++ {
		for _, to := range next[queue[i]] {
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return queue[1:]
}
