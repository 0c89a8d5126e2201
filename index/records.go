package index

import (
	"encoding/hex"

	"github.com/topo-dev/topo/stream"
)

// Records lists all files as records of the stream, in order, without what
// takes time to make and only output has: Sha256 and the Target of a symbolic
// link. [File.Record] is whole.
func (x *Index) Records() ([]stream.File, error) {
	raw, err := x.paths.span(0, x.paths.len())
	if err != nil {
		return nil, err
	}
	paths := string(raw) // one copy, shared by all records
	out := make([]stream.File, x.NumFiles())
	end := uint32(len(paths))
	for id := len(out) - 1; id >= 0; id-- {
		r, err := x.fileRow(id)
		if err != nil {
			return nil, err
		}
		if r.path > end {
			return nil, x.files.corrupt("path of file %d ends before it starts", id)
		}
		f := &out[id]
		f.Path, end = paths[r.path:end], r.path
		var role string
		for _, s := range []struct {
			id uint16
			to *string
		}{{r.lang, &f.Language}, {r.role, &role}, {r.skip, &f.Skipped}} {
			if *s.to, err = x.str(s.id); err != nil {
				return nil, err
			}
		}
		f.Role, f.Size, f.Tokens = stream.Role(role), int64(r.size), stream.EstimateTokens(int64(r.size))
	}
	return out, nil
}

// Complete fills in what [Index.Records] left out. Records of files that the
// index does not hold stay as they are.
func (x *Index) Complete(files []stream.File) error {
	for i := range files {
		id, ok, err := x.find(files[i].Path)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		b, err := x.fileBytes(id)
		if err != nil {
			return err
		}
		if sha := [32]byte(b[40:]); sha != [32]byte{} {
			files[i].Sha256 = hex.EncodeToString(sha[:])
		}
		if files[i].Skipped == stream.SkipSymlink {
			if files[i].Target, err = x.target(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// HasPath tells whether file id has that path, without allocating.
func (x *Index) HasPath(id int, path string) (bool, error) {
	b, err := x.pathBytes(id)
	return string(b) == path, err
}
