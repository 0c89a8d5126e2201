package index

import (
	"encoding/binary"

	"github.com/topo-dev/topo/chunk"
)

// An entry is what the index keeps of one content in one language: the chunks
// and imports, coded, and the compressed text. It depends on nothing but the
// content, the language and the versions in the header, so it can be
// taken over from any index, and files with equal content share it.

// entryRow is an entry record as it is in the file.
type entryRow struct {
	file             uint32 // the first file that has this entry
	raw              uint32 // length of the content
	chunkOff         uint64
	chunkLen, packed uint32 // lengths in CHNK and CONT
	contentOff       uint64
}

func (r *entryRow) append(b []byte) []byte {
	b = le.AppendUint32(b, r.file)
	b = le.AppendUint32(b, r.raw)
	b = le.AppendUint64(b, r.chunkOff)
	b = le.AppendUint32(b, r.chunkLen)
	b = le.AppendUint32(b, r.packed)
	return le.AppendUint64(b, r.contentOff)
}

func (x *Index) entryRow(i uint32) (r entryRow, err error) {
	if i >= x.head.entries {
		return r, x.files.corrupt("no entry %d of %d", i, x.head.entries)
	}
	b, err := x.entries.span(uint64(i)*entryRecord, entryRecord)
	if err != nil {
		return r, err
	}
	return entryRow{le.Uint32(b), le.Uint32(b[4:]), le.Uint64(b[8:]), le.Uint32(b[16:]), le.Uint32(b[20:]), le.Uint64(b[24:])}, nil
}

// fileEntry returns the entry of file id; ok is false when its content is not used.
func (x *Index) fileEntry(id int) (r entryRow, ok bool, err error) {
	b, err := x.fileBytes(id)
	if err != nil {
		return r, false, err
	}
	i := le.Uint32(b[12:])
	if i == noEntry {
		return r, false, nil
	}
	r, err = x.entryRow(i)
	return r, err == nil, err
}

// chunkBlob returns the coded chunks of file id; it points into the mapping.
func (x *Index) chunkBlob(id int) ([]byte, error) {
	r, ok, err := x.fileEntry(id)
	if err != nil || !ok {
		return nil, err
	}
	return x.chunks.span(r.chunkOff, uint64(r.chunkLen))
}

// Chunks returns the chunks of file id in source order, nil when there are none.
func (x *Index) Chunks(id int) ([]chunk.Chunk, error) {
	b, err := x.chunkBlob(id)
	if err != nil || b == nil {
		return nil, err
	}
	chunks, ok := decodeChunks(b)
	if !ok {
		return nil, x.chunks.corrupt("chunks of file %d", id)
	}
	return chunks, nil
}

// Imports returns what file id imports, in source order.
func (x *Index) Imports(id int) ([]chunk.ImportRef, error) {
	b, err := x.chunkBlob(id)
	if err != nil || b == nil {
		return nil, err
	}
	imports, ok := decodeImports(b)
	if !ok {
		return nil, x.chunks.corrupt("imports of file %d", id)
	}
	return imports, nil
}

// Parser tells what read file id ("tree-sitter", empty for nothing) and
// whether it met syntax errors.
func (x *Index) Parser(id int) (parser string, syntaxErrors bool, err error) {
	b, err := x.chunkBlob(id)
	if err != nil || b == nil {
		return "", false, err
	}
	r := byteReader{b: b}
	flags := r.uvarint()
	name := r.bytes(r.uvarint())
	if r.bad {
		return "", false, x.chunks.corrupt("parser of file %d", id)
	}
	return string(name), flags&flagErrors != 0, nil
}

const flagErrors = 1 // the source had syntax errors

// encodeResult appends r as described in doc.go under CHNK.
func encodeResult(b []byte, r chunk.Result) []byte {
	flags := byte(0)
	if r.Errors {
		flags = flagErrors
	}
	b = append(b, flags)
	b = appendString(b, r.Parser)
	var c []byte
	c = binary.AppendUvarint(c, uint64(len(r.Chunks)))
	scopes := map[string]int{"": 0}
	var prev chunk.Chunk
	for _, k := range r.Chunks {
		c = append(c, byte(k.Kind))
		c = appendString(c, k.Name)
		n, seen := scopes[k.Scope]
		if !seen {
			n = len(scopes)
			scopes[k.Scope] = n
		}
		c = binary.AppendUvarint(c, uint64(n))
		if !seen {
			c = appendString(c, k.Scope)
		}
		for _, v := range [...]int{k.StartByte - prev.StartByte, k.EndByte - k.StartByte, k.StartLine - prev.StartLine,
			k.EndLine - k.StartLine, k.SigEnd - k.StartByte, k.DocEnd - k.DocStart} {
			c = binary.AppendVarint(c, int64(v))
		}
		if k.DocEnd != k.DocStart {
			c = binary.AppendVarint(c, int64(k.StartByte-k.DocStart))
			c = binary.AppendVarint(c, int64(k.StartLine-k.DocLine))
		}
		prev = k
	}
	b = binary.AppendUvarint(b, uint64(len(c)))
	b = append(b, c...)
	b = binary.AppendUvarint(b, uint64(len(r.Imports)))
	line := 0
	for _, m := range r.Imports {
		b = appendString(b, m.Path)
		b = binary.AppendVarint(b, int64(m.Line-line))
		line = m.Line
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func decodeChunks(b []byte) ([]chunk.Chunk, bool) {
	r := byteReader{b: b}
	r.uvarint()
	r.bytes(r.uvarint())
	c := byteReader{b: r.bytes(r.uvarint())}
	n := c.uvarint()
	const shortest = 9 // bytes of a chunk with one-byte numbers and no name
	if r.bad || n > uint64(c.left()/shortest) {
		return nil, false
	}
	out := make([]chunk.Chunk, n)
	scopes := []string{""}
	text := string(c.b) // names share one copy
	name := func() string { k := len(c.bytes(c.uvarint())); return text[c.i-k : c.i] }
	var prev chunk.Chunk
	for i := range out {
		k := &out[i]
		k.Kind = chunk.Kind(c.uvarint())
		k.Name = name()
		scope := c.uvarint()
		if scope == uint64(len(scopes)) {
			scopes = append(scopes, name())
		} else if scope > uint64(len(scopes)) {
			return nil, false
		}
		k.Scope = scopes[scope]
		k.StartByte = prev.StartByte + c.int()
		k.EndByte = k.StartByte + c.int()
		k.StartLine = prev.StartLine + c.int()
		k.EndLine = k.StartLine + c.int()
		k.SigEnd = k.StartByte + c.int()
		if doc := c.int(); doc != 0 {
			k.DocStart = k.StartByte - c.int()
			k.DocEnd = k.DocStart + doc
			k.DocLine = k.StartLine - c.int()
		}
		prev = *k
	}
	if n == 0 {
		out = nil
	}
	return out, !c.bad
}

func decodeImports(b []byte) ([]chunk.ImportRef, bool) {
	r := byteReader{b: b}
	r.uvarint()
	r.bytes(r.uvarint())
	r.bytes(r.uvarint())
	n := r.uvarint()
	if r.bad || n > uint64(r.left()/2) {
		return nil, false
	}
	if n == 0 {
		return nil, true
	}
	out := make([]chunk.ImportRef, n)
	line := 0
	for i := range out {
		out[i].Path = string(r.bytes(r.uvarint()))
		line += r.int()
		out[i].Line = line
	}
	return out, !r.bad
}

// isInside reports whether every span of chunks lies in a content of n bytes.
func isInside(chunks []chunk.Chunk, n int) bool {
	for _, k := range chunks {
		if k.StartByte < 0 || k.StartByte > k.EndByte || k.EndByte > n || k.SigEnd < k.StartByte || k.SigEnd > n ||
			k.DocStart < 0 || k.DocStart > k.DocEnd || k.DocEnd > n {
			return false
		}
	}
	return true
}
