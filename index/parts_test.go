package index

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/topo-dev/topo/chunk"
)

// TestTermTable counts random terms of several files and compares with maps.
func TestTermTable(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	tables := []*termTable{newTermTable(), newTermTable()}
	files := make([]counted, 40)
	want := map[string]map[uint32][3]int{}
	for id := range files {
		table := tables[r.IntN(2)]
		table.begin()
		var lens [3]uint32
		for range r.IntN(4000) {
			term, field := fmt.Sprintf("t%d", r.IntN(1+r.IntN(60000))), r.IntN(3)
			table.add([]byte(term), field)
			lens[field]++
			if want[term] == nil {
				want[term] = map[uint32][3]int{}
			}
			tf := want[term][uint32(id)]
			tf[field]++
			want[term][uint32(id)] = tf
		}
		if table.lens != lens {
			t.Fatalf("lengths %v, want %v", table.lens, lens)
		}
		files[id] = counted{table, table.finish()}
	}
	inv, err := invert(tables, files)
	if err != nil || len(inv.terms) != len(want) {
		t.Fatalf("%d terms, want %d: %v", len(inv.terms), len(want), err)
	}
	if !slices.IsSortedFunc(inv.terms, bytes.Compare) {
		t.Error("terms are not sorted")
	}
	for i, term := range inv.terms {
		list := inv.list(i)
		if len(list) != len(want[string(term)]) {
			t.Fatalf("%s: %d files, want %d", term, len(list), len(want[string(term)]))
		}
		last := -1
		for _, p := range list {
			tf := want[string(term)][p.file]
			packed := uint32(min(tf[0], maxFilename))<<nameShift | uint32(min(tf[1], maxSymbols))<<symShift | uint32(min(tf[2], maxBody))
			if int(p.file) <= last || p.tf != packed {
				t.Fatalf("%s in file %d: %x, want %x", term, p.file, p.tf, packed)
			}
			last = int(p.file)
		}
	}
	if !tables[0].has(tables[0].term(0)) || tables[0].has([]byte("absent")) {
		t.Error("has")
	}
}

// TestEntriesComeBack codes random results, sensible or not.
func TestEntriesComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for range 300 {
		want := chunk.Result{Parser: []string{"", "tree-sitter"}[r.IntN(2)], Errors: r.IntN(2) == 0}
		for i := range r.IntN(20) {
			k := chunk.Chunk{Kind: chunk.Kind(r.IntN(9)), Name: fmt.Sprint("n", r.IntN(5)), StartByte: 100*i + r.IntN(90)}
			k.EndByte, k.SigEnd = k.StartByte+r.IntN(1<<20), k.StartByte+r.IntN(50)
			k.StartLine = r.IntN(1000)
			k.EndLine = k.StartLine + r.IntN(9)
			if r.IntN(2) == 0 {
				k.Scope = fmt.Sprint("S", r.IntN(4))
			}
			if r.IntN(3) == 0 { // before the definition or inside it
				k.DocStart = max(0, k.StartByte+r.IntN(80)-40)
				k.DocEnd, k.DocLine = k.DocStart+1+r.IntN(30), k.StartLine-r.IntN(3)
			}
			want.Chunks = append(want.Chunks, k)
		}
		for range r.IntN(5) {
			want.Imports = append(want.Imports, chunk.ImportRef{Path: fmt.Sprint("m/", r.IntN(9)), Line: r.IntN(100)})
		}
		b := encodeResult(nil, want)
		chunks, ok := decodeChunks(b)
		imports, ok2 := decodeImports(b)
		if !ok || !ok2 || !reflect.DeepEqual(chunks, want.Chunks) || !reflect.DeepEqual(imports, want.Imports) {
			t.Fatalf("%+v %v comes back as %+v %v", want, ok, chunks, imports)
		}
		for n := range b { // cut short, it is refused or it is a part of the truth
			if imports, ok := decodeImports(b[:n]); ok && len(imports) > 0 {
				t.Fatalf("%d of %d bytes pass for all", n, len(b))
			}
		}
	}
}

// TestLinksBothWays compares the edges of random graphs with their mirror.
func TestLinksBothWays(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	for range 20 {
		n := 1 + r.IntN(30)
		src := tree{}
		for i := range n {
			src[fmt.Sprintf("f%02d", i)] = ""
		}
		var l Links
		into := make([][]uint32, n)
		l.Off = append(l.Off, 0)
		for i := range n {
			for j := range n {
				if r.IntN(4) == 0 {
					l.To = append(l.To, uint32(j))
					into[j] = append(into[j], uint32(i))
				}
			}
			l.Off = append(l.Off, uint32(len(l.To)))
		}
		in := src.input()
		in.Links = func(LinkInput) Links { return l }
		path := filepath.Join(t.TempDir(), "x")
		updated(t, path, in)
		x := open(t, path)
		for i := range n {
			to, err1 := x.Imported(i, nil)
			from, err2 := x.Importers(i, nil)
			if err1 != nil || err2 != nil || !slices.Equal(to, l.To[l.Off[i]:l.Off[i+1]]) || !slices.Equal(from, into[i]) {
				t.Fatalf("file %d: to %v from %v, want %v and %v", i, to, from, l.To[l.Off[i]:l.Off[i+1]], into[i])
			}
		}
		if x.HasPageRank() || x.PageRank(0) != 0 {
			t.Error("a rank from nowhere")
		}
	}
}

// TestPages writes sections of lengths around those of pages and reads them
// back whole and in parts.
func TestPages(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, pageSize - 1, pageSize, pageSize + 1, 64*pageSize - 3, 64 * pageSize, 64*pageSize + 9, 70 * pageSize} {
		text := bytes.Repeat([]byte("0123456789abcde"), n/15+1)[:n]
		var f memFile
		w := newFileWriter(&f)
		for _, tag := range sectionTags[:len(sectionTags)-1] {
			var data []byte
			if tag == secContent {
				data = text
			}
			w.begin(tag)
			for len(data) > 0 { // in uneven pieces
				k := min(len(data), 100_003)
				w.Write(data[:k])
				data = data[k:]
			}
			w.end(0)
		}
		if err := w.finish(&header{}); err != nil {
			t.Fatal(err)
		}
		x, err := newIndex("x", f.b)
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if err := x.checkSums(); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
		for off := 0; off <= n; off += 1 + n/7 {
			got, err := x.content.span(uint64(off), uint64(n-off))
			if err != nil || !bytes.Equal(got, text[off:]) {
				t.Errorf("%d bytes from %d: %v", n, off, err)
			}
		}
		for _, bad := range [][2]uint64{{uint64(n), 1}, {uint64(n) + 1, 0}, {1 << 63, 1 << 63}, {0, uint64(n) + 1}} {
			if _, err := x.content.span(bad[0], bad[1]); err == nil {
				t.Errorf("%d bytes: a span of %d at %d", n, bad[1], bad[0])
			}
		}
	}
}

func TestOpenWhatIsNoIndex(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Open(dir); err == nil {
		t.Error("a folder opens")
	}
	empty := filepath.Join(dir, "empty")
	os.WriteFile(empty, nil, 0o644)
	if _, err := Open(empty); err == nil {
		t.Error("an empty file opens")
	}
}
