package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/stream"
)

// TestAgainstNaiveIndex compares every answer with one computed the plain way.
func TestAgainstNaiveIndex(t *testing.T) {
	src, in := small()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	updated(t, path, in)
	x := open(t, path)
	type hit map[int][3]uint32
	terms := map[string]hit{}
	var total [3]uint64
	for id, f := range in.Files {
		got, err := x.File(id)
		if err != nil {
			t.Fatal(err)
		}
		text := src[f.Path]
		if f.Skipped != "" {
			text = ""
		}
		parsed := chunk.Parse(context.Background(), f.Language, f.Path, []byte(text))
		count := func(field int, s string) {
			for _, term := range token.Terms(s) {
				if terms[term] == nil {
					terms[term] = hit{}
				}
				tf := terms[term][id]
				tf[field]++
				terms[term][id] = tf
				got.Len[field]--
				total[field]++
			}
		}
		count(FieldFilename, f.Path)
		count(FieldBody, text)
		for _, c := range parsed.Chunks {
			if c.Kind != chunk.Import {
				count(FieldSymbols, c.Name)
			}
		}
		if got.Len != [3]uint32{} {
			t.Errorf("%s: lengths are off by %v", f.Path, got.Len)
		}
		want := f
		want.Tokens = stream.EstimateTokens(f.Size)
		if r := got.Record(); !reflect.DeepEqual(r, want) {
			t.Errorf("file %+v, want %+v", r, want)
		}
		content, err := x.Content(id, nil)
		if err != nil || string(content) != text {
			t.Errorf("%s: content %q %v", f.Path, content, err)
		}
		chunks, err := x.Chunks(id)
		if err != nil || !slices.Equal(chunks, parsed.Chunks) {
			t.Errorf("%s: chunks %+v %v\nwant %+v", f.Path, chunks, err, parsed.Chunks)
		}
		imports, err := x.Imports(id)
		if err != nil || !slices.Equal(imports, parsed.Imports) {
			t.Errorf("%s: imports %+v %v, want %+v", f.Path, imports, err, parsed.Imports)
		}
		if parser, broken, err := x.Parser(id); err != nil || parser != parsed.Parser || broken != parsed.Errors {
			t.Errorf("%s: parser %q %v %v", f.Path, parser, broken, err)
		}
		if at, ok := x.Lookup(f.Path); !ok || at != id {
			t.Errorf("Lookup(%s) = %d %v", f.Path, at, ok)
		}
	}
	if x.TotalLen() != total {
		t.Errorf("total lengths %v, want %v", x.TotalLen(), total)
	}
	if x.NumTerms() != len(terms) {
		t.Errorf("%d terms, want %d", x.NumTerms(), len(terms))
	}
	for term, want := range terms {
		p, ok, err := x.Term(term)
		if !ok || err != nil || p.DF != len(want) {
			t.Fatalf("Term(%q): %v %v, %d files, want %d", term, ok, err, p.DF, len(want))
		}
		got := hit{}
		for id, tf, ok := p.Next(); ok; id, tf, ok = p.Next() {
			got[id] = tf
		}
		if p.Err() != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v %v, want %v", term, got, p.Err(), want)
		}
	}
	for _, absent := range []string{"", "absent", "zzzz", "\x00", "evictio", "evictionx"} {
		if _, ok, err := x.Term(absent); ok || err != nil {
			t.Errorf("Term(%q) = %v %v", absent, ok, err)
		}
	}
	if _, ok := x.Lookup("nowhere"); ok || x.Err() != nil {
		t.Errorf("Lookup of nothing: %v %v", ok, x.Err())
	}
}

func TestHistoryAndLinks(t *testing.T) {
	_, in := small()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	updated(t, path, in)
	x := open(t, path)
	commits, err := x.Commits()
	if err != nil || len(commits) != 3 {
		t.Fatal(commits, err)
	}
	for i, c := range commits {
		want := in.History[i]
		want.Files = nil
		if !reflect.DeepEqual(c, want) {
			t.Errorf("commit %d: %+v, want %+v", i, c, want)
		}
	}
	for p, want := range map[string][]uint32{"main.go": {0, 1}, "util/do.go": {1}, "README.md": {}} {
		id, _ := x.Lookup(p)
		if got, err := x.FileCommits(id, nil); err != nil || !slices.Equal(got, want) {
			t.Errorf("commits of %s: %v %v, want %v", p, got, err, want)
		}
	}
	main, _ := x.Lookup("main.go")
	do, _ := x.Lookup("util/do.go")
	to, err := x.Imported(main, nil)
	if err != nil || !slices.Contains(to, uint32(do)) {
		t.Errorf("main.go imports %v %v, want %d among them", to, err, do)
	}
	from, err := x.Importers(do, nil)
	if err != nil || !slices.Equal(from, []uint32{uint32(main)}) {
		t.Errorf("importers of util/do.go: %v %v", from, err)
	}
	if got := x.PageRank(do); got != 1/float32(len(in.Files)) {
		t.Errorf("PageRank %v", got)
	}
	if newest, err := x.HeadTime(); newest != 1700000000 || err != nil || x.Head() != in.Head {
		t.Errorf("head %q at %d %v", x.Head(), newest, err)
	}
}

// TestSections holds that the sections and the header make up the whole file.
func TestSections(t *testing.T) {
	_, in := small()
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	size := int64(len(updated(t, path, in)))
	at := int64(headerBytes)
	var tags []string
	for _, s := range open(t, path).Sections() {
		if s.Offset != at || s.Offset%alignment != 0 {
			t.Errorf("%s starts at %d, want %d", s.Tag, s.Offset, at)
		}
		at += (s.Length + alignment - 1) / alignment * alignment
		tags = append(tags, s.Tag)
		if s.Tag == secContent && s.Raw <= s.Length {
			t.Errorf("contents of %d bytes take %d", s.Raw, s.Length)
		}
	}
	if at != size || !slices.Equal(tags, sectionTags[:]) {
		t.Errorf("sections %v end at %d of %d", tags, at, size)
	}
}

func TestEmptyTree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.deep.idx")
	updated(t, path, tree{}.input())
	x := open(t, path)
	if err := x.Check(); err != nil || x.NumFiles() != 0 {
		t.Error(err)
	}
	if _, ok, err := x.Term("a"); ok || err != nil {
		t.Error(ok, err)
	}
	if _, err := x.File(0); err == nil {
		t.Error("file 0 of none: no error")
	}
	if x.PageRank(-1) != 0 {
		t.Error("rank of no file")
	}
}

func TestSameBytesForAnyNumberOfWorkers(t *testing.T) {
	states := twoTrees()
	states[0].Workers = 1
	want := build(t, states[0])
	for n := 2; n < 9; n++ {
		states[0].Workers = n
		if !bytes.Equal(build(t, states[0]), want) {
			t.Errorf("%d workers give other bytes than one", n)
		}
	}
}

// TestPackEveryLength holds against contents around the sizes at which the
// frame's header changes.
func TestPackEveryLength(t *testing.T) {
	enc, err := newEncoder()
	if err != nil {
		t.Fatal(err)
	}
	dec, err := newDecoder()
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	r := rand.New(rand.NewPCG(3, 3))
	noise := make([]byte, 300<<10)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	text := []byte(strings.Repeat("func evict(pod *v1.Pod) error { return nil }\n", 7000))
	for _, src := range [][]byte{text, noise} {
		for n := 0; n < len(src); n += 1 + n/40 {
			block := pack(enc, src[:n])
			if len(block) > n {
				t.Fatalf("%d bytes pack to %d", n, len(block))
			}
			if got, err := unpack(dec, block, uint32(n), nil); err != nil || !bytes.Equal(got, src[:n]) {
				t.Fatalf("%d bytes do not come back: %v", n, err)
			}
			if _, err := unpack(dec, block, uint32(n+1), nil); err == nil {
				t.Fatalf("a block of %d bytes passes for one of %d", n, n+1)
			}
		}
	}
}

// TestDictionary looks up every term of random dictionaries and what lies
// between them.
func TestDictionary(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{1, 2, 63, 64, 65, 128, 1000} {
		set := map[string]bool{}
		for len(set) < n {
			long := strings.Repeat("prefix", r.IntN(7))
			set[long+fmt.Sprintf("%x", r.IntN(4*n))] = true
		}
		src := tree{}
		for term := range set {
			src["f"+term] = term
		}
		path := filepath.Join(t.TempDir(), "x")
		updated(t, path, src.input())
		x := open(t, path)
		all := []string{}
		for it := x.TermsFrom(""); it.Next(); {
			all = append(all, string(it.Term()))
		}
		if !slices.IsSorted(all) || len(all) != x.NumTerms() {
			t.Fatalf("%d of %d terms, sorted %v", len(all), x.NumTerms(), slices.IsSorted(all))
		}
		for i, term := range all {
			for _, from := range []string{term, term + "\x00", term[:len(term)-1]} {
				want, _ := slices.BinarySearch(all, from)
				it := x.TermsFrom(from)
				for k := want; k < min(want+3, len(all)); k++ {
					if !it.Next() || string(it.Term()) != all[k] {
						t.Fatalf("from %q: %q, want %q", from, it.Term(), all[k])
					}
				}
			}
			if _, ok, err := x.Term(term); !ok || err != nil {
				t.Fatalf("term %d %q: %v %v", i, term, ok, err)
			}
		}
	}
}

func FuzzPostings(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, uint16(3))
	f.Fuzz(func(t *testing.T, b []byte, df uint16) {
		// Any list comes back.
		var list []posting
		file := uint32(0)
		for c := b; len(c) >= 6 && file < 1<<30; c = c[6:] { // an index has no more files
			tf := binary.LittleEndian.Uint32(c)
			if tf == 0 {
				tf = 1
			}
			file += uint32(c[4])<<(c[5]%20) + 1
			list = append(list, posting{file, tf})
		}
		sec := &section{path: "x", row: tableRow{tag: secPostings}}
		p := Postings{DF: len(list), sec: sec, left: len(list), max: uint64(file) + 1, r: byteReader{b: appendPostings(nil, list)}}
		for _, want := range list {
			if gotFile, tf, ok := p.packed(); !ok || (posting{gotFile, tf}) != want {
				t.Fatalf("%d %x %v, want %+v", gotFile, tf, ok, want)
			}
		}
		if _, _, ok := p.Next(); ok || p.Err() != nil {
			t.Fatal("more than was put in", p.Err())
		}
		// Any bytes end well.
		p = Postings{DF: int(df), sec: sec, left: int(df), max: 1000, r: byteReader{b: b}}
		last := -1
		for file, _, ok := p.Next(); ok; file, _, ok = p.Next() {
			if file <= last || file >= 1000 {
				t.Fatalf("file %d after %d", file, last)
			}
			last = file
		}
	})
}

func TestFrequenciesSaturate(t *testing.T) {
	src := tree{"pod.txt": strings.Repeat("pod ", maxBody+10)}
	path := filepath.Join(t.TempDir(), "x")
	updated(t, path, src.input())
	x := open(t, path)
	p, _, err := x.Term("pod")
	if err != nil {
		t.Fatal(err)
	}
	_, tf, ok := p.Next()
	n, _ := x.FileLen(0)
	if !ok || tf != [3]uint32{1, 0, maxBody} || n[FieldBody] != maxBody+10 {
		t.Errorf("frequencies %v %v, length %v", tf, ok, n)
	}
}

func TestShallow(t *testing.T) {
	_, in := small()
	path := filepath.Join(t.TempDir(), "x.jsonl")
	in.Files[3].Path = "bad\xffname"
	if err := WriteShallow(t.Context(), path, stream.Header{Fingerprint: "abc"}, in.Files, 12); err != nil {
		t.Fatal(err)
	}
	h, files, foot, err := ReadShallow(path)
	if err != nil || h.Preset != ShallowPreset || h.Fingerprint != "abc" || foot.ScannedFiles != 12 || !reflect.DeepEqual(files, in.Files) {
		t.Errorf("%+v %+v %v", h, foot, err)
	}
	if l := leftovers(t, path); len(l) != 0 {
		t.Errorf("left behind: %q", l)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(data)-1; n += 1 + len(data)/200 {
		os.WriteFile(path, data[:n], 0o644)
		if _, _, _, err := ReadShallow(path); err == nil || !strings.Contains(err.Error(), "topo index --force") {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := WriteShallow(ctx, path, h, files, 1); err != context.Canceled {
		t.Error(err)
	}
}

func TestPrepareFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", ".topo-cache")
	for range 2 {
		if err := PrepareFolder(dir); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, ".gitignore")); string(b) != "*\n" {
		t.Errorf("%q %v", b, err)
	}
	file := filepath.Join(dir, "file")
	os.WriteFile(file, nil, 0o644)
	if err := PrepareFolder(filepath.Join(file, "x")); err == nil {
		t.Error("no error for a folder inside a file")
	}
}
