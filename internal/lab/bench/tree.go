package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// defaultTree is a large repository that any Go installation can fetch.
const defaultTree = "k8s.io/kubernetes@v1.31.0"

// findTree is dir, or the default tree, downloaded when it is not in the
// module cache yet.
func findTree(ctx context.Context, dir string) (string, error) {
	if dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return "", err
		}
		if info, err := os.Stat(abs); err != nil {
			return "", err
		} else if !info.IsDir() {
			return "", fmt.Errorf("%s is not a folder", dir)
		}
		return abs, nil
	}
	tmp, err := os.MkdirTemp("", "topo-bench-module-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := os.WriteFile(filepath.Join(tmp, "go.mod"), []byte("module bench\n"), 0o666); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", defaultTree)
	cmd.Dir = tmp
	out, err := cmd.Output()
	var mod struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &mod); err != nil || jsonErr != nil || mod.Dir == "" {
		return "", fmt.Errorf("download %s: %w %s; name another tree with -tree", defaultTree, errors.Join(err, jsonErr), mod.Error)
	}
	return mod.Dir, nil
}

// warm reads every file once, so all contestants find the page cache
// filled, and counts.
func warm(tree string) (files int, size int64, err error) {
	err = filepath.WalkDir(tree, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(p)
		files++
		size += int64(len(raw))
		return err
	})
	return files, size, err
}

// copyTree copies the regular files of src below dst, and ends every file with
// a line of its own, when there is one, so no two copies have the same
// content.
func copyTree(ctx context.Context, src, dst, lastLine string) error {
	return eachFile(ctx, src, dst, func(from, to string) error {
		raw, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		return os.WriteFile(to, append(raw, lastLine...), 0o666)
	})
}

// linkTree makes dst the same tree as src, of hard links.
func linkTree(ctx context.Context, src, dst string) error { return eachFile(ctx, src, dst, os.Link) }

// eachFile makes the folders of src below dst and calls do for every regular
// file.
func eachFile(ctx context.Context, src, dst string, do func(from, to string) error) error {
	return filepath.WalkDir(src, func(p string, d fs.DirEntry, err error) error {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		to := filepath.Join(dst, strings.TrimPrefix(p, src))
		switch {
		case d.IsDir():
			return os.MkdirAll(to, 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		return do(p, to)
	})
}

// touch adds a function to n Go files of the tree, spread over it, or a line
// to any file when there are no Go files. It returns how many it changed.
func touch(tree string, n, round int) (int, error) {
	var goFiles, all []string
	err := filepath.WalkDir(tree, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all = append(all, p)
			if strings.HasSuffix(p, ".go") {
				goFiles = append(goFiles, p)
			}
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	text := fmt.Sprintf("\nfunc addedInRound%d() int { return %d }\n", round, round)
	if len(goFiles) < n {
		goFiles, text = all, fmt.Sprintf("\nadded in round %d\n", round)
	}
	n = min(n, len(goFiles))
	for i := range n {
		f, err := os.OpenFile(goFiles[i*len(goFiles)/n], os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return i, err
		}
		_, err = f.WriteString(text)
		if err := errors.Join(err, f.Close()); err != nil {
			return i, err
		}
	}
	return n, nil
}

// dirSize is the sum of the sizes of the files below dir.
func dirSize(dir string) (size int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}
