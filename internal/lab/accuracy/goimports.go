package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/topo-dev/topo/index"
)

// goPackage is what "go list" says of a package. Dir is relative to the root.
type goPackage struct {
	ImportPath, Dir                              string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports           []string
	Module                                       struct{ Path string }
}

// goPackages lists the packages of a repository.
func goPackages(ctx context.Context, root string) (pkgs []goPackage, err error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-json", "./...")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		p.Dir = filepath.ToSlash(rel)
		pkgs = append(pkgs, p)
	}
}

// goImports compares with "go list": the directories that each package imports.
func goImports(ctx context.Context, root string, x *index.Index, examples int) (*importScore, error) {
	pkgs, err := goPackages(ctx, root)
	if err != nil {
		return nil, err
	}
	dirOf, files := map[string]string{}, map[string]bool{}
	for _, p := range pkgs {
		dirOf[p.ImportPath] = p.Dir
		for _, list := range [][]string{p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles} {
			for _, f := range list {
				files[strings.TrimPrefix(p.Dir+"/"+f, "./")] = true
			}
		}
	}
	truth := map[arrow]bool{}
	for _, p := range pkgs {
		for _, list := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
			for _, i := range list {
				to, ok := dirOf[i]
				if rest, inside := strings.CutPrefix(i, p.Module.Path+"/"); !ok && inside { // "./..." leaves out testdata
					to, ok = rest, true
				}
				if ok {
					truth[arrow{p.Dir, to}] = true
				}
			}
		}
	}
	edges, err := edgesOf(x, func(p string) bool { return files[p] })
	if err != nil {
		return nil, err
	}
	ours := map[arrow]bool{}
	for a := range edges {
		ours[arrow{folderOf(a.from), folderOf(a.to)}] = true
	}
	return compareEdges(&importScore{name: filepath.Base(root), language: "Go", oracle: "go list -json"}, ours, truth, examples), nil
}
