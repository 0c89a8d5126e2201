package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"

	"github.com/topo-dev/topo/stream"
)

// ShallowPreset is the preset in the header of a shallow index.
const ShallowPreset = "index"

// shallowFooter is a footer with the checksum of every line before it and of
// its own other fields.
type shallowFooter struct {
	stream.Footer
	Xxhash64 string // 16 hexadecimal digits
}

// signed puts the checksum into a footer; lines are those before it.
func signed(foot stream.Footer, lines *xxhash.Digest) (shallowFooter, error) {
	own, err := json.Marshal(foot)
	if err != nil {
		return shallowFooter{}, err
	}
	_, _ = lines.Write(own)
	return shallowFooter{foot, fmt.Sprintf("%016x", lines.Sum64())}, nil
}

// WriteShallow writes a shallow index: a stream of the files, which replaces
// the file at path in one step under its lock, unless that holds the same bytes
// already. The header's version and preset and the footer are filled in.
// scanned is the number of files the scan saw.
func WriteShallow(ctx context.Context, path string, h stream.Header, files []stream.File, scanned int) error {
	text, err := shallowText(ctx, h, files, scanned)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	unlock, err := lock(ctx, path)
	if err != nil {
		return err
	}
	defer unlock()
	return replace(path, createFile, func(f writeFile) error {
		_, err := f.Write(text)
		return err
	}, nil)
}

// shallowText is the whole of a shallow index.
func shallowText(ctx context.Context, h stream.Header, files []stream.File, scanned int) ([]byte, error) {
	h.Version, h.Preset = stream.StreamVersion, ShallowPreset
	var buf bytes.Buffer
	w := stream.NewWriter(&buf)
	if err := w.Write(h); err != nil {
		return nil, err
	}
	foot := stream.Footer{TotalFiles: len(files), ScannedFiles: scanned}
	for i := range files {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := w.Write(&files[i]); err != nil {
			return nil, err
		}
		foot.TotalTokens += files[i].Tokens
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	sum := xxhash.New()
	_, _ = sum.Write(buf.Bytes())
	last, err := signed(foot, sum)
	if err != nil {
		return nil, err
	}
	if err := w.Write(last); err != nil {
		return nil, err
	}
	err = w.Flush()
	return buf.Bytes(), err
}

// ReadShallow reads a shallow index. The error is a [*stream.StreamError] with
// the file's name around it when it is damaged or of a newer version, and the
// operating system's when it cannot be read.
func ReadShallow(path string) (stream.Header, []stream.File, stream.Footer, error) {
	var h stream.Header
	var foot stream.Footer
	data, err := os.ReadFile(path)
	if err != nil {
		return h, nil, foot, fmt.Errorf("index: %w", err)
	}
	fail := func(err error) (stream.Header, []stream.File, stream.Footer, error) {
		return stream.Header{}, nil, stream.Footer{}, fmt.Errorf("shallow index %s: %w; rebuild it with: topo index --force", path, err)
	}
	var files []stream.File
	for r := stream.NewReader(bytes.NewReader(data)); ; {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fail(err)
		}
		switch rec.Kind {
		case stream.KindHeader:
			h, err = rec.Header()
		case stream.KindFile:
			var file stream.File
			file, err = rec.File()
			files = append(files, file)
		case stream.KindFooter:
			foot, err = rec.Footer()
		}
		if err != nil {
			return fail(err)
		}
	}
	if foot.TotalFiles != len(files) {
		return fail(fmt.Errorf("%d files where the footer says %d", len(files), foot.TotalFiles))
	}
	if err := checkShallow(data); err != nil {
		return fail(err)
	}
	return h, files, foot, nil
}

// checkShallow compares the checksum in the last line with the lines before it.
func checkShallow(data []byte) error {
	last := bytes.LastIndexByte(bytes.TrimRight(data, "\n"), '\n') + 1
	var foot shallowFooter
	if err := json.Unmarshal(data[last:], &foot); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	sum := xxhash.New()
	_, _ = sum.Write(data[:last])
	want, err := signed(foot.Footer, sum)
	if err != nil {
		return err
	}
	line, err := json.Marshal(want)
	if err != nil {
		return err
	}
	if !bytes.Equal(append(line, '\n'), data[last:]) {
		return errors.New("its checksum does not match")
	}
	return nil
}
