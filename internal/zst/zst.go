// Package zst reads and writes zstd files transparently: by the name when
// writing, by the first bytes when reading.
//
// What always holds: reading takes bounded memory, and never gives more bytes
// than the limit, whatever the file claims; a file that is cut short or damaged
// is an error, never a short read.
package zst

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Ext is the extension that asks for compression.
const Ext = ".zst"

// maxWindow bounds the memory of one decoder, in bytes. The encoder's default
// window is 8 MiB; "zstd --ultra" may use up to 128 MiB, which is refused.
const maxWindow = 32 << 20

// ErrTooLarge is what reading past the limit gives: the file decompresses to
// more than the caller allows.
var ErrTooLarge = errors.New("zst: decompressed size is over the limit")

var magic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// Compressed reports whether a file of that name is written compressed.
func Compressed(name string) bool { return strings.HasSuffix(name, Ext) }

// NewReader returns the content of r: decompressed when it starts as a zstd
// frame does, as it is otherwise. After limit decompressed bytes reading fails
// with [ErrTooLarge]; 0 means no limit. Content that is not compressed has no
// limit, because it cannot be larger than what was sent. Close frees the
// decoder and does not close r.
func NewReader(r io.Reader, limit int64) (io.ReadCloser, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	head, err := br.Peek(len(magic))
	if err != nil && err != io.EOF {
		return nil, err
	}
	if string(head) != string(magic) {
		return io.NopCloser(br), nil
	}
	dec, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, fmt.Errorf("zst: %w", err)
	}
	return &reader{dec: dec, left: limit, limited: limit > 0}, nil
}

type reader struct {
	dec     *zstd.Decoder
	left    int64
	limited bool
}

func (r *reader) Read(p []byte) (int, error) {
	if r.limited && int64(len(p)) > r.left+1 {
		p = p[:r.left+1] // one more byte tells whether there is more
	}
	n, err := r.dec.Read(p)
	if r.limited {
		if int64(n) > r.left {
			return int(r.left), ErrTooLarge
		}
		r.left -= int64(n)
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("zst: the file is damaged or cut short: %w", err)
	}
	return n, err
}

func (r *reader) Close() error {
	r.dec.Close()
	return nil
}

// NewWriter returns a writer to w that compresses when name ends in [Ext] and
// passes through otherwise. Close completes the frame and does not close w.
func NewWriter(w io.Writer, name string) (io.WriteCloser, error) {
	if !Compressed(name) {
		return passthrough{w}, nil
	}
	enc, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("zst: %w", err)
	}
	return enc, nil
}

type passthrough struct{ io.Writer }

func (passthrough) Close() error { return nil }
