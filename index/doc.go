// Package index keeps what topo knows of one tree of files in one immutable,
// memory-mapped file: files, terms, postings, chunks, facts, imports, import
// edges, PageRank, the code graph, history facts and the contents themselves.
//
// What always holds:
//
//   - The bytes of an index depend on paths, contents, languages, roles, history
//     facts, links and graph alone: no clock, no inode, no absolute path, no number of
//     cores. An updated index equals one built from scratch, byte for byte.
//   - Opening reads header and section table. Every other byte is checked
//     against its page's checksum when it is first used, and every number read
//     is checked against the bounds of what it points to: damage is a
//     [*CorruptError] that names the section and the command that rebuilds,
//     never a panic and never a wrong answer.
//   - A file is replaced in one step; readers see the old index or the new one.
//     Two writers exclude each other. A writer that is killed, or whose disk is
//     full, leaves the old index as it was.
//   - Frequencies of a posting saturate at 15 (filename), 4095 (symbols) and
//     65535 (body); lengths of fields are exact.
//   - Each path is there once; files are numbered from 0 in the order of their
//     paths' bytes.
//
// Not guarded against: somebody who truncates an index file in place while it
// is mapped, which the system answers with a fault. topo itself never does.
//
// # The file
//
// All numbers are little-endian. u16, u32 and u64 are unsigned numbers of 2, 4
// and 8 bytes; uv is an unsigned LEB128 number of 7 bits a byte, sv the same of
// a zigzag-coded signed number; str is a uv length and so many bytes.
//
//	offset  size      meaning
//	0       256       header
//	256     40 × n    section table, n sections in file order
//	…       8         xxhash64 of all bytes before it
//	…                 sections, each padded with zeros to a multiple of 8
//
// Sections follow each other without gaps, in the order of the table, and the
// last ends the file. A tag that a reader does not know is skipped. A file of a
// newer format version is refused with a [*VersionError].
//
// # Header
//
//	offset  size  meaning
//	0       8     "topoidx\0"
//	8       4     u32 format version, 2
//	12      4     u32 number of sections
//	16      8     u64 length of the file, bytes
//	24      4     u32 version of the parser: chunk.Version + 65536 × chunk.FactsVersion
//	28      4     u32 token.Version of the tokenizer
//	32      4     u32 version of the linker, 0 when there was none
//	36      4     u32 number of files
//	40      4     u32 number of entries
//	44      4     u32 number of terms
//	48      4     u32 number of commits
//	52      4     u32 version of the graph builder, 0 when there was none
//	56      24    u64 × 3 sum of all files' lengths in terms: filename, symbols, body
//	80      8     u64 xxhash64 of the history facts as they were given, 0 without any
//	88      64    commit id that the history belongs to, zero-padded
//	152     104   zero
//
// # Section table
//
//	offset  size  meaning
//	0       4     tag, ASCII
//	4       4     zero
//	8       8     u64 offset from the start of the file
//	16      8     u64 length without padding
//	24      8     u64 bytes of what it stands for before coding, for inspection
//	32      8     u64 xxhash64 of the section's page checksums; for SUMS, of its own bytes
//
// SUMS is the last section. It holds, for each other section in the order of
// the table, one u64 xxhash64 for each 16 KiB page of it, counted from the
// section's start, padding included; the last page may be shorter. A reader
// thus hashes the pages it touches and the list of their section's checksums,
// not sections of tens of megabytes.
//
// # Files
//
// FILE holds a record of 72 bytes for each file:
//
//	offset  size  meaning
//	0       4     u32 offset of the path in PATH; it ends where the next one starts
//	4       2     u16 language, a number in STRS
//	6       2     u16 role, likewise
//	8       2     u16 why the content is not used, likewise; "" when it is
//	10      2     zero
//	12      4     u32 entry; 2³²−1 when the content is not used
//	16      8     u64 size, bytes
//	24      12    u32 × 3 length in terms: filename, symbols, body
//	36      4     zero
//	40      32    SHA-256 of the content, zero when it was not read
//
// PATH holds the paths one after the other, STRS a sorted list of str, TARG for
// each symbolic link a uv (its file's number less that of the link before it)
// and a str, the target.
//
// # Terms
//
// Terms are sorted by their bytes and grouped in blocks of 64. TIDX holds for
// each block the u64 offset of the block in TERM and the u64 offset of its
// first term's list in POST. TERM holds for each term:
//
//	size  meaning
//	1     high four bits: bytes shared with the term before, low four: other bytes
//	0–1   when the high four bits are 15: shared bytes less 15
//	0–1   when the low four bits are 15: other bytes less 15
//	…     the other bytes
//	uv    number of files that hold the term
//	uv    length of its list in POST, bytes
//
// The first term of a block shares nothing. The lists are in POST without
// gaps, in the order of the terms. A list holds for each file, ascending, a uv
// whose low two bits are the form and whose others are the file's number less
// the lowest it could have (0, or the file before plus 1), and then:
//
//	form  follows
//	0     nothing: once in the body
//	1     uv frequency in the body less 2; not in filename and symbols
//	2     uv body, uv symbols; not in the filename
//	3     uv filename, uv symbols, uv body
//
// The filename field is the whole path; the symbols field is the bare names of
// all chunks but imports; the body field is the whole content.
//
// # Entries
//
// An entry is what is kept of one content in one language and with one file
// name extension; files that agree in the three share it. Entries are numbered
// in the order of the first file that has each. ENTR holds 32 bytes for each:
//
//	offset  size  meaning
//	0       4     u32 the first file that has it
//	4       4     u32 length of the content
//	8       8     u64 offset in CHNK
//	16      4     u32 length in CHNK
//	20      4     u32 length in CONT
//	24      8     u64 offset in CONT
//
// CONT holds the contents, each a zstd frame of its own with its length in the
// frame's header and without a checksum, or the content as it is when the frame
// would not be shorter, which its length tells. Entries with the same SHA-256
// share a block. CHNK holds for each entry:
//
//	uv    1 when the source had syntax errors, else 0
//	str   the parser
//	uv    length of the chunks that follow, bytes
//	uv    number of chunks
//	…     chunks
//	uv    number of imports
//	…     for each: str path, sv line less the line of the one before
//	…     to the end: the facts, as chunk.Facts.Append codes them; nothing when
//	      there are none (and in version 1)
//
// and for each chunk:
//
//	1     kind, as chunk.Kind numbers them
//	str   name
//	uv    scope: 0 none, n the n-th scope that this list has named so far
//	str   the scope, only when n is one more than there were
//	sv    start less the start of the chunk before
//	sv    end less start
//	sv    start line less the start line of the chunk before
//	sv    end line less start line
//	sv    end of the signature less start
//	sv    length of the doc comment; when it is 0 nothing follows
//	sv    start less start of the doc comment
//	sv    start line less line of the doc comment
//
// # Links and history
//
// EDGF and EDGB hold the import edges forward and backward in compressed sparse
// rows: u32 × (files + 1) offsets, then u32 targets, ascending in each row. Both
// are empty when there are no edges. RANK holds a float32 for each file, or
// nothing.
//
// HCOM holds 32 bytes for each commit, newest first: i64 time in Unix seconds,
// then offset and length (u32 each) of id, author and subject in HSTR. HFIL holds
// rows as EDGF does: the commits that touched each file, newest first.
//
// # The code graph
//
// GNOD, GSTR, GNAM, GOUT, GINC and GRNK hold the code graph. All are empty when
// none was built; version 1 lacks them. The index only keeps them; package
// index/graph documents their bytes.
//
// # Order of writing, and why
//
// The sections are written in the order FILE PATH STRS TARG TIDX TERM POST ENTR
// CHNK EDGF EDGB RANK GNOD GSTR GNAM GOUT GINC GRNK HCOM HSTR HFIL CONT SUMS:
// what every query reads is together at the front, and the contents, of
// which a query reads a few, come last. The header is written after all of
// them, because it needs their checksums. Up to then it is zero, so a file
// cut short is no index. Then the file is synced, mapped and verified in full,
// renamed, and the folder is synced. The name while writing is <index>.tmp; the
// lock is held on <index>.lock, which stays.
//
// # The evicted-entry cache
//
// An index may have a side file <index>.parked: entries that an update dropped.
// When their contents come back they need not be parsed again. The cache never
// changes what an index holds; damaged records are ignored. It holds at most
// 64 MiB; when it is full the oldest half is removed.
//
//	offset  size  meaning
//	0       8     "topopark"
//	8       4     u32 format version
//	12      4     u32 version of the parser, as in the header
//	16      …     records
//
// A record:
//
//	offset  size  meaning
//	0       4     u32 length of the record
//	4       4     u32 length of the content
//	8       8     u64 xxhash64 of the record without these 8 bytes
//	16      4     u32 length of the coded chunks
//	20      4     u32 length of the packed content
//	24      1     length of the language
//	25      1     length of the extension
//	26      6     zero
//	32      32    SHA-256 of the content
//	64      …     language, extension, chunks as in CHNK, content as in CONT
//
// # The vectors
//
// An index may have a side file <fingerprint>.<model>.vec: what a model of
// embeddings answered ([Vectors]), one file a model. It is no part of the index:
// it depends on a service and on what was asked before, not on contents alone.
//
//	offset  size  meaning
//	0       8     "topovec\0"
//	8       4     u32 version, 1
//	12      4     u32 dimensions, 1 to 16384
//	16      4     u32 length of a row: 64 + dimensions rounded up to 64
//	20      4     u32 length of the model's name
//	24      8     u64 xxhash64 of bytes 0–23 and 32–255
//	32      224   name of the model, zero-padded
//	256     …     rows
//
// A row begins at a multiple of 64, and its components too:
//
//	offset  size  meaning
//	0       32    key
//	32      16    first half of the SHA-256 of the text that was embedded
//	48      4     float32 scale, over 0 and at most 1: component i is the scale
//	              times the i-th int8
//	52      4     zero
//	56      8     u64 xxhash64 of bytes 0–55 and of all from 64 on
//	64      …     int8 components, zero-padded
//
// Rows are added under the lock of the file and synced, so a killed writer
// loses at most the row it was writing; part of a row at the end is written
// over. Of two rows with one key the later counts. A row whose checksum is
// wrong counts as absent.
//
// # The shallow index
//
// A stream of file records between a header with Preset "index" and a footer;
// see package topo.
//
// # Versions
//
//	version  what changed
//	1        first; still read, without a code graph
//	2        the facts behind the imports in CHNK; the sections of the code graph
//
// A new version of the compressor that gives other bytes needs a new version
// too: a test holds the bytes of one block.
package index
