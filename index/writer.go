package index

import (
	"io"

	"github.com/cespare/xxhash/v2"
)

// sink is what an index is written to; a file, or a fake that fails.
type sink interface {
	io.Writer
	io.WriterAt
}

// fileWriter writes sections one after the other and sums their pages. The
// header, which needs all sums, is written last, at the start. After the first
// error every call does nothing.
type fileWriter struct {
	to   sink
	buf  []byte // whole pages waiting to be written
	off  uint64 // bytes written and waiting
	rows []tableRow
	sums []byte // all pages so far
	from int    // where the current section's sums start
	err  error
}

// newFileWriter leaves room for the header in front.
func newFileWriter(to sink) *fileWriter {
	w := &fileWriter{to: to, buf: make([]byte, 0, 64*pageSize)}
	_, w.err = to.Write(make([]byte, headerBytes))
	w.off = uint64(headerBytes)
	return w
}

const headerBytes = headerSize + len(sectionTags)*tableEntry + 8

// begin starts a section.
func (w *fileWriter) begin(tag string) {
	w.rows = append(w.rows, tableRow{tag: tag, offset: w.off})
	w.from = len(w.sums)
}

func (w *fileWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && w.err == nil {
		k := min(len(p), cap(w.buf)-len(w.buf))
		w.buf = append(w.buf, p[:k]...)
		p = p[k:]
		if len(w.buf) == cap(w.buf) {
			w.flush()
		}
	}
	w.off += uint64(n)
	return n, w.err
}

// flush sums and writes what waits: whole pages, or the end of a section.
func (w *fileWriter) flush() {
	for p := w.buf; len(p) > 0; p = p[min(pageSize, len(p)):] {
		w.sums = le.AppendUint64(w.sums, xxhash.Sum64(p[:min(pageSize, len(p))]))
	}
	if w.err == nil {
		_, w.err = w.to.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// end finishes the section that stands for raw bytes; 0 is as long as it is.
func (w *fileWriter) end(raw uint64) {
	row := &w.rows[len(w.rows)-1]
	row.length = w.off - row.offset
	row.raw = raw
	if raw == 0 {
		row.raw = row.length
	}
	w.Write(make([]byte, row.padded()-row.length))
	w.flush()
	row.sum = xxhash.Sum64(w.sums[w.from:])
}

// section writes a section that is at hand.
func (w *fileWriter) section(tag string, data []byte, raw uint64) {
	w.begin(tag)
	w.Write(data)
	w.end(raw)
}

// finish writes the checksums, then header and table.
func (w *fileWriter) finish(h *header) error {
	sums := w.sums
	w.section(secSums, sums, 0)
	w.rows[len(w.rows)-1].sum = xxhash.Sum64(sums)
	h.version, h.fileSize = FormatVersion, w.off
	if w.err == nil {
		_, w.err = w.to.WriteAt(h.encode(w.rows), 0)
	}
	return w.err
}
