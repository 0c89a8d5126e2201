package index

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"unsafe"

	"github.com/cespare/xxhash/v2"
	mmap "github.com/edsrzf/mmap-go"
)

// Vectors is the side file of what models of embeddings answered, one file a
// model. It is not a part of the index: a vector depends on a service that may
// answer otherwise tomorrow, and costs money or minutes, while an index is made
// again at will. It holds a vector for each key, made by the caller from all
// that the vector depends on; what is damaged is taken to be absent. doc.go has
// its layout.
//
// A Vectors is not safe for concurrent use. Several processes may append to one
// file.
type Vectors struct {
	path, model string
	dims        int
	data        mmap.MMap // the file when it was opened, nil without one
	rows        [][]byte  // each with its head
	byKey       map[VectorKey]int32
	byText      map[VectorText]int32
}

// VectorKey names what a vector stands for.
type VectorKey [32]byte

// VectorText is the first half of the SHA-256 of a text that was embedded.
type VectorText [16]byte

// VectorRow is one vector: component i is Scale × Data[i].
type VectorRow struct {
	Key   VectorKey
	Text  VectorText
	Scale float32
	Data  []int8
}

const (
	vectorMagic   = "topovec\x00"
	vectorVersion = 1
	vectorHeader  = 256
	vectorModel   = 32 // offset of the model's name
	rowHead       = 64 // before the components; a multiple of 64, as a row is
	maxDims       = 16384
	maxVectorFile = 4 << 30
)

// vectorStride is the length of a row: its head and its components, so
// each row begins on a cache line and can be read in whole registers.
func vectorStride(dims int) int { return rowHead + (dims+63)&^63 }

// OpenVectors opens the vectors of a model at path. A file that is not there,
// is of another model or version, or is damaged holds none.
func OpenVectors(path, model string) (*Vectors, error) {
	if len(model) == 0 || len(model) > vectorHeader-vectorModel {
		return nil, fmt.Errorf("vectors: model name of %d bytes; want 1 to %d", len(model), vectorHeader-vectorModel)
	}
	v := &Vectors{path: path, model: model}
	v.clear()
	return v, v.load()
}

func (v *Vectors) clear() {
	v.dims, v.rows = 0, nil
	v.byKey, v.byText = map[VectorKey]int32{}, map[VectorText]int32{}
}

func (v *Vectors) load() error {
	st, err := os.Lstat(v.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!st.Mode().IsRegular() || st.Size() < vectorHeader || st.Size() > maxVectorFile) {
		return nil
	} else if err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	f, err := os.Open(v.path)
	if err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	defer f.Close()
	data, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return fmt.Errorf("vectors %s: map: %w", v.path, err)
	}
	if v.dims = vectorDims(data, v.model); v.dims == 0 {
		return data.Unmap()
	}
	v.data = data
	stride := vectorStride(v.dims)
	for at := vectorHeader; at+stride <= len(data); at += stride {
		if row := data[at : at+stride : at+stride]; rowSum(row) == le.Uint64(row[56:]) {
			v.add(row)
		}
	}
	return nil
}

// vectorDims checks a header and returns the number of dimensions, 0 for a
// file that is of no use.
func vectorDims(data []byte, model string) int {
	if len(data) < vectorHeader || string(data[:8]) != vectorMagic || le.Uint32(data[8:]) != vectorVersion {
		return 0
	}
	dims, stride, name := le.Uint32(data[12:]), le.Uint32(data[16:]), le.Uint32(data[20:])
	if dims == 0 || dims > maxDims || int(stride) != vectorStride(int(dims)) || int(name) != len(model) ||
		string(data[vectorModel:vectorModel+len(model)]) != model || headerSum(data) != le.Uint64(data[24:]) {
		return 0
	}
	return int(dims)
}

func headerSum(head []byte) uint64 {
	d := xxhash.New()
	d.Write(head[:24])
	d.Write(head[vectorModel:vectorHeader])
	return d.Sum64()
}

func rowSum(row []byte) uint64 {
	d := xxhash.New()
	d.Write(row[:56])
	d.Write(row[rowHead:])
	return d.Sum64()
}

// add takes a row whose checksum is right.
func (v *Vectors) add(row []byte) {
	if s := math.Float32frombits(le.Uint32(row[48:])); !(s > 0 && s <= 1) {
		return // no direction of length 1
	}
	n := int32(len(v.rows))
	v.rows = append(v.rows, row)
	v.byKey[VectorKey(row[:32])] = n
	v.byText[VectorText(row[32:48])] = n
}

// Dims is the number of dimensions, 0 while there is no vector.
func (v *Vectors) Dims() int { return v.dims }

// Len is the number of keys that have a vector.
func (v *Vectors) Len() int { return len(v.byKey) }

// Get returns the vector of a key. Its components are the file's own; they must
// not be changed, nor used after [Vectors.Trim] or [Vectors.Close].
func (v *Vectors) Get(key VectorKey) (VectorRow, bool) {
	n, ok := v.byKey[key]
	if !ok {
		return VectorRow{}, false
	}
	return v.row(n), true
}

// Same returns a vector of the text, whatever its key.
func (v *Vectors) Same(text VectorText) (VectorRow, bool) {
	n, ok := v.byText[text]
	if !ok {
		return VectorRow{}, false
	}
	return v.row(n), true
}

func (v *Vectors) row(n int32) VectorRow {
	b := v.rows[n]
	data := unsafe.Slice((*int8)(unsafe.Pointer(&b[rowHead])), v.dims)
	return VectorRow{VectorKey(b[:32]), VectorText(b[32:48]), math.Float32frombits(le.Uint32(b[48:])), data}
}

// Drop forgets all vectors; the next [Vectors.Append] replaces the file.
func (v *Vectors) Drop() error { return v.Close() }

// Close unmaps the file.
func (v *Vectors) Close() error {
	data := v.data
	v.clear()
	if v.data = nil; data == nil {
		return nil
	}
	return data.Unmap()
}
