package topo

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/scan"
	"github.com/topo-dev/topo/stream"
)

// ScanOptions say what a scan lists. The zero value lists all that git would.
type ScanOptions struct {
	Paths            []string // files and folders, relative to the folder that was opened; none for all
	Include, Exclude []string // patterns as in .gitignore; Exclude wins
}

// isAll reports whether nothing of the tree is left out.
func (o ScanOptions) isAll() bool {
	return len(o.Paths)+len(o.Include)+len(o.Exclude) == 0
}

// presetScan is the preset in the header of a scan.
const presetScan = "scan"

// Problem is a file that a scan could not use.
type Problem = scan.Problem

// Scan lists the files of the project, sorted by path: those that git would list,
// tracked or untracked and not ignored. The problems are files whose content cannot
// be used.
func (r *Repo) Scan(ctx context.Context, o ScanOptions) (*stream.Stream, []Problem, error) {
	paths, err := r.belowRoot(o.Paths)
	if err != nil {
		return nil, nil, err
	}
	end := r.o.Report.progress("scan", -1)
	res, err := scan.Run(ctx, scan.Options{
		Root: r.root, Paths: paths, Include: o.Include, Exclude: o.Exclude,
		MaxFileSize: r.maxSize, Rev: r.rev, StatCache: r.place().StatCache(),
		Progress: func(n int) { r.o.Report.step("scan", n, -1) },
	})
	end()
	if err != nil {
		return nil, nil, scanError(err)
	}
	h := stream.Header{Preset: presetScan, Root: r.given, Within: r.dir, Rev: res.Rev, Index: r.o.IndexFile}
	return stream.New(h, res.Files, len(res.Files)), res.Problems, nil
}

// belowRoot makes paths that are relative to the opened folder relative to the
// root.
func (r *Repo) belowRoot(paths []string) ([]string, error) {
	if r.dir == "" {
		return paths, nil
	}
	out := make([]string, len(paths))
	for i, p := range paths {
		if filepath.IsAbs(p) {
			out[i] = p // the scan says whether it is inside
			continue
		}
		out[i] = path.Join(r.dir, filepath.ToSlash(p))
		if out[i] == ".." || strings.HasPrefix(out[i], "../") {
			return nil, fault.Usagef("path %s: outside of the project, whose root is %s; give a path inside", p, r.root)
		}
	}
	return out, nil
}
