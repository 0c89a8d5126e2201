package index

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	topo "github.com/topo-dev/topo"
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
	var files []topo.File
	for path, text := range t {
		files = append(files, fileRecordOf(path, []byte(text)))
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return Input{Files: files, Source: t}
}

var languages = map[string]string{".go": "go", ".py": "python", ".md": "markdown", ".yaml": "yaml", ".json": "json", ".sh": "bash", ".c": "c", ".h": "c", ".proto": "protobuf"}

func fileRecordOf(path string, text []byte) topo.File {
	sum := sha256.Sum256(text)
	f := topo.File{Path: path, Language: languages[filepath.Ext(path)], Role: topo.RoleImpl, Size: int64(len(text)), Sha256: hex.EncodeToString(sum[:])}
	switch {
	case strings.HasPrefix(path, "link/"):
		f.Skipped, f.Target = topo.SkipSymlink, "../"+path
	case strings.Contains(string(text), "\x00"):
		f.Skipped = topo.SkipBinary
	}
	if strings.Contains(path, "_test") {
		f.Role = topo.RoleTest
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
			f.Skipped = topo.SkipLarge
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
