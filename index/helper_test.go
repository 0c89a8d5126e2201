package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

// tree is a tree of files in memory; it is the Reader of its own Input.
type tree map[string]string

func (t tree) ReadFile(path string, buf []byte) ([]byte, error) {
	text, ok := t[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return append(buf[:0], text...), nil
}

func (t tree) input() Input {
	var files []stream.File
	for path, text := range t {
		files = append(files, fileRecordOf(path, []byte(text)))
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return Input{Files: files, Source: t}
}

var languages = map[string]string{".go": "go", ".py": "python", ".md": "markdown", ".yaml": "yaml", ".json": "json", ".sh": "bash", ".c": "c", ".h": "c", ".proto": "protobuf"}

func fileRecordOf(path string, text []byte) stream.File {
	sum := sha256.Sum256(text)
	f := stream.File{Path: path, Language: languages[filepath.Ext(path)], Role: stream.RoleImpl, Size: int64(len(text)), Sha256: hex.EncodeToString(sum[:])}
	switch {
	case strings.HasPrefix(path, "link/"):
		f.Skipped, f.Target = stream.SkipSymlink, "../"+path
	case strings.Contains(string(text), "\x00"):
		f.Skipped = stream.SkipBinary
	}
	if strings.Contains(path, "_test") {
		f.Role = stream.RoleTest
	}
	return f
}

// dirReader reads a folder.
type dirReader string

func (d dirReader) ReadFile(path string, buf []byte) ([]byte, error) {
	f, err := os.Open(filepath.Join(string(d), path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	n := int(st.Size())
	if cap(buf) < n {
		buf = make([]byte, n+n/4)
	}
	k, err := f.Read(buf[:n])
	if n == 0 {
		err = nil
	}
	return buf[:k], err
}

// scanDir is the input of a folder, the simple way.
func scanDir(t testing.TB, root string) Input {
	t.Helper()
	var in Input
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		f := fileRecordOf(filepath.ToSlash(rel), text)
		if len(text) > 1<<20 {
			f.Skipped = stream.SkipLarge
		}
		in.Files = append(in.Files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Slice(in.Files, func(i, j int) bool { return in.Files[i].Path < in.Files[j].Path })
	in.Source = dirReader(root)
	return in
}

// slow tells whether the long tests are wanted.
func slow() bool { return os.Getenv("TOPO_SLOW") != "" }

// small is a tree with one of everything.
func small() (tree, Input) {
	t := tree{
		"main.go":         "package main\n\nimport \"example.com/m/util\"\n\n// Run starts the evictionManager.\nfunc Run() { util.Do() }\n\ntype Server struct{}\n\nfunc (s *Server) Close() error { return nil }\n",
		"util/do.go":      "package util\n\n// Do does.\nfunc Do() {}\n",
		"util/copy.go":    "package util\n\n// Do does.\nfunc Do() {}\n",
		"util/copy.txt":   "package util\n\n// Do does.\nfunc Do() {}\n",
		"util/do_test.go": "package util\n\nfunc TestDo() { Do(); Do(); Do() }\n",
		"lib/a.py":        "import os\n\nclass Manager:\n    def evict(self, pod):\n        return os.kill(pod)\n",
		"empty":           "",
		"logo.png":        "\x89PNG\x00\x00",
		"link/there":      "main.go",
		"README.md":       "# Title\n\nAll about eviction of pods under memory pressure: größe 内存.\n\n## Use\n\ngo run\n",
		"big.txt":         strings.Repeat("pod memory eviction node pressure ", 40),
		"words.txt":       "aa ab ac ad ae af ag ah ai aj ak al am an ao ap aq ar as at au av aw ax ay az ba bb bc bd be bf bg bh bi bj averyveryverylongtermindeed averyveryverylongtermindeedtoo",
	}
	in := t.input()
	in.Head = "0123456789abcdef0123456789abcdef01234567"
	in.History = []Commit{
		{ID: in.Head, Time: 1700000000, Author: "A", Subject: "change main", Files: []string{"main.go", "gone.go", "main.go"}},
		{ID: strings.Repeat("ab", 20), Time: 1600000000, Author: "B", Subject: "first", Files: []string{"util/do.go", "main.go"}},
		{ID: strings.Repeat("cd", 20), Time: -5, Author: "A", Subject: "", Files: nil},
	}
	in.Links, in.LinksVersion = linkByName, 1
	in.Graph, in.GraphVersion = graphOfAll, 1
	return t, in
}

// graphOfAll is a GraphBuilder that any change of a file, of its facts or of the
// history shows in.
func graphOfAll(_ context.Context, in GraphInput) (GraphSections, error) {
	s := GraphSections{}
	for i := range in.Files {
		chunks, imports, facts, err := in.Files[i].Load()
		if err != nil {
			return nil, err
		}
		s[GraphNodes] = fmt.Appendf(s[GraphNodes], "%s %s %s %d\n", in.Files[i].Path, in.Files[i].Language, in.Files[i].Role, len(chunks))
		s[GraphOut] = fmt.Appendf(s[GraphOut], "%v %d\n", imports, len(in.Links.To))
		s[GraphStrings] = append(s[GraphStrings], facts...)
	}
	for _, c := range in.History {
		s[GraphRanks] = fmt.Appendf(s[GraphRanks], "%s %v\n", c.ID, c.Files)
	}
	return s, nil
}

// linkByName is a Linker that any change of a file's imports shows in: a file
// links to every file whose folder's name an import ends in.
func linkByName(in LinkInput) Links {
	l := Links{Off: []uint32{0}}
	for _, f := range in.Files {
		for j, g := range in.Files {
			for _, imp := range f.Imports {
				if dir := filepath.Dir(g.Path); dir != "." && strings.HasSuffix(imp.Path, "/"+dir) {
					l.To = append(l.To, uint32(j))
					break
				}
			}
		}
		l.Off = append(l.Off, uint32(len(l.To)))
		l.PageRank = append(l.PageRank, 1/float32(len(in.Files)))
	}
	return l
}

// build makes an index of in from scratch and returns its bytes.
func build(t testing.TB, in Input) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "new.deep.idx")
	return updated(t, path, in)
}

// updated brings the index at path up to date and returns its bytes.
func updated(t testing.TB, path string, in Input) []byte {
	t.Helper()
	if _, err := Update(context.Background(), path, in); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// open opens an index for the length of a test.
func open(t testing.TB, path string) *Index {
	t.Helper()
	x, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// dump is everything that can be read from x, as text.
func dump(x *Index) (string, error) {
	var b strings.Builder
	fmt.Fprintln(&b, x.NumFiles(), x.NumTerms(), x.TotalLen(), x.Head(), x.NumCommits(), x.HasPageRank())
	for id := range x.NumFiles() {
		if err := dumpFile(&b, x, id); err != nil {
			return "", err
		}
	}
	if x.GraphVersion() != 0 {
		for _, tag := range graphTags {
			p, _ := x.Graph(tag)
			text, err := p.Span(0, p.Len())
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%s %q\n", tag, text)
		}
	}
	it := x.TermsFrom("")
	for it.Next() {
		p, err := it.Postings()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s %d", it.Term(), p.DF)
		for file, tf, ok := p.Next(); ok; file, tf, ok = p.Next() {
			fmt.Fprint(&b, " ", file, tf)
		}
		if err := p.Err(); err != nil {
			return "", err
		}
		fmt.Fprintln(&b)
	}
	if err := it.Err(); err != nil {
		return "", err
	}
	for _, term := range []string{"eviction", "pod", "do", "zzz", ""} {
		p, ok, err := x.Term(term)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&b, term, p.DF, ok)
	}
	commits, err := x.Commits()
	if err != nil {
		return "", err
	}
	newest, err := x.HeadTime()
	fmt.Fprintf(&b, "%+v %d\n", commits, newest)
	return b.String(), errors.Join(err, x.Err())
}

func dumpFile(b *strings.Builder, x *Index, id int) error {
	f, err := x.File(id)
	if err != nil {
		return err
	}
	at, ok := x.Lookup(f.Path)
	text, err1 := x.Content(id, nil)
	chunks, err2 := x.Chunks(id)
	imports, err3 := x.Imports(id)
	parser, broken, err4 := x.Parser(id)
	to, err5 := x.Imported(id, nil)
	from, err6 := x.Importers(id, nil)
	commits, err7 := x.FileCommits(id, nil)
	n, err8 := x.FileLen(id)
	fmt.Fprintf(b, "%+v %d %v %q\n%+v\n%+v %s %v %v %v %v %v %v\n", f, at, ok, text, chunks, imports, parser, broken, to, from, commits, n, x.PageRank(id))
	return errors.Join(err1, err2, err3, err4, err5, err6, err7, err8, x.Err())
}
