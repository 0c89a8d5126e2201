package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/stream"
)

// Bounds of a listing.
const (
	maxDirEntries = 10_000 // of one directory
	maxUnlisted   = 20_000 // files below a directory that git ignores
	lsLimit       = 500    // entries shown by ls
	globLimit     = 300    // paths shown by glob when no limit is given
)

// list returns the files below dir, resolved, that the patterns match, sorted
// by path: those that git does not ignore, and all when git ignores dir itself.
func (t *tools) list(ctx context.Context, dir string, patterns []string) ([]string, error) {
	o := scan.Options{Root: t.w.Dir(), NamesOnly: true, MaxFileSize: maxWhole, Getenv: t.Getenv}
	if dir != "." {
		o.Paths = []string{dir}
	}
	for _, p := range patterns {
		p, not := strings.CutPrefix(p, "!")
		list, err := braces(p)
		if err != nil {
			return nil, err
		}
		if not {
			o.Exclude = append(o.Exclude, list...)
		} else {
			o.Include = append(o.Include, list...)
		}
	}
	res, err := scan.Run(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", dir, err)
	}
	names := make([]string, 0, len(res.Files))
	for _, f := range res.Files {
		if (f.Skipped == "" || f.Skipped == stream.SkipLarge) && t.readable(f.Path) {
			names = append(names, f.Path)
		}
	}
	return names, nil
}

func (t *tools) readable(name string) bool { return t.Readable == nil || t.Readable(name) }

// unlisted lists all files below a directory, ignored ones too, in order.
func (t *tools) unlisted(ctx context.Context, dir string) (names []string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	entries, _, err := t.w.ReadDir(dir, maxDirEntries)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && e.Name() != ".git":
			below, err := t.unlisted(ctx, name)
			if err != nil && !errors.Is(err, fs.ErrPermission) {
				return nil, err
			}
			names = append(names, below...)
		case e.Type().IsRegular() && t.readable(name):
			names = append(names, name)
		}
		if len(names) > maxUnlisted {
			return names[:maxUnlisted], nil
		}
	}
	return names, nil
}

// maxBraces bounds what the braces of one pattern expand to.
const maxBraces = 64

// braces expands {a,b} as shells do, because patterns as in .gitignore have
// none and models write them.
func braces(p string) ([]string, error) {
	open := openBrace(p)
	if open < 0 {
		return []string{p}, nil
	}
	depth, parts, from := 0, []string(nil), open+1
	for i := open; i < len(p); i++ {
		switch {
		case p[i] == '\\':
			i++
		case p[i] == '{':
			depth++
		case p[i] == ',' && depth == 1:
			parts, from = append(parts, p[from:i]), i+1
		case p[i] == '}' && depth == 1:
			parts = append(parts, p[from:i])
			return expand(p[:open], parts, p[i+1:])
		case p[i] == '}':
			depth--
		}
	}
	return nil, fmt.Errorf("the pattern %q has a { without its }", clip(p, 100))
}

// openBrace is the position of the first brace that is neither escaped nor one of
// a set of characters; -1 is none.
func openBrace(p string) int {
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '[':
			i = endOfSet(p, i)
		case '{':
			return i
		}
	}
	return -1
}

// endOfSet is where the set that begins at i ends, i itself when it does not. A
// bracket that closes stands for itself at its beginning.
func endOfSet(p string, i int) int {
	at := i + 1
	if at < len(p) && (p[at] == '!' || p[at] == '^') {
		at++
	}
	if at < len(p) && p[at] == ']' {
		at++
	}
	if n := strings.IndexByte(p[min(at, len(p)):], ']'); n >= 0 {
		return at + n
	}
	return i
}

func expand(before string, parts []string, after string) (all []string, err error) {
	for _, part := range parts {
		list, err := braces(before + part + after)
		if err != nil {
			return nil, err
		}
		if all = append(all, list...); len(all) > maxBraces {
			return nil, fmt.Errorf("the braces of the pattern expand to more than %d; use fewer", maxBraces)
		}
	}
	return all, nil
}

type globInput struct {
	Pattern string `json:"pattern" jsonschema:"pattern of file names" tool:"min=1,max=500"`
	Path    string `json:"path,omitempty" jsonschema:"directory to look in" tool:"default=."`
	Limit   int    `json:"limit,omitempty" jsonschema:"how many paths to list" tool:"min=1,max=5000,default=300"`
}

func (t *tools) globAccess(in globInput) ([]agent.Access, error) {
	return t.access(agent.OpRead, orRoot(in.Path))
}

func (t *tools) glob(ctx context.Context, in globInput) (agent.Output, error) {
	dir, err := t.w.Resolve(orRoot(in.Path))
	if err != nil {
		return agent.Output{}, err
	}
	if in.Limit == 0 {
		in.Limit = globLimit
	}
	pattern := strings.TrimPrefix(in.Pattern, "./")
	if dir != "." && strings.Contains(pattern, "/") {
		pattern = escapeGlob(dir) + "/" + strings.TrimPrefix(pattern, "/")
	}
	names, err := t.list(ctx, dir, []string{pattern})
	if err != nil {
		return agent.Output{}, t.explain(orRoot(in.Path), err)
	}
	if len(names) == 0 {
		return agent.Output{Text: fmt.Sprintf("No file matches %s.", in.Pattern), Hints: []string{"A pattern without a slash matches at any depth; ignored files are left out."}}, nil
	}
	var b strings.Builder
	for i, name := range names {
		if i == in.Limit || b.Len() > maxShown {
			fmt.Fprintf(&b, "[%d more; narrow the pattern or raise limit]\n", len(names)-i)
			break
		}
		b.WriteString(oneLine(name) + "\n")
	}
	return agent.Output{Text: b.String()}, nil
}

func escapeGlob(p string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(p)
}

func orRoot(p string) string {
	if p == "" {
		return "."
	}
	return p
}

// oneLine is a name for a list: one with line breaks or the like
// is quoted, or it could pass for several.
func oneLine(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }) {
		return fmt.Sprintf("%q", name)
	}
	return name
}

type lsInput struct {
	Path  string `json:"path,omitempty" jsonschema:"directory to list" tool:"default=."`
	Depth int    `json:"depth,omitempty" jsonschema:"how many levels to list" tool:"min=1,max=5,default=1"`
}

func (t *tools) lsAccess(in lsInput) ([]agent.Access, error) {
	return t.access(agent.OpRead, orRoot(in.Path))
}

func (t *tools) ls(ctx context.Context, in lsInput) (agent.Output, error) {
	dir, err := t.w.Resolve(orRoot(in.Path))
	if err != nil {
		return agent.Output{}, err
	}
	l := lister{t: t, ctx: ctx, left: lsLimit}
	if err := l.dir(dir, "", max(in.Depth, 1)); err != nil {
		return agent.Output{}, t.explain(orRoot(in.Path), err)
	}
	switch {
	case l.left < 0:
		l.b.WriteString("[more entries follow; list a directory below, or look with glob]\n")
	case l.b.Len() == 0:
		l.b.WriteString("[the directory is empty]\n")
	}
	return agent.Output{Text: l.b.String()}, nil
}

type lister struct {
	t    *tools
	ctx  context.Context
	b    strings.Builder
	left int
}

func (l *lister) dir(dir, indent string, depth int) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	entries, more, err := l.t.w.ReadDir(dir, maxDirEntries)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if l.left--; l.left < 0 {
			return nil
		}
		l.entry(path.Join(dir, e.Name()), indent, e)
		if e.IsDir() && depth > 1 && e.Name() != ".git" {
			// What cannot be listed below is no reason to list nothing.
			if err := l.dir(path.Join(dir, e.Name()), indent+"  ", depth-1); err != nil && l.ctx.Err() != nil {
				return err
			}
		}
	}
	if more {
		l.left = -1
	}
	return nil
}

func (l *lister) entry(name, indent string, e fs.DirEntry) {
	fmt.Fprintf(&l.b, "%s%s", indent, oneLine(e.Name()))
	switch info, err := e.Info(); {
	case e.IsDir():
		l.b.WriteByte('/')
	case e.Type()&fs.ModeSymlink != 0:
		if to, err := l.t.w.Resolve(name); err == nil {
			l.b.WriteString(" -> " + oneLine(to))
		} else {
			l.b.WriteString(" -> (not below the root)")
		}
	case err == nil && e.Type().IsRegular():
		fmt.Fprintf(&l.b, "  %d", info.Size())
	case err == nil:
		l.b.WriteString("  (not a regular file)")
	}
	l.b.WriteByte('\n')
}
