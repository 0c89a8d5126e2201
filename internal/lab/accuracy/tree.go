package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/scan/lang"
	"github.com/topo-dev/topo/stream"
)

// folder is a tree of files to read.
type folder string

func (d folder) ReadFile(path string, buf []byte) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(string(d), filepath.FromSlash(path)))
	return append(buf[:0], b...), err
}

// maxFile is the largest file that is indexed, as for the command.
const maxFile = 1 << 20

// indexTree builds the index of a folder in a temporary file and opens it.
func indexTree(ctx context.Context, root, temp string) (*index.Index, *graph.Graph, error) {
	in := index.Input{Source: folder(root), Links: graph.Link, LinksVersion: graph.Version, Graph: graph.Build, GraphVersion: graph.BuildVersion}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == ".git" || e.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if !e.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) > maxFile || strings.IndexByte(string(text[:min(len(text), 8000)]), 0) >= 0 {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		sum := sha256.Sum256(text)
		f := stream.File{Path: rel, Size: int64(len(text)), Sha256: hex.EncodeToString(sum[:])}
		head := text[:min(len(text), 8192)]
		f.Language = lang.Detect(rel, head)
		f.Role = lang.RoleOf(rel, f.Language, head)
		in.Files = append(in.Files, f)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	sort.Slice(in.Files, func(i, j int) bool { return in.Files[i].Path < in.Files[j].Path })
	name := filepath.Join(temp, "accuracy.deep.idx")
	os.Remove(name)
	if _, err := index.Update(ctx, name, in); err != nil {
		return nil, nil, err
	}
	x, err := index.Open(name)
	if err != nil {
		return nil, nil, err
	}
	g, err := graph.Open(x)
	return x, g, err
}
