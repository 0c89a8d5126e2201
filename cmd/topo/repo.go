package main

import (
	"context"
	"strings"
	"sync"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/settings"
	"github.com/topo-dev/topo/stream"
)

// open settles the options of the running command and opens the repository that it
// is about: that of the stream s, or else the one that --root or the current folder
// names. rev is a commit, empty for the working tree.
func (f *factory) open(ctx context.Context, s *stream.Stream, rev string) (*topo.Repo, error) {
	var root string
	var err error
	if s != nil {
		root, err = f.settleStream(s.Header.Root)
		rev = s.Header.Rev
	} else {
		root, err = f.settle("")
	}
	if err != nil {
		return nil, err
	}
	services, err := f.services()
	if err != nil {
		return nil, err
	}
	o := topo.Options{Exact: s != nil || f.rootGiven, Rev: rev, CacheDir: f.cacheDir, IndexFile: f.indexFile, Services: services, Report: f.report()}
	if s != nil && o.IndexFile == "" {
		o.IndexFile = s.Header.Index
	}
	if !o.Exact {
		root = "" // it is found again, with the folder in it
	}
	if size, ok := f.flagValue("max-file-size").(*sizeValue); ok {
		o.MaxFileSize = int64(*size)
	}
	return topo.Open(ctx, root, o)
}

// services are those that the environment configures. Nothing is sent.
func (f *factory) services() (*topo.Services, error) {
	s, err := topo.ConfigureServices(f.env)
	if err != nil {
		return nil, usageError{err}
	}
	return s, nil
}

func (f *factory) env(name string) string {
	v, _ := f.lookupEnv(name)
	return strings.TrimSpace(v)
}

// report shows on standard error what the library reports.
func (f *factory) report() topo.Report {
	var mu sync.Mutex
	bars := map[string]*bar{}
	return topo.Report{
		Note:   func(text string) { f.notef("%s", text) },
		Detail: func(text string) { f.verbosef("%s", text) },
		Progress: func(stage string, done, total int) {
			mu.Lock()
			defer mu.Unlock()
			b := bars[stage]
			switch {
			case done < 0 && b != nil:
				b.finish()
				delete(bars, stage)
			case b == nil && done >= 0:
				if stage == "index" {
					collectAfter(quietUpdate)
				}
				bars[stage] = f.progress(stage, total)
			case b != nil && total < 0:
				b.done(done)
			case b != nil:
				b.of(done, total)
			}
		},
	}
}

// fromConfig reports whether a setting's value comes from the repository's own
// configuration.
func (f *factory) fromConfig(name string) bool {
	return f.setting(name).Origin.Level == settings.FromProject
}

// setting is a setting as it was decided.
func (f *factory) setting(name string) settings.Value {
	for _, v := range f.settings {
		if v.Name == name {
			return v
		}
	}
	return settings.Value{}
}
