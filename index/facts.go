package index

// factsOf returns the coded facts at the end of a coded result; see CHNK in
// doc.go. They point into blob.
func factsOf(blob []byte) ([]byte, bool) {
	r := byteReader{b: blob}
	r.uvarint()
	r.bytes(r.uvarint())
	r.bytes(r.uvarint())
	n := r.uvarint()
	if r.bad || n > uint64(r.left()/2) {
		return nil, false
	}
	for range n {
		r.bytes(r.uvarint())
		r.uvarint()
	}
	if r.bad {
		return nil, false
	}
	return blob[r.i:], true
}

// Facts returns the coded facts of file id ([chunk.DecodeFacts] reads them);
// they point into the mapping. Nil when there are none.
func (x *Index) Facts(id int) ([]byte, error) {
	b, err := x.chunkBlob(id)
	if err != nil || b == nil {
		return nil, err
	}
	facts, ok := factsOf(b)
	if !ok {
		return nil, x.chunks.corrupt("facts of file %d", id)
	}
	return facts, nil
}
