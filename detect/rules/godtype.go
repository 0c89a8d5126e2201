package rules

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/scan/lang"
)

// GodType finds types that do everything: very many methods with very many
// lines. Methods of a Go type count wherever in its package they stand.
func GodType(methods, lines int) detect.Detector {
	return detect.Detector{
		ID: "god-type", Category: "architecture",
		Doc: "types with very many methods and lines",
		Why: "Such a type knows everything and is touched by every change. Many short methods alone, as of a facade or a builder, are not reported.",
		Run: func(ctx context.Context, c *detect.Code, report func(detect.Finding)) error {
			for _, t := range owners(c) {
				if t.methods < methods || t.lines < lines {
					continue
				}
				s := detect.Medium
				if t.methods >= 2*methods && t.lines >= 2*lines {
					s = detect.High
				}
				report(detect.Finding{Severity: s, Path: t.at.Path, Line: t.at.Line, EndLine: t.at.EndLine, Symbol: t.at.Name, Value: t.methods, Limit: methods,
					Message: fmt.Sprintf("%s has %d methods with %d lines", t.at.Name, t.methods, t.lines),
					Advice:  "find groups of methods that use the same fields, and give each a type of its own"})
			}
			return ctx.Err()
		},
	}
}

// owner is a type with its methods counted.
type owner struct {
	at             *detect.Type
	methods, lines int
}

// owners are the types with methods, by path and line.
func owners(c *detect.Code) []*owner {
	types := map[string]*owner{}
	var all []*owner
	for _, f := range c.Files {
		for _, t := range f.Types {
			if !f.Ordinary() || types[ownerKey(f, t.Name)] != nil {
				continue
			}
			o := &owner{at: t}
			types[ownerKey(f, t.Name)] = o
			all = append(all, o)
		}
	}
	for _, fn := range c.Functions {
		if o := types[ownerKey(fn.File, fn.Owner())]; o != nil && fn.Method() && fn.File.Ordinary() {
			o.methods++
			o.lines += fn.Metrics.Lines
		}
	}
	slices.SortStableFunc(all, func(a, b *owner) int {
		return cmp.Or(cmp.Compare(a.at.Path, b.at.Path), cmp.Compare(a.at.Line, b.at.Line))
	})
	return all
}

// ownerKey tells types apart: by folder where methods may be in any file of
// it, else by file.
func ownerKey(f *detect.File, name string) string {
	if lang.SyntaxOf(f.Language).OpenTypes {
		return path.Dir(f.Path) + "\x00" + name
	}
	return f.Path + "\x00" + name
}
