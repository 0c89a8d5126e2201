package main

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/tool/codebase"
	"github.com/topo-dev/topo/detect/rules"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/scan"
)

// How the index is kept for tools: a small tree's first one is waited for, and
// a look at the tree counts for a moment, so that fifty questions at once do not
// make fifty scans.
const (
	indexPatience = 500 * time.Millisecond
	indexMaxAge   = 100 * time.Millisecond
)

// keeper keeps the index of the tree at root. It is to be closed. With wait a
// question waits for the first index, however long that takes.
func (f *factory) keeper(root string, o *scanOptions, wait bool) (*fresh.Server, error) {
	if root == "" {
		root = "."
	}
	patience := time.Duration(indexPatience)
	if wait {
		patience = math.MaxInt64
	}
	p, err := fresh.At(context.TODO(), root, f.cacheDir)
	if err != nil {
		return nil, scanError(err)
	}
	return fresh.NewServer(fresh.Options{Place: p, Include: o.Include, Exclude: o.Exclude, MaxFileSize: int64(o.MaxFileSize),
		MaxAge: indexMaxAge, Patience: patience, Note: func(s string) { f.notef("%s", s) }}), nil
}

// codeTools are the tools over an index that is kept. readable says whose source
// may be shown, nil all.
func codeTools(k *fresh.Server, readable func(path string) bool) []agent.Tool {
	return codebase.Tools(codebase.Options{Source: k, Detectors: rules.All(), Readable: readable})
}

// toolInfo is a tool for describe.
type toolInfo struct {
	Name        string          `json:"name"`
	Doc         string          `json:"doc"`
	Schema      json.RawMessage `json:"schema"`
	ReadOnly    bool            `json:"read_only"`
	Destructive bool            `json:"destructive,omitempty"`
	Idempotent  bool            `json:"idempotent,omitempty"`
	OpenWorld   bool            `json:"open_world,omitempty"`
}

// toolInfos describes tools.
func toolInfos(tools []agent.Tool) (out []toolInfo) {
	for _, t := range tools {
		s := t.Spec()
		out = append(out, toolInfo{s.Name, s.Description, s.Schema, s.ReadOnly, s.Destructive, s.Idempotent, s.OpenWorld})
	}
	return out
}

// newScanOptions are the scan options of a command that scans by itself.
func newScanOptions(f *factory) scanOptions {
	return scanOptions{f: f, MaxFileSize: scan.DefaultMaxFileSize}
}
