package index

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// The constants of the format; doc.go gives their meaning byte by byte.
const (
	// FormatVersion is the version this build writes and the newest it reads.
	FormatVersion = 2

	magic      = "topoidx\x00"
	headerSize = 256
	tableEntry = 40
	pageSize   = 16 << 10 // unit of checksums: small enough that a term lookup hashes little
	alignment  = 8
	maxTable   = 256 // more sections than any version will have

	headField = 64 // room for a commit id in hex
)

// Section tags.
const (
	secFiles    = "FILE"
	secPaths    = "PATH"
	secStrings  = "STRS"
	secTargets  = "TARG"
	secTermIdx  = "TIDX"
	secTerms    = "TERM"
	secPostings = "POST"
	secEntries  = "ENTR"
	secChunks   = "CHNK"
	secForward  = "EDGF"
	secBackward = "EDGB"
	secRank     = "RANK"
	secCommits  = "HCOM"
	secHistStr  = "HSTR"
	secFileHist = "HFIL"
	secContent  = "CONT"
	secSums     = "SUMS"
)

// sectionTags lists the sections in the order in which they are in the file.
var sectionTags = [...]string{
	secFiles, secPaths, secStrings, secTargets, secTermIdx, secTerms, secPostings, secEntries, secChunks,
	secForward, secBackward, secRank,
	GraphNodes, GraphStrings, GraphNames, GraphOut, GraphIn, GraphRanks,
	secCommits, secHistStr, secFileHist, secContent, secSums,
}

var le = binary.LittleEndian

// header is the fixed part before the section table.
type header struct {
	version   uint32
	sections  uint32
	fileSize  uint64
	chunker   uint32 // parserVersion
	tokenizer uint32 // token.Version
	linker    uint32 // Input.LinksVersion
	files     uint32
	entries   uint32
	terms     uint32
	commits   uint32
	grapher   uint32    // Input.GraphVersion
	lens      [3]uint64 // sum of the files' lengths by field
	history   uint64    // digest of the history facts
	head      string    // commit that the history belongs to
}

// tableRow describes one section.
type tableRow struct {
	tag    string
	offset uint64 // from the start of the file, a multiple of alignment
	length uint64 // without padding
	raw    uint64 // bytes of what the section stands for, before coding
	sum    uint64 // xxhash64 of the section's page sums; of SUMS its own bytes
}

// pages is the number of checksums of a section.
func (r tableRow) pages() uint64 { return (r.padded() + pageSize - 1) / pageSize }

// padded is the length with the zeros that follow the section.
func (r tableRow) padded() uint64 { return (r.length + alignment - 1) &^ (alignment - 1) }

func (h *header) encode(rows []tableRow) []byte {
	b := make([]byte, headerSize+len(rows)*tableEntry+8)
	copy(b, magic)
	le.PutUint32(b[8:], h.version)
	le.PutUint32(b[12:], uint32(len(rows)))
	le.PutUint64(b[16:], h.fileSize)
	for i, v := range []uint32{h.chunker, h.tokenizer, h.linker, h.files, h.entries, h.terms, h.commits, h.grapher} {
		le.PutUint32(b[24+4*i:], v)
	}
	for i, v := range h.lens {
		le.PutUint64(b[56+8*i:], v)
	}
	le.PutUint64(b[80:], h.history)
	copy(b[88:88+headField], h.head)
	for i, r := range rows {
		p := b[headerSize+i*tableEntry:]
		copy(p[:4], r.tag)
		le.PutUint64(p[8:], r.offset)
		le.PutUint64(p[16:], r.length)
		le.PutUint64(p[24:], r.raw)
		le.PutUint64(p[32:], r.sum)
	}
	le.PutUint64(b[len(b)-8:], xxhash.Sum64(b[:len(b)-8]))
	return b
}

// decodeHeader reads header and table from the start of data, the whole file.
func decodeHeader(path string, data []byte) (*header, []tableRow, error) {
	bad := func(format string, args ...any) (*header, []tableRow, error) {
		return nil, nil, &CorruptError{path, "header", fmt.Sprintf(format, args...)}
	}
	if len(data) < headerSize || string(data[:8]) != magic {
		return bad("not a topo index, or cut short")
	}
	h := &header{version: le.Uint32(data[8:]), sections: le.Uint32(data[12:]), fileSize: le.Uint64(data[16:])}
	if h.version > FormatVersion {
		return nil, nil, &VersionError{path, h.version, FormatVersion}
	}
	if h.version == 0 || h.sections > maxTable {
		return bad("version %d with %d sections", h.version, h.sections)
	}
	end := headerSize + int(h.sections)*tableEntry
	if len(data) < end+8 {
		return bad("cut short in the section table")
	}
	if xxhash.Sum64(data[:end]) != le.Uint64(data[end:]) {
		return bad("checksum of header and table differs")
	}
	if h.fileSize != uint64(len(data)) {
		return bad("%d bytes long, should be %d", len(data), h.fileSize)
	}
	for i, p := range []*uint32{&h.chunker, &h.tokenizer, &h.linker, &h.files, &h.entries, &h.terms, &h.commits, &h.grapher} {
		*p = le.Uint32(data[24+4*i:])
	}
	for i := range h.lens {
		h.lens[i] = le.Uint64(data[56+8*i:])
	}
	h.history = le.Uint64(data[80:])
	n := 0
	for n < headField && data[88+n] != 0 {
		n++
	}
	h.head = string(data[88 : 88+n])
	rows, err := decodeTable(path, data, int(h.sections), uint64(end+8))
	return h, rows, err
}

// decodeTable reads the rows and checks that the sections follow each other
// without gap or overlap from start to the end of the file.
func decodeTable(path string, data []byte, n int, start uint64) ([]tableRow, error) {
	rows := make([]tableRow, n)
	at, size := start, uint64(len(data))
	for i := range rows {
		p := data[headerSize+i*tableEntry:]
		r := tableRow{string(p[:4]), le.Uint64(p[8:]), le.Uint64(p[16:]), le.Uint64(p[24:]), le.Uint64(p[32:])}
		if r.offset != at || r.length > size-at || r.padded() > size-at {
			return nil, &CorruptError{path, "header", fmt.Sprintf("section %q at %d does not follow the one before it", r.tag, r.offset)}
		}
		at += r.padded()
		rows[i] = r
	}
	if at != size {
		return nil, &CorruptError{path, "header", "bytes after the last section"}
	}
	return rows, nil
}

// IsIndex reports whether a file begins as an index does.
func IsIndex(name string) (bool, error) {
	file, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	var head [len(magic)]byte
	n, err := io.ReadFull(file, head[:])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return n == len(magic) && string(head[:]) == magic, err
}
