package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	topo "github.com/topo-dev/topo"
)

// ShallowPreset is the preset in the header of a shallow index.
const ShallowPreset = "index"

// WriteShallow writes a shallow index: a stream of the files, which replaces
// the file at path in one step under its lock. The header's version and preset
// and the footer are filled in. scanned is the number of files the scan saw.
func WriteShallow(ctx context.Context, path string, h topo.Header, files []topo.File, scanned int) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	unlock, err := lock(ctx, path)
	if err != nil {
		return err
	}
	defer unlock()
	h.Version, h.Preset = topo.StreamVersion, ShallowPreset
	return replace(path, createFile, func(f writeFile) error {
		w := topo.NewWriter(f)
		if err := w.Write(h); err != nil {
			return err
		}
		foot := topo.Footer{TotalFiles: len(files), ScannedFiles: scanned}
		for i := range files {
			if i%1024 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := w.Write(&files[i]); err != nil {
				return err
			}
			foot.TotalTokens += files[i].Tokens
		}
		if err := w.Write(foot); err != nil {
			return err
		}
		return w.Flush()
	}, nil)
}

// ReadShallow reads a shallow index. The error is a [*topo.StreamError] with
// the file's name around it when it is damaged or of a newer version, and the
// operating system's when it cannot be read.
func ReadShallow(path string) (topo.Header, []topo.File, topo.Footer, error) {
	var h topo.Header
	var foot topo.Footer
	f, err := os.Open(path)
	if err != nil {
		return h, nil, foot, fmt.Errorf("index: %w", err)
	}
	defer f.Close()
	fail := func(err error) (topo.Header, []topo.File, topo.Footer, error) {
		return topo.Header{}, nil, topo.Footer{}, fmt.Errorf("shallow index %s: %w; rebuild it with: topo index --force", path, err)
	}
	var files []topo.File
	for r := topo.NewReader(f); ; {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fail(err)
		}
		switch rec.Kind {
		case topo.KindHeader:
			h, err = rec.Header()
		case topo.KindFile:
			var file topo.File
			file, err = rec.File()
			files = append(files, file)
		case topo.KindFooter:
			foot, err = rec.Footer()
		}
		if err != nil {
			return fail(err)
		}
	}
	if foot.TotalFiles != len(files) {
		return fail(fmt.Errorf("%d files where the footer says %d", len(files), foot.TotalFiles))
	}
	return h, files, foot, nil
}
