package index

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// maxContent bounds what one block may unpack to, bytes. A scan's limit is far
// below; this only keeps a damaged length from allocating memory.
const maxContent = 1 << 30

func newEncoder() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true),
		zstd.WithSingleSegment(true)) // then every block holds its length
}

func newDecoder() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxContent), zstd.WithDecoderLowmem(true))
}

// pack compresses one content into a block. A content that does not shrink is
// stored as it is: its block is then as long as the content.
func pack(enc *zstd.Encoder, content []byte) []byte {
	out := enc.EncodeAll(content, make([]byte, 0, len(content)/3+64))
	if len(out) >= len(content) {
		out = append(out[:0], content...)
	}
	return out
}

// unpack appends the content of a block to buf[:0].
func unpack(dec *zstd.Decoder, block []byte, raw uint32, buf []byte) ([]byte, error) {
	if uint64(len(block)) == uint64(raw) {
		return append(buf[:0], block...), nil
	}
	var h zstd.Header
	if err := h.Decode(block); err != nil {
		return nil, err
	}
	if !h.HasFCS || h.FrameContentSize != uint64(raw) || raw > maxContent {
		return nil, fmt.Errorf("block of %d bytes where %d should be", h.FrameContentSize, raw)
	}
	if cap(buf) < int(raw) {
		buf = make([]byte, 0, raw)
	}
	out, err := dec.DecodeAll(block, buf[:0])
	if err == nil && len(out) != int(raw) {
		err = fmt.Errorf("block of %d bytes where %d should be", len(out), raw)
	}
	return out, err
}

// Content appends the content of file id, as it was indexed, to buf[:0]. It is
// empty for a file whose content is not used.
func (x *Index) Content(id int, buf []byte) ([]byte, error) {
	r, ok, err := x.fileEntry(id)
	if err != nil || !ok {
		return buf[:0], err
	}
	return x.unpackEntry(r, buf)
}

func (x *Index) unpackEntry(r entryRow, buf []byte) ([]byte, error) {
	block, err := x.content.span(r.contentOff, uint64(r.packed))
	if err != nil {
		return nil, err
	}
	x.decoderOnce.Do(func() { x.decoder, err = newDecoder() })
	if x.decoder == nil {
		return nil, fmt.Errorf("index: zstd: %w", err)
	}
	out, err := unpack(x.decoder, block, r.raw, buf)
	if err != nil {
		return nil, x.content.corrupt("block at %d: %v", r.contentOff, err)
	}
	return out, nil
}
