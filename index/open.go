package index

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
	mmap "github.com/edsrzf/mmap-go"
	"github.com/klauspost/compress/zstd"
)

// Index is an open index file. It is read only and safe for concurrent use.
// Byte slices that its methods take as a buffer are the caller's; nothing that
// a method returns points into the mapping, except where its comment says so.
type Index struct {
	path     string
	data     mmap.MMap
	head     *header
	rows     []tableRow
	sections map[string]*section

	files, paths, strs, targets   *section
	termIdx, terms, postings      *section
	entries, chunks, content      *section
	forward, backward, rank       *section
	commits, histStr, fileHistory *section
	graphs                        [len(graphTags)]*section

	stringsOnce sync.Once
	strings     []string
	stringsErr  error

	decoderOnce sync.Once
	decoder     *zstd.Decoder

	sticky atomic.Pointer[error]
}

// Open maps the index file at path and checks its header and section table;
// the rest is checked when it is first read. The error is a [*CorruptError], a
// [*VersionError], or the operating system's (fs.ErrNotExist when there is no file).
func Open(path string) (*Index, error) {
	notIndex := &CorruptError{path, "header", "not a topo index, or cut short"}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, notIndex // opening a pipe would wait for a writer
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if !st.Mode().IsRegular() || st.Size() < headerSize {
		return nil, notIndex
	}
	data, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("index %s: map: %w", path, err)
	}
	x, err := newIndex(path, data)
	if err != nil {
		return nil, errors.Join(err, data.Unmap())
	}
	return x, nil
}

// newIndex checks header and table of data, a whole index file.
func newIndex(path string, data []byte) (*Index, error) {
	head, rows, err := decodeHeader(path, data)
	if err != nil {
		return nil, err
	}
	x := &Index{path: path, data: data, head: head, rows: rows, sections: map[string]*section{}}
	if len(rows) == 0 || rows[len(rows)-1].tag != secSums {
		return nil, &CorruptError{path, "header", "the last section is not " + secSums}
	}
	sumsRow := rows[len(rows)-1]
	sums := data[sumsRow.offset : sumsRow.offset+sumsRow.length]
	at := uint64(0)
	for _, r := range rows[:len(rows)-1] {
		n := 8 * r.pages()
		if n > uint64(len(sums))-at || x.sections[r.tag] != nil {
			return nil, &CorruptError{path, "header", fmt.Sprintf("section %q has no checksums or is there twice", r.tag)}
		}
		x.sections[r.tag] = newSection(path, r, data[r.offset:r.offset+r.padded()], sums[at:at+n])
		at += n
	}
	if at != uint64(len(sums)) {
		return nil, &CorruptError{path, "header", "more checksums than pages"}
	}
	return x, x.bindSections()
}

// bindSections finds the sections that this version reads and checks the lengths that
// follow from the header's counts.
func (x *Index) bindSections() error {
	h := x.head
	files, entries := uint64(h.files), uint64(h.entries)
	blocks := (uint64(h.terms) + termBlock - 1) / termBlock
	for _, b := range []struct {
		tag string
		to  **section
		len int64 // -1 is any
	}{
		{secFiles, &x.files, int64(files * fileRecord)}, {secPaths, &x.paths, -1}, {secStrings, &x.strs, -1},
		{secTargets, &x.targets, -1}, {secTermIdx, &x.termIdx, int64(blocks * termIdxRecord)}, {secTerms, &x.terms, -1},
		{secPostings, &x.postings, -1}, {secEntries, &x.entries, int64(entries * entryRecord)}, {secChunks, &x.chunks, -1},
		{secForward, &x.forward, -1}, {secBackward, &x.backward, -1}, {secRank, &x.rank, -1},
		{secCommits, &x.commits, int64(uint64(h.commits) * commitRecord)}, {secHistStr, &x.histStr, -1},
		{secFileHist, &x.fileHistory, -1}, {secContent, &x.content, -1},
	} {
		s := x.sections[b.tag]
		if s == nil {
			return &CorruptError{x.path, b.tag, "missing"}
		}
		if b.len >= 0 && s.len() != uint64(b.len) {
			return s.corrupt("%d bytes long, should be %d", s.len(), b.len)
		}
		*b.to = s
	}
	for i, tag := range graphTags { // version 1 had none
		if x.graphs[i] = x.sections[tag]; x.graphs[i] == nil && h.version > 1 {
			return &CorruptError{x.path, tag, "missing"}
		}
	}
	return nil
}

// Close unmaps the file. The index must not be used afterwards.
func (x *Index) Close() error {
	if x.decoder != nil {
		x.decoder.Close()
	}
	return x.data.Unmap()
}

// Err is the first damage met by a method that has no error result of its own
// ([Index.Lookup], [Index.PageRank]); nil when there was none.
func (x *Index) Err() error {
	if p := x.sticky.Load(); p != nil {
		return *p
	}
	return nil
}

func (x *Index) setError(err error) { x.sticky.CompareAndSwap(nil, &err) }

// Path is the name the index was opened by.
func (x *Index) Path() string { return x.path }

// NumFiles is the number of files; they are numbered from 0 in path order.
func (x *Index) NumFiles() int { return int(x.head.files) }

// NumTerms is the number of distinct terms.
func (x *Index) NumTerms() int { return int(x.head.terms) }

// TotalLen is the sum over all files of [File.Len].
func (x *Index) TotalLen() [3]uint64 { return x.head.lens }

// Head is the commit that the history facts belong to, empty when there is none.
func (x *Index) Head() string { return x.head.head }

// SectionInfo describes one section for inspection.
type SectionInfo struct {
	Tag      string
	Offset   int64  // from the start of the file
	Length   int64  // bytes in the file, without padding
	Raw      int64  // bytes of what it stands for before coding and compression
	Checksum uint64 // xxhash64 of its page checksums
}

// Sections lists the sections in file order, unknown ones included.
func (x *Index) Sections() []SectionInfo {
	out := make([]SectionInfo, len(x.rows))
	for i, r := range x.rows {
		out[i] = SectionInfo{r.tag, int64(r.offset), int64(r.length), int64(r.raw), r.sum}
	}
	return out
}

// checkSums verifies every byte of the file against its checksum.
func (x *Index) checkSums() error {
	sums := x.rows[len(x.rows)-1]
	padded := x.data[sums.offset : sums.offset+sums.padded()]
	if xxhash.Sum64(padded) != sums.sum {
		return &CorruptError{x.path, secSums, "checksum differs"}
	}
	for _, r := range x.rows[:len(x.rows)-1] {
		if err := x.sections[r.tag].check(); err != nil {
			return err
		}
	}
	return nil
}
