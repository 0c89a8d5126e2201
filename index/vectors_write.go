package index

import (
	"context"
	"fmt"
	"math"
	"os"
	"unsafe"
)

// Append keeps further vectors, which must all have the same number of
// dimensions. They are on disk when it returns. When the model now answers with
// another number of dimensions than before, the old vectors are dropped.
func (v *Vectors) Append(ctx context.Context, rows []VectorRow) error {
	if len(rows) == 0 {
		return nil
	}
	dims := len(rows[0].Data)
	buf := make([]byte, 0, len(rows)*vectorStride(dims))
	for _, r := range rows {
		if len(r.Data) != dims || dims == 0 || dims > maxDims {
			return fmt.Errorf("vectors: %d dimensions beside %d", len(r.Data), dims)
		}
		buf = appendVector(buf, r)
	}
	if v.dims != 0 && v.dims != dims {
		if err := v.Close(); err != nil {
			return err
		}
	}
	unlock, err := lock(ctx, v.path)
	if err != nil {
		return err
	}
	defer unlock()
	if err := v.write(dims, buf); err != nil {
		return err
	}
	v.dims = dims
	for at, stride := 0, vectorStride(dims); at < len(buf); at += stride {
		v.add(buf[at : at+stride : at+stride])
	}
	return nil
}

// write adds rows to the file, or makes a new one where it is not of this
// model and length. What a killed writer left of a row is written over.
func (v *Vectors) write(dims int, rows []byte) error {
	fail := func(op string, err error) error { return &WriteError{v.path, op, err} }
	st, err := os.Lstat(v.path)
	if err != nil || !st.Mode().IsRegular() {
		return v.writeNew(dims, rows)
	}
	f, err := os.OpenFile(v.path, os.O_RDWR, 0)
	if err != nil {
		return fail("open", err)
	}
	defer f.Close()
	head := make([]byte, vectorHeader)
	if _, err := f.ReadAt(head, 0); err != nil || vectorDims(head, v.model) != dims || st.Size() > maxVectorFile-int64(len(rows)) {
		return v.writeNew(dims, rows)
	}
	stride := int64(vectorStride(dims))
	end := vectorHeader + (st.Size()-vectorHeader)/stride*stride
	if _, err := f.WriteAt(rows, end); err != nil {
		return fail("write", err)
	}
	if err := f.Sync(); err != nil {
		return fail("sync", err)
	}
	return nil
}

// writeNew replaces the file by one of these rows.
func (v *Vectors) writeNew(dims int, rows []byte) error {
	return replace(v.path, createFile, func(f writeFile) error {
		if _, err := f.Write(vectorHead(dims, v.model)); err != nil {
			return err
		}
		_, err := f.Write(rows)
		return err
	}, nil)
}

func vectorHead(dims int, model string) []byte {
	b := make([]byte, vectorHeader)
	copy(b, vectorMagic)
	le.PutUint32(b[8:], vectorVersion)
	le.PutUint32(b[12:], uint32(dims))
	le.PutUint32(b[16:], uint32(vectorStride(dims)))
	le.PutUint32(b[20:], uint32(len(model)))
	copy(b[vectorModel:], model)
	le.PutUint64(b[24:], headerSum(b))
	return b
}

func appendVector(b []byte, r VectorRow) []byte {
	from := len(b)
	b = append(append(b, r.Key[:]...), r.Text[:]...)
	b = le.AppendUint32(b, math.Float32bits(r.Scale))
	b = append(b, make([]byte, 12)...)
	b = append(b, unsafe.Slice((*byte)(unsafe.Pointer(&r.Data[0])), len(r.Data))...)
	b = append(b, make([]byte, from+vectorStride(len(r.Data))-len(b))...)
	le.PutUint64(b[from+56:], rowSum(b[from:]))
	return b
}

// Trim makes a file that is longer than most bytes half as long: it keeps the
// vectors that live says are in use, and of the others the newest ones.
func (v *Vectors) Trim(ctx context.Context, most int64, live func(VectorKey) bool) error {
	st, err := os.Lstat(v.path)
	if err != nil || st.Size() <= most || v.dims == 0 {
		return nil
	}
	unlock, err := lock(ctx, v.path)
	if err != nil {
		return err
	}
	defer unlock()
	if err := v.Close(); err != nil { // others may have appended
		return err
	}
	if err := v.load(); err != nil || v.dims == 0 {
		return err
	}
	keep, dims := v.kept(most/2, live), v.dims
	if err := v.Close(); err != nil {
		return err
	}
	if err := v.writeNew(dims, keep); err != nil {
		return err
	}
	return v.load()
}

// kept are the rows that Trim leaves, in the order in which they came.
func (v *Vectors) kept(most int64, live func(VectorKey) bool) []byte {
	stride := int64(vectorStride(v.dims))
	size, take := int64(0), make([]bool, len(v.rows))
	for _, used := range []bool{true, false} {
		for n := len(v.rows) - 1; n >= 0; n-- {
			key := VectorKey(v.rows[n][:32])
			if v.byKey[key] != int32(n) || live(key) != used || !used && size+stride > most {
				continue
			}
			take[n] = true
			size += stride
		}
	}
	var out []byte
	for n, row := range v.rows {
		if take[n] {
			out = append(out, row...)
		}
	}
	return out
}
