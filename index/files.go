package index

import (
	"encoding/hex"
	"sort"

	"github.com/topo-dev/topo/stream"
)

// The fields of a file whose terms are counted apart.
const (
	FieldFilename = 0 // the whole path
	FieldSymbols  = 1 // names of the definitions
	FieldBody     = 2 // all of the file's text
)

const (
	fileRecord  = 72
	entryRecord = 32
	noEntry     = 1<<32 - 1
)

// File is what the index knows of one file, apart from its entry.
type File struct {
	Path     string
	Language string
	Role     stream.Role
	Sha256   [32]byte // of the content; zero when it was not read
	Size     int64    // bytes
	Skipped  string   // why the content is not used, as in [stream.File]
	Target   string   // of a symbolic link
	Len      [3]uint32
}

// Record is the file as a record of the stream.
func (f File) Record() stream.File {
	r := stream.File{Path: f.Path, Tokens: stream.EstimateTokens(f.Size), Language: f.Language, Role: f.Role,
		Size: f.Size, Skipped: f.Skipped, Target: f.Target}
	if f.Sha256 != [32]byte{} {
		r.Sha256 = hex.EncodeToString(f.Sha256[:])
	}
	return r
}

// fileRow is a file record as it is in the file.
type fileRow struct {
	path             uint32 // offset in PATH
	lang, role, skip uint16 // numbers in STRS
	entry            uint32
	size             uint64
	lens             [3]uint32
	sha              [32]byte
}

func (r *fileRow) append(b []byte) []byte {
	b = le.AppendUint32(b, r.path)
	b = le.AppendUint16(b, r.lang)
	b = le.AppendUint16(b, r.role)
	b = le.AppendUint16(b, r.skip)
	b = le.AppendUint16(b, 0)
	b = le.AppendUint32(b, r.entry)
	b = le.AppendUint64(b, r.size)
	for _, n := range r.lens {
		b = le.AppendUint32(b, n)
	}
	b = le.AppendUint32(b, 0)
	return append(b, r.sha[:]...)
}

func (x *Index) fileBytes(id int) ([]byte, error) {
	if id < 0 || id >= x.NumFiles() {
		return nil, x.files.corrupt("no file %d of %d", id, x.NumFiles())
	}
	return x.files.span(uint64(id)*fileRecord, fileRecord)
}

func (x *Index) fileRow(id int) (r fileRow, err error) {
	b, err := x.fileBytes(id)
	if err != nil {
		return r, err
	}
	r.path, r.lang, r.role, r.skip = le.Uint32(b), le.Uint16(b[4:]), le.Uint16(b[6:]), le.Uint16(b[8:])
	r.entry, r.size = le.Uint32(b[12:]), le.Uint64(b[16:])
	for i := range r.lens {
		r.lens[i] = le.Uint32(b[24+4*i:])
	}
	copy(r.sha[:], b[40:])
	return r, nil
}

// pathBytes points into the mapping.
func (x *Index) pathBytes(id int) ([]byte, error) {
	b, err := x.fileBytes(id)
	if err != nil {
		return nil, err
	}
	from, to := uint64(le.Uint32(b)), x.paths.len()
	if id+1 < x.NumFiles() {
		next, err := x.fileBytes(id + 1)
		if err != nil {
			return nil, err
		}
		to = uint64(le.Uint32(next))
	}
	if from > to {
		return nil, x.files.corrupt("path of file %d ends before it starts", id)
	}
	return x.paths.span(from, to-from)
}

// File returns file id.
func (x *Index) File(id int) (File, error) {
	r, err := x.fileRow(id)
	if err != nil {
		return File{}, err
	}
	path, err := x.pathBytes(id)
	if err != nil {
		return File{}, err
	}
	f := File{Path: string(path), Sha256: r.sha, Size: int64(r.size), Len: r.lens}
	var role string
	for _, s := range []struct {
		id uint16
		to *string
	}{{r.lang, &f.Language}, {r.role, &role}, {r.skip, &f.Skipped}} {
		if *s.to, err = x.str(s.id); err != nil {
			return File{}, err
		}
	}
	f.Role = stream.Role(role)
	if f.Skipped == stream.SkipSymlink {
		f.Target, err = x.target(id)
	}
	return f, err
}

// FileLen returns [File.Len] of file id alone, without allocating.
func (x *Index) FileLen(id int) (n [3]uint32, err error) {
	b, err := x.fileBytes(id)
	if err != nil {
		return n, err
	}
	return [3]uint32{le.Uint32(b[24:]), le.Uint32(b[28:]), le.Uint32(b[32:])}, nil
}

// Lookup finds a file by path. When the index is damaged there, ok is false
// and [Index.Err] tells.
func (x *Index) Lookup(path string) (id int, ok bool) {
	id, ok, err := x.find(path)
	if err != nil {
		x.setError(err)
		return 0, false
	}
	return id, ok
}

func (x *Index) find(path string) (int, bool, error) {
	var err error
	n := x.NumFiles()
	i := sort.Search(n, func(i int) bool {
		p, e := x.pathBytes(i)
		if e != nil {
			err = e
		}
		return string(p) >= path
	})
	if err != nil || i == n {
		return 0, false, err
	}
	p, err := x.pathBytes(i)
	return i, string(p) == path, err
}

// str returns a string of STRS, which holds the few that many files share.
func (x *Index) str(id uint16) (string, error) {
	x.stringsOnce.Do(func() { x.strings, x.stringsErr = x.readStrings() })
	if x.stringsErr != nil {
		return "", x.stringsErr
	}
	if int(id) >= len(x.strings) {
		return "", x.strs.corrupt("no string %d of %d", id, len(x.strings))
	}
	return x.strings[id], nil
}

func (x *Index) readStrings() ([]string, error) {
	b, err := x.strs.span(0, x.strs.len())
	if err != nil {
		return nil, err
	}
	r := byteReader{b: b}
	var out []string
	for r.left() > 0 && len(out) <= 1<<16 {
		out = append(out, string(r.bytes(r.uvarint())))
	}
	if r.bad {
		return nil, x.strs.corrupt("cut short")
	}
	return out, nil
}

// target finds the target of a symbolic link; there are few in a tree.
func (x *Index) target(id int) (string, error) {
	b, err := x.targets.span(0, x.targets.len())
	if err != nil {
		return "", err
	}
	r := byteReader{b: b}
	for at := uint64(0); r.left() > 0; {
		at += r.uvarint()
		text := r.bytes(r.uvarint())
		if at == uint64(id) && !r.bad {
			return string(text), nil
		}
	}
	if r.bad {
		return "", x.targets.corrupt("cut short")
	}
	return "", nil
}
