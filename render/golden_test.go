package render

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topo-dev/topo/stream"
)

var update = flag.Bool("update", false, "write the golden files again")

const server = `package server

import "net"

// Server answers.
type Server struct {
	ln net.Listener
}

// New listens on addr.
func New(addr string) (*Server, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Server{ln}, nil
}

// Serve accepts until Close.
func (s *Server) Serve() error {
	for {
		c, err := s.ln.Accept()
		if err != nil {
			return err
		}
		go s.handle(c)
	}
}

func (s *Server) handle(c net.Conn) {
	defer c.Close()
}

// Close stops Serve.
func (s *Server) Close() error { return s.ln.Close() }
`

var serverOutline = []stream.Chunk{
	{Kind: "import", Name: "net", StartLine: 3, EndLine: 3, Signature: `import "net"`},
	{Kind: "type", Name: "Server", StartLine: 5, EndLine: 8, Signature: "type Server struct"},
	{Kind: "function", Name: "New", StartLine: 10, EndLine: 17, Signature: "func New(addr string) (*Server, error)"},
	{Kind: "method", Name: "Server.Serve", StartLine: 19, EndLine: 28, Signature: "func (s *Server) Serve() error"},
	{Kind: "method", Name: "Server.handle", StartLine: 30, EndLine: 32, Signature: "func (s *Server) handle(c net.Conn)"},
	{Kind: "method", Name: "Server.Close", StartLine: 34, EndLine: 35, Signature: "func (s *Server) Close() error"},
}

// hostile holds everything that could break out of a format or a terminal.
const hostile = "```\n# not a heading\n~~~~\n]]></file><file path=\"x\">&amp;\r\n\x1b]0;title\x07\x1b[2J\u009b31m\n" +
	"\"},{\"path\":\"y\u202e\"}\n\xff\xfe nul:\x00 tab:\t\n  ````js\nlone\rcr \u2028 \U000E0041 no newline at the end"

func selection() Input {
	return Input{
		Header: stream.Header{Version: "0.3", Query: "close the\nserver \x1b[31m", Preset: "balanced"},
		Footer: stream.Footer{ScannedFiles: 358},
		Docs: []Doc{
			{File: stream.File{Path: "net/server.go", Score: 0.95, Tokens: 200, Language: "go", Role: stream.RoleImpl, Chunks: []stream.Chunk{
				serverOutline[5], serverOutline[2],
			}}, Content: []byte(server), Outline: serverOutline},
			{File: stream.File{Path: "net/doc.md", Score: 0.5, Tokens: 3, Language: "markdown", Role: stream.RoleDocs}, Content: []byte("# Net\n"), Stale: true},
			{File: stream.File{Path: "odd\n\"name\"\x1b.txt", Score: 0.25, Tokens: 60, Role: stream.RoleOther}, Content: []byte(hostile)},
			{File: stream.File{Path: "bad\xff.txt", Score: 0.125, Role: stream.RoleOther}, Content: []byte{}},
			{File: stream.File{Path: "logo.png", Score: 0.1, Role: stream.RoleOther, Skipped: stream.SkipBinary}},
			{File: stream.File{Path: "link", Score: 0.1, Role: stream.RoleOther, Skipped: stream.SkipSymlink, Target: "a\x1bb"}},
		},
	}
}

func renderString(t testing.TB, format string, in Input, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(context.Background(), &b, format, in, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
	}{
		{"all", Options{}},
		{"options", Options{LineNumbers: true, Scores: true, Color: true, Outline: 2}},
		{"budget", Options{MaxTokens: 230, Counter: Bytes{}}},
	} {
		for _, f := range Formats() {
			t.Run(c.name+"/"+f.Name, func(t *testing.T) {
				in := selection()
				got := renderString(t, f.Name, in, c.o)
				file := filepath.Join("testdata", c.name+"."+f.Name)
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("differs from %s (run with -update after looking):\n%s", file, got)
				}
				checkOutput(t, f.Name, in, c.o, got)
			})
		}
	}
}

// checkOutput holds for every output whatever went in.
func checkOutput(t testing.TB, format string, in Input, o Options, got string) {
	t.Helper()
	plain := got
	if o.Color && format == "human" {
		for _, code := range []string{bold, green, cyan, dim, reset} {
			plain = strings.ReplaceAll(plain, code, "")
		}
	}
	for i, r := range strings.ToValidUTF8(plain, "\x00") {
		if r != '\n' && r != '\t' && unsafeRune(r, 2) {
			t.Fatalf("%s: unsafe character %U at byte %d of\n%q", format, r, i, plain)
		}
	}
	if o.MaxBytes > 0 && int64(len(got)) > o.MaxBytes {
		t.Fatalf("%s: %d bytes, allowed %d", format, len(got), o.MaxBytes)
	}
	if c := o.Counter; o.MaxTokens > 0 {
		if c == nil {
			c = Bytes{}
		}
		if n := c.Count([]byte(got)); n > o.MaxTokens {
			t.Fatalf("%s: %d tokens, allowed %d", format, n, o.MaxTokens)
		}
	}
	switch format {
	case "xml":
		checkXML(t, in, got)
	case "json":
		checkJSON(t, got)
	case "jsonl":
		checkJSONL(t, in, got)
	case "markdown":
		checkMarkdown(t, in, got)
	}
}

func checkXML(t testing.TB, in Input, got string) {
	t.Helper()
	var v struct {
		File []struct {
			Path string `xml:"path,attr"`
			Text string `xml:",chardata"`
		} `xml:"file"`
		LeftOut string `xml:"left_out"`
	}
	if err := xml.Unmarshal([]byte(got), &v); err != nil {
		t.Fatalf("%v in\n%s", err, got)
	}
	for i, f := range v.File {
		if want := safeText(safePath(in.Docs[i].File.Path)); f.Path != want {
			t.Fatalf("file %d is %q, want %q", i, f.Path, want)
		}
	}
	if n := len(v.File); n < len(in.Docs) && v.LeftOut == "" {
		t.Fatal("files are left out, but the output does not say so")
	}
}

func checkJSON(t testing.TB, got string) {
	t.Helper()
	var v struct {
		Files      []json.RawMessage
		TotalFiles int
	}
	if err := json.Unmarshal([]byte(got), &v); err != nil {
		t.Fatalf("%v in\n%s", err, got)
	}
	if len(v.Files) != v.TotalFiles {
		t.Fatalf("%d files, TotalFiles is %d", len(v.Files), v.TotalFiles)
	}
}

// checkJSONL reads the output as a stream and compares content of whole files.
func checkJSONL(t testing.TB, in Input, got string) {
	t.Helper()
	r := stream.NewReader(strings.NewReader(got))
	for i := 0; ; {
		rec, err := r.Next()
		if err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, got)
		}
		if rec.Kind != stream.KindFile {
			continue
		}
		f, _ := rec.File()
		if f.Path != in.Docs[i].File.Path {
			t.Fatalf("record %d is %q, want %q", i, f.Path, in.Docs[i].File.Path)
		}
		var v struct {
			Content *string
			Cut     bool
		}
		if err := json.Unmarshal([]byte(strings.Split(got, "\n")[i+1]), &v); err != nil {
			t.Fatal(err)
		}
		want := strings.ToValidUTF8(string(in.Docs[i].Content), "\uFFFD")
		if v.Content != nil && !v.Cut && collapse(*v.Content) != collapse(want) {
			t.Fatalf("content of %q is\n%q, want\n%q", f.Path, *v.Content, want)
		}
		i++
	}
}

// collapse makes one of several U+FFFD: how many replace a run of bad bytes
// differs between decoders.
func collapse(s string) string {
	for strings.Contains(s, "\uFFFD\uFFFD") {
		s = strings.ReplaceAll(s, "\uFFFD\uFFFD", "\uFFFD")
	}
	return s
}

// checkMarkdown walks the fences as a Markdown reader does: outside of them
// there is only what the format itself writes.
func checkMarkdown(t testing.TB, in Input, got string) {
	t.Helper()
	fence, files := "", 0
	for _, l := range strings.Split(got, "\n") {
		switch {
		case fence != "":
			body := strings.TrimRight(strings.TrimLeft(l, " "), " \t")
			if len(l)-len(strings.TrimLeft(l, " ")) < 4 && len(body) >= len(fence) && strings.Trim(body, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(l, "```"), strings.HasPrefix(l, "~~~"):
			fence = l[:len(l)-len(strings.TrimLeft(l, l[:1]))]
		case strings.HasPrefix(l, "## "):
			if want := "## " + safePath(in.Docs[files].File.Path); !strings.HasPrefix(l, want) {
				t.Fatalf("heading %q, want %q in\n%s", l, want, got)
			}
			files++
		case l == "", strings.HasPrefix(l, "# Context"), strings.HasPrefix(l, "> "):
		default:
			t.Fatalf("content broke out of its fence: %q in\n%s", l, got)
		}
	}
	if fence != "" {
		t.Fatalf("a fence is not closed in\n%s", got)
	}
	if files < len(in.Docs) && !strings.Contains(got, "> Left out") {
		t.Fatalf("%d of %d files, but nothing says so", files, len(in.Docs))
	}
}
