package scan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topo-dev/topo"
)

func openTree(root string) (treeReader, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	return rootReader{r}, nil
}

func runTree(ctx context.Context, root string, sc scope, o Options) (*Result, error) {
	res := &Result{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return ctx.Err()
		}
		rel, _ := filepath.Rel(root, p)
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == ".topo-cache" || rel != "." && !sc.enters(rel) {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || !sc.covers(rel) {
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return nil
		}
		f := topo.File{Path: rel, Size: int64(len(data)), Tokens: topo.EstimateTokens(int64(len(data)))}
		head := data[:min(len(data), 8192)]
		f.Language, f.Role = classify(rel, head)
		switch {
		case f.Size > o.MaxFileSize:
			f.Skipped = topo.SkipLarge
		case bytes.IndexByte(head, 0) >= 0:
			f.Skipped = topo.SkipBinary
		default:
			sum := sha256.Sum256(data)
			f.Sha256 = hex.EncodeToString(sum[:])
		}
		if f.Skipped != "" {
			res.Problems = append(res.Problems, Problem{Path: rel, Why: f.Skipped})
		}
		res.Files = append(res.Files, f)
		return nil
	})
	slices.SortFunc(res.Files, func(a, b topo.File) int { return strings.Compare(a.Path, b.Path) })
	return res, err
}

func runRev(ctx context.Context, root string, sc scope, o Options) (*Result, error) {
	id, err := resolveRev(ctx, root, o.Rev)
	if err != nil {
		return nil, err
	}
	repo, _ := discover(root)
	list, err := lsTree(ctx, root, id, repo.prefix)
	if err != nil {
		return nil, err
	}
	src, err := OpenSource(ctx, root, id, o.MaxFileSize)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	res := &Result{Rev: id}
	for _, b := range list {
		data, err := src.ReadFile(b.path, nil)
		if err != nil {
			continue
		}
		sum := sha256.Sum256(data)
		f := topo.File{Path: b.path, Size: b.size, Tokens: topo.EstimateTokens(b.size), Sha256: hex.EncodeToString(sum[:])}
		f.Language, f.Role = classify(b.path, data[:min(len(data), 8192)])
		res.Files = append(res.Files, f)
	}
	return res, nil
}
