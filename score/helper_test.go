package score

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"testing"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/stream"
)

// tree is a small repository: path → content.
type tree map[string]string

func (t tree) ReadFile(path string, buf []byte) ([]byte, error) {
	s, ok := t[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return append(buf[:0], s...), nil
}

func (t tree) files() []stream.File {
	var out []stream.File
	for p, s := range t {
		f := stream.File{Path: p, Language: "toy", Role: stream.RoleImpl, Size: int64(len(s)), Tokens: stream.EstimateTokens(int64(len(s)))}
		if strings.Contains(p, "_test.") {
			f.Role = stream.RoleTest
		}
		out = append(out, f)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}

// toyParse reads a toy language: "def NAME" opens a function and "type NAME" a
// type, both of which the next "end" at the same indentation closes; "#" lines
// just before are its doc comment.
func toyParse(_ context.Context, _, _ string, src []byte) (r chunk.Result) {
	type open struct {
		at     int
		indent string
	}
	var stack []open
	doc, docLine, pos := -1, 0, 0
	for i, line := range bytes.SplitAfter(src, []byte("\n")) {
		text := strings.TrimSpace(string(line))
		indent := string(line[:len(line)-len(bytes.TrimLeft(line, " "))])
		kind, name, _ := strings.Cut(text, " ")
		switch {
		case strings.HasPrefix(text, "#"):
			if doc < 0 {
				doc, docLine = pos, i+1
			}
			pos += len(line)
			continue
		case kind == "def" || kind == "type":
			c := chunk.Chunk{Kind: chunk.Function, Name: name, StartByte: pos, StartLine: i + 1, SigEnd: pos + len(strings.TrimRight(string(line), "\n"))}
			if kind == "type" {
				c.Kind = chunk.Type
			}
			if len(stack) > 0 {
				c.Scope, c.Kind = r.Chunks[stack[len(stack)-1].at].Qualified(), chunk.Method
			}
			if doc >= 0 {
				c.DocStart, c.DocEnd, c.DocLine = doc, pos, docLine
			}
			r.Chunks = append(r.Chunks, c)
			stack = append(stack, open{len(r.Chunks) - 1, indent})
		case text == "end" && len(stack) > 0 && stack[len(stack)-1].indent == indent:
			c := &r.Chunks[stack[len(stack)-1].at]
			c.EndByte, c.EndLine = pos+len(strings.TrimRight(string(line), "\n")), i+1
			stack = stack[:len(stack)-1]
		}
		doc = -1
		pos += len(line)
	}
	for len(stack) > 0 {
		panic(fmt.Sprintf("toy source without end: %q", src))
	}
	return r
}

// fake is a Corpus and a Structure that counts everything naively.
type fake struct {
	paths  []string
	tree   tree
	tf     []map[string][3]uint32
	lens   [][3]uint32
	rank   map[string]float64
	recent map[string]int
}

func newFake(t tree) *fake {
	f := &fake{tree: t, rank: map[string]float64{}, recent: map[string]int{}}
	for _, file := range t.files() {
		f.paths = append(f.paths, file.Path)
		tf, lens := map[string][3]uint32{}, [3]uint32{}
		add := func(text string, field int) {
			for _, term := range token.Terms(text) {
				n := tf[term]
				n[field]++
				tf[term] = n
				lens[field]++
			}
		}
		add(file.Path, 0)
		for _, c := range toyParse(context.Background(), "", "", []byte(t[file.Path])).Chunks {
			add(c.Name, 1)
		}
		add(t[file.Path], 2)
		f.tf, f.lens = append(f.tf, tf), append(f.lens, lens)
	}
	return f
}

func (f *fake) NumFiles() int { return len(f.paths) }
func (f *fake) TotalLen() (n [3]uint64) {
	for _, l := range f.lens {
		for i := range n {
			n[i] += uint64(l[i])
		}
	}
	return n
}
func (f *fake) FileLen(id int) ([3]uint32, error) { return f.lens[id], nil }
func (f *fake) Match(paths func(int) string, n int) ([]int32, error) {
	out := make([]int32, n)
	for i := range out {
		out[i] = -1
		for id, p := range f.paths {
			if p == paths(i) {
				out[i] = int32(id)
			}
		}
	}
	return out, nil
}
func (f *fake) DF(term string) (n int, err error) {
	return n, f.Each(term, func(int, [3]uint32) { n++ })
}
func (f *fake) Each(term string, fn func(int, [3]uint32)) error {
	for id := range f.tf {
		if tf, ok := f.tf[id][term]; ok {
			fn(id, tf)
		}
	}
	return nil
}
func (f *fake) Chunks(id int) ([]chunk.Chunk, error) {
	return toyParse(context.Background(), "", "", []byte(f.tree[f.paths[id]])).Chunks, nil
}
func (f *fake) Content(id int, buf []byte) ([]byte, error) {
	return append(buf[:0], f.tree[f.paths[id]]...), nil
}
func (f *fake) PageRank(id int) float64 { return f.rank[f.paths[id]] }
func (f *fake) RecentCommits(id int, _ int64) (int, error) {
	return f.recent[f.paths[id]], nil
}

func mustQuery(t testing.TB, text string) *Query {
	t.Helper()
	q, err := ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func mustRank(t testing.TB, c Corpus, files []stream.File, o Options) []stream.File {
	t.Helper()
	out, err := Rank(context.Background(), c, files, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func paths(files []stream.File) string {
	var out []string
	for _, f := range files {
		if f.Score > 0 {
			out = append(out, f.Path)
		}
	}
	return strings.Join(out, " ")
}
