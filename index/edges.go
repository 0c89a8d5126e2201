package index

import (
	"fmt"
	"math"
	"sort"
)

// A section in compressed sparse rows holds one more offset than there are
// files, then the targets of all files; all are 32-bit numbers. An empty
// section stands for no edges at all.

// csrRow appends row id of s to buf[:0]; every number in it is below limit.
func (x *Index) csrRow(s *section, id int, limit uint64, buf []uint32) ([]uint32, error) {
	buf = buf[:0]
	if id < 0 || id >= x.NumFiles() {
		return nil, s.corrupt("no row %d of %d", id, x.NumFiles())
	}
	if s.len() == 0 {
		return buf, nil
	}
	b, err := s.span(uint64(id)*4, 8)
	if err != nil {
		return nil, err
	}
	from, to := uint64(le.Uint32(b)), uint64(le.Uint32(b[4:]))
	if from > to {
		return nil, s.corrupt("row %d ends before it starts", id)
	}
	b, err = s.span((uint64(x.head.files)+1+from)*4, (to-from)*4)
	if err != nil {
		return nil, err
	}
	for ; len(b) >= 4; b = b[4:] {
		v := le.Uint32(b)
		if uint64(v) >= limit {
			return nil, s.corrupt("%d in row %d, limit %d", v, id, limit)
		}
		buf = append(buf, v)
	}
	return buf, nil
}

// Imported appends the files that file id imports to buf[:0], ascending.
func (x *Index) Imported(id int, buf []uint32) ([]uint32, error) {
	return x.csrRow(x.forward, id, uint64(x.head.files), buf)
}

// Importers appends the files that import file id to buf[:0], ascending.
func (x *Index) Importers(id int, buf []uint32) ([]uint32, error) {
	return x.csrRow(x.backward, id, uint64(x.head.files), buf)
}

// HasPageRank tells whether PageRank was computed for this index.
func (x *Index) HasPageRank() bool { return x.rank.len() > 0 }

// PageRank is the rank of file id; all ranks sum to 1. It is 0 when there are
// none, or on damage, which [Index.Err] tells.
func (x *Index) PageRank(id int) float32 {
	if id < 0 || id >= x.NumFiles() || x.rank.len() == 0 {
		return 0
	}
	v, err := x.rank.u32(uint64(id))
	if err != nil {
		x.setError(err)
		return 0
	}
	return math.Float32frombits(v)
}

// encodeLinks makes EDGF, EDGB and RANK. It refuses links that do not fit n files.
func encodeLinks(l Links, n int) (forward, backward, rank []byte, err error) {
	if len(l.PageRank) != 0 && len(l.PageRank) != n {
		return nil, nil, nil, fmt.Errorf("index: links: %d ranks for %d files", len(l.PageRank), n)
	}
	for _, r := range l.PageRank {
		rank = le.AppendUint32(rank, math.Float32bits(r))
	}
	if len(l.Off) == 0 {
		return nil, nil, rank, nil
	}
	if len(l.Off) != n+1 || l.Off[0] != 0 || int(l.Off[n]) != len(l.To) || !sort.SliceIsSorted(l.Off, func(i, j int) bool { return l.Off[i] < l.Off[j] }) {
		return nil, nil, nil, fmt.Errorf("index: links: %d offsets for %d files and %d edges", len(l.Off), n, len(l.To))
	}
	counts := make([]uint32, n+1)
	for _, to := range l.To {
		if int(to) >= n {
			return nil, nil, nil, fmt.Errorf("index: links: edge to file %d of %d", to, n)
		}
		counts[to+1]++
	}
	for i := range n {
		counts[i+1] += counts[i]
	}
	at := append([]uint32(nil), counts...)
	back := make([]uint32, len(l.To))
	for from := range n {
		for _, to := range l.To[l.Off[from]:l.Off[from+1]] {
			back[at[to]] = uint32(from)
			at[to]++
		}
	}
	forward = appendU32(appendU32(nil, l.Off), l.To)
	return forward, appendU32(appendU32(nil, counts), back), rank, nil
}
