package files

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/spill"
	"github.com/topo-dev/topo/agent/workspace"
)

// kit is a tree with the tools on it.
type kit struct {
	t       *testing.T
	dir     string
	outputs *spill.Store
	tools   []agent.Tool
}

func newKit(t *testing.T, files map[string]string) *kit {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	k := &kit{t: t, dir: dir, outputs: spill.Open(t.TempDir())}
	for name, content := range files {
		k.put(name, content)
	}
	w, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	k.tools = Tools(w, Options{Outputs: k.outputs, Getenv: func(string) string { return "" }})
	return k
}

func (k *kit) put(name, content string) {
	k.t.Helper()
	path := filepath.Join(k.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		k.t.Fatal(err)
	}
}

func (k *kit) get(name string) string {
	k.t.Helper()
	b, err := os.ReadFile(filepath.Join(k.dir, name))
	if err != nil {
		k.t.Fatal(err)
	}
	return string(b)
}

// call runs a tool as the loop does: access first, then the run.
func (k *kit) call(name string, in any) (string, error) {
	k.t.Helper()
	raw, ok := in.(string)
	if !ok {
		b, err := json.Marshal(in)
		if err != nil {
			k.t.Fatal(err)
		}
		raw = string(b)
	}
	for _, tool := range k.tools {
		if tool.Spec().Name == name {
			if _, err := tool.Access(json.RawMessage(raw)); err != nil {
				return "", err
			}
			out, err := tool.Run(k.t.Context(), json.RawMessage(raw))
			return out.Text, err
		}
	}
	k.t.Fatalf("there is no tool %s", name)
	return "", nil
}

// expect checks an answer, or an error by the text it must hold.
func (k *kit) expect(name string, in any, want string) {
	k.t.Helper()
	got, err := k.call(name, in)
	if bad, ok := strings.CutPrefix(want, "error: "); ok {
		if err == nil || !strings.Contains(err.Error(), bad) {
			k.t.Errorf("%s %v: %q, error %v; want error %q", name, in, got, err, bad)
		}
		return
	}
	if err != nil || got != want {
		k.t.Errorf("%s %v: error %v\n%s\nwant\n%s", name, in, err, got, want)
	}
}

func TestRegistry(t *testing.T) {
	k := newKit(t, nil)
	var names []string
	for _, tool := range k.tools {
		s := tool.Spec()
		names = append(names, s.Name)
		if len(s.Description) < 80 || !json.Valid(s.Schema) || s.ReadOnly && s.Destructive {
			t.Errorf("%+v", s)
		}
	}
	if want := []string{"edit", "glob", "grep", "ls", "read", "todo", "write"}; !slices.Equal(names, want) {
		t.Errorf("tools %q", names)
	}
	docs, _ := filepath.Glob("*.md")
	if len(docs) != len(names) {
		t.Errorf("%d descriptions for %d tools", len(docs), len(names))
	}
}

func TestRead(t *testing.T) {
	long := strings.Repeat("é", 1500)
	k := newKit(t, map[string]string{
		"a.txt": "one\ntwo\nthree\n", "empty": "", "open": "one\ntwo", "crlf": "one\r\ntwo\r\n",
		"bom": "\ufeffone\n", "bin": "GIF89a\x00\x01", "latin": "caf\xe9\n", "long": "x\n" + long + "\ny\n",
		"utf16": "\xff\xfeh\x00i\x00\n\x00", "utf16be": "\xfe\xff\x00h\x00i", "sub/main.go": "package sub\n",
		"blank": "\n\n", "cr": "a\rb\n",
	})
	for _, c := range []struct{ in, want string }{
		{`{"path":"a.txt"}`, "1\tone\n2\ttwo\n3\tthree\n"},
		{`{"path":"./sub/../a.txt","offset":2}`, "2\ttwo\n3\tthree\n"},
		{`{"path":"a.txt","offset":2,"limit":1}`, "2\ttwo\n[lines 2 to 2 of 3; more with offset 3]\n"},
		{`{"path":"a.txt","offset":4}`, "error: a.txt has 3 lines; offset 4 is after its end"},
		{`{"path":"empty"}`, "[the file is empty]"},
		{`{"path":"empty","offset":2}`, "error: has 0 lines"},
		{`{"path":"blank"}`, "1\t\n2\t\n"},
		{`{"path":"open"}`, "1\tone\n2\ttwo\n[no newline at the end]\n"},
		{`{"path":"crlf"}`, "1\tone\n2\ttwo\n[lines end in CRLF]\n"},
		{`{"path":"cr"}`, "1\ta\rb\n"},
		{`{"path":"bom"}`, "1\tone\n[encoded as UTF-8 with a byte order mark]\n"},
		{`{"path":"latin"}`, "1\tcaf\uFFFD\n[bytes that are not UTF-8 are shown as \uFFFD]\n"},
		{`{"path":"utf16"}`, "1\thi\n[encoded as UTF-16]\n"},
		{`{"path":"utf16be"}`, "1\thi\n[encoded as UTF-16; no newline at the end]\n"},
		{`{"path":"bin"}`, "error: bin: the file is binary (image/gif, 8 bytes)"},
		{`{"path":"long"}`, "1\tx\n2\t" + strings.Repeat("é", 1000) + " […]\n3\ty\n[1 lines cut after 2000 bytes]\n"},
		{`{"path":"sub"}`, "error: not a regular file but a directory; list it with ls"},
		{`{"path":"a.tx"}`, "error: did you mean a.txt?"},
		{`{"path":"sub/mian.go"}`, "error: did you mean sub/main.go?"},
		{`{"path":"no/such/dir"}`, "error: the directory no/such/ does not exist either"},
		{`{"path":"zzz"}`, "error: look with glob or ls"},
		{`{"path":"../x"}`, "error: the path leaves the root"},
		{`{"path":"output:0123456789abcdef"}`, "error: is not kept in this session"},
		{`{"path":"a.txt","offset":0}`, "error: offset must be at least 1"},
	} {
		k.expect("read", c.in, c.want)
	}
	handle, err := k.outputs.Put("kept\noutput\n")
	if err != nil {
		t.Fatal(err)
	}
	k.expect("read", readInput{Path: handle, Offset: 2}, "2\toutput\n")
	k.expect("grep", grepInput{Path: handle, Pattern: "out"}, handle+"\n2: output\n")
}

func TestReadIsBounded(t *testing.T) {
	k := newKit(t, map[string]string{"many": strings.Repeat(strings.Repeat("x", 99)+"\n", 5000)})
	got, err := k.call("read", `{"path":"many","limit":10000}`)
	if err != nil || len(got) > spill.Limit || !strings.Contains(got, " of 5000; more with offset ") {
		t.Errorf("%d bytes, %v, …%q", len(got), err, got[len(got)-100:])
	}
	big, err := os.Create(filepath.Join(k.dir, "big"))
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Repeat("y", 1<<20-1) + "\n"
	for range 18 {
		if _, err := big.WriteString(line); err != nil {
			t.Fatal(err)
		}
	}
	big.Close()
	got, err = k.call("read", `{"path":"big","offset":3,"limit":1}`)
	if err != nil || !strings.HasPrefix(got, "3\tyyy") || len(got) > 3000 || !strings.Contains(got, "more with offset 4") {
		t.Errorf("%v, %d bytes", err, len(got))
	}
	k.expect("edit", `{"path":"big","edits":[{"old_text":"y","new_text":"z"}]}`, "error: over the size limit")
}

func TestWrite(t *testing.T) {
	k := newKit(t, map[string]string{"old.txt": "one\ntwo\n"})
	k.expect("write", `{"path":"new/dir/f.txt","content":"x\n"}`, "Made new/dir/f.txt (1 line, 2 bytes).")
	k.expect("write", `{"path":"new/dir/f.txt","content":"y\n"}`, "Replaced new/dir/f.txt (1 line, 2 bytes).\n--- a/new/dir/f.txt\n+++ b/new/dir/f.txt\n@@ -1 +1 @@\n-x\n+y\n")
	k.expect("write", `{"path":"new/dir/f.txt","content":"y\n"}`, "new/dir/f.txt has this content already; nothing was written.")
	k.expect("write", `{"path":"old.txt","content":"x"}`, "error: the file has not been read; read it first")
	k.expect("read", `{"path":"old.txt","limit":1}`, "1\tone\n[lines 1 to 1 of 2; more with offset 2]\n")
	k.put("old.txt", "changed\n")
	k.expect("write", `{"path":"old.txt","content":"x"}`, "error: the file changed since it was read; read it again")
	k.expect("read", `{"path":"old.txt"}`, "1\tchanged\n")
	k.expect("write", `{"path":"old.txt","content":""}`, "Replaced old.txt (0 lines, 0 bytes).\n--- a/old.txt\n+++ b/old.txt\n@@ -1 +0,0 @@\n-changed\n")
	if got := k.get("old.txt"); got != "" {
		t.Errorf("%q", got)
	}
	k.expect("write", `{"path":".git/hooks/x","content":"x"}`, "error: protected")
	k.expect("write", `{"path":"old.txt/x","content":"x"}`, "error: not a directory")
	k.expect("write", `{"path":"new","content":"x"}`, "error: but a directory")
}

func TestTodo(t *testing.T) {
	k := newKit(t, nil)
	k.expect("todo", `{"items":[{"text":"read\nit","status":"done"},{"text":"change it","status":"doing"},{"text":"test","status":"open"}]}`,
		"[x] read it\n[>] change it\n[ ] test\n1 of 3 done\n")
	k.expect("todo", `{"items":[]}`, "The list is empty.")
	k.expect("todo", `{"items":[{"text":"a","status":"later"}]}`, `error: items[0].status must be one of "open", "doing", "done", not "later"`)
}

func TestLs(t *testing.T) {
	k := newKit(t, map[string]string{"b/c/d.txt": "12345", "a.txt": "1", ".git/config": "", "new\nline": ""})
	if err := os.MkdirAll(filepath.Join(k.dir, "void"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("b/c", filepath.Join(k.dir, "l")); err != nil {
		t.Skip("symbolic links cannot be made here")
	}
	_ = os.Symlink("/etc", filepath.Join(k.dir, "out"))
	k.expect("ls", `{}`, ".git/\na.txt  1\nb/\nl -> b/c\n\"new\\nline\"  0\nout -> (not below the root)\nvoid/\n")
	k.expect("ls", `{"path":"b","depth":2}`, "c/\n  d.txt  5\n")
	k.expect("ls", `{"path":"l"}`, "d.txt  5\n")
	k.expect("ls", `{"path":"void"}`, "[the directory is empty]\n")
	k.expect("ls", `{"path":"out"}`, "error: leaves the root")
	k.expect("ls", `{"path":"a.txt"}`, "error: not a directory")
	for i := range 600 {
		k.put("many/"+string(rune('a'+i%26))+strings.Repeat("x", i/26), "")
	}
	got, err := k.call("ls", `{"path":"many"}`)
	if err != nil || strings.Count(got, "\n") != lsLimit+1 || !strings.Contains(got, "more entries follow") {
		t.Errorf("%d lines, %v", strings.Count(got, "\n"), err)
	}
}

func TestGlob(t *testing.T) {
	k := newKit(t, map[string]string{"main.go": "", "a/x.go": "", "a/b/y.ts": "", "a/b/z.tsx": "", "a/x_test.go": "",
		"ignored/q.go": "", ".gitignore": "ignored\n", "[odd]/{b}.go": ""})
	for _, c := range []struct{ in, want string }{
		{`{"pattern":"*.go"}`, "[odd]/{b}.go\na/x.go\na/x_test.go\nmain.go\n"},
		{`{"pattern":"a/*.go"}`, "a/x.go\na/x_test.go\n"},
		{`{"pattern":"./a/**/*.{ts,tsx}"}`, "a/b/y.ts\na/b/z.tsx\n"},
		{`{"pattern":"**/*_test.go","path":"a"}`, "a/x_test.go\n"},
		{`{"pattern":"b/*","path":"a"}`, "a/b/y.ts\na/b/z.tsx\n"},
		{`{"pattern":"*.go","limit":2}`, "[odd]/{b}.go\na/x.go\n[2 more; narrow the pattern or raise limit]\n"},
		{`{"pattern":"/{b}.go","path":"[odd]"}`, "No file matches /{b}.go."},
		{`{"pattern":"/[{]b}.go","path":"[odd]"}`, "[odd]/{b}.go\n"},
		{`{"pattern":"*.rs"}`, "No file matches *.rs."},
		{`{"pattern":"*.{go"}`, "error: has a { without its }"},
		{`{"pattern":"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"}`, "error: expand to more than 64"},
		{`{"pattern":"*","path":"nowhere"}`, "error: nowhere"},
		{`{"pattern":"*","path":"../"}`, "error: leaves the root"},
	} {
		k.expect("glob", c.in, c.want)
	}
}

func ripgrepPath(t *testing.T) string {
	t.Helper()
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("rg is not installed; install ripgrep with the system's package manager")
	}
	return rg
}

// TestWriteKeepsMaskedCredentials: what was shown masked is not written over the
// credential itself.
func TestWriteKeepsMaskedCredentials(t *testing.T) {
	k := newKit(t, map[string]string{"local.env": "TOKEN=real\nDEBUG=0\n"})
	w, err := workspace.Open(k.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	mask := func(b []byte) []byte { return []byte(strings.ReplaceAll(string(b), "real", "[secret: token]")) }
	k.tools = Tools(w, Options{Outputs: k.outputs, Getenv: func(string) string { return "" }, Mask: mask})
	shown, err := k.call("read", map[string]any{"path": "local.env"})
	if err != nil || !strings.Contains(shown, "[secret: token]") || strings.Contains(shown, "real") {
		t.Fatalf("%q, %v", shown, err)
	}
	_, err = k.call("write", map[string]any{"path": "local.env", "content": "TOKEN=[secret: token]\nDEBUG=1\n"})
	if err == nil || !strings.Contains(err.Error(), "would be lost") || k.get("local.env") != "TOKEN=real\nDEBUG=0\n" {
		t.Errorf("%v: %q", err, k.get("local.env"))
	}
	changed, err := k.call("write", map[string]any{"path": "local.env", "content": "TOKEN=none\nDEBUG=1\n"})
	if err != nil || strings.Contains(changed, "real") || !strings.Contains(changed, "-TOKEN=[secret: token]") {
		t.Errorf("the difference shows what was masked: %q, %v", changed, err)
	}
}
