package index

import (
	"bytes"
	"crypto/sha256"

	"github.com/topo-dev/topo/stream"
)

// Check verifies the whole file: every checksum, and then that every record
// makes sense: files sorted, each term's postings and each file's chunks,
// edges and commits readable, each content what its SHA-256 says. The error
// is a [*CorruptError].
func (x *Index) Check() error {
	if err := x.checkSums(); err != nil {
		return err
	}
	if err := x.checkTerms(); err != nil {
		return err
	}
	for i := range x.NumCommits() {
		if _, err := x.Commit(i); err != nil {
			return err
		}
	}
	if n := x.rank.len(); n != 0 && n != 4*uint64(x.NumFiles()) {
		return x.rank.corrupt("%d bytes for %d files", n, x.NumFiles())
	}
	return x.checkFiles()
}

func (x *Index) checkTerms() error {
	it := x.TermsFrom("")
	var prev []byte
	n := 0
	for it.Next() {
		if n > 0 && bytes.Compare(prev, it.Term()) >= 0 {
			return x.terms.corrupt("term %d is out of order", n)
		}
		prev = append(prev[:0], it.Term()...)
		post, err := it.Postings()
		if err != nil {
			return err
		}
		for {
			if _, _, ok := post.packed(); !ok {
				break
			}
		}
		if err := post.Err(); err != nil {
			return err
		}
		n++
	}
	if it.Err() == nil && n != x.NumTerms() {
		return x.terms.corrupt("%d terms, should be %d", n, x.NumTerms())
	}
	return it.Err()
}

func (x *Index) checkFiles() error {
	prev := ""
	var buf []byte
	var row []uint32
	seen := make([]bool, x.head.entries)
	for id := range x.NumFiles() {
		f, err := x.File(id)
		if err != nil {
			return err
		}
		if err := stream.CheckPath(f.Path); err != nil || f.Path <= prev {
			return x.paths.corrupt("path of file %d is out of order or leaves the root", id)
		}
		prev = f.Path
		for _, read := range []func(int, []uint32) ([]uint32, error){x.Imported, x.Importers, x.FileCommits} {
			if row, err = read(id, row); err != nil {
				return err
			}
		}
		r, err := x.fileRow(id)
		if err != nil {
			return err
		}
		if r.entry == noEntry || r.entry < uint32(len(seen)) && seen[r.entry] {
			continue
		}
		if buf, err = x.checkEntry(id, f.Sha256, buf); err != nil {
			return err
		}
		seen[r.entry] = true
	}
	return nil
}

// checkEntry reads the entry of file id.
func (x *Index) checkEntry(id int, sha [32]byte, buf []byte) ([]byte, error) {
	buf, err := x.Content(id, buf)
	if err != nil {
		return nil, err
	}
	if sha256.Sum256(buf) != sha {
		return nil, x.content.corrupt("content of file %d is not what its SHA-256 says", id)
	}
	chunks, err := x.Chunks(id)
	if err != nil {
		return nil, err
	}
	if !isInside(chunks, len(buf)) {
		return nil, x.chunks.corrupt("a chunk of file %d lies outside of it", id)
	}
	_, err = x.Imports(id)
	return buf, err
}
