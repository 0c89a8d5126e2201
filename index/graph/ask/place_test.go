package ask

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/algo"
	"github.com/topo-dev/topo/stream"
)

// session is an open index over the files.
func session(t *testing.T, files map[string]string) *Session {
	t.Helper()
	dir := t.TempDir()
	in := index.Input{Links: graph.Link, LinksVersion: graph.Version, Graph: graph.Build, GraphVersion: graph.BuildVersion, Source: texts(files)}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum := sha256.Sum256([]byte(files[name]))
		role := stream.RoleImpl
		if strings.HasSuffix(name, "_test.go") {
			role = stream.RoleTest
		}
		in.Files = append(in.Files, stream.File{Path: name, Language: "go", Role: role, Size: int64(len(files[name])), Sha256: hex.EncodeToString(sum[:])})
	}
	name := filepath.Join(dir, "x.idx")
	if _, err := index.Update(t.Context(), name, in); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	g, err := graph.Open(x)
	if err != nil {
		t.Fatal(err)
	}
	return &Session{Index: x, Graph: g, Root: "/src/app"}
}

type texts map[string]string

func (t texts) ReadFile(path string, buf []byte) ([]byte, error) {
	return append(buf[:0], t[path]...), nil
}

func TestFind(t *testing.T) {
	s := session(t, map[string]string{
		"go.mod":             "module app\n",
		"net/server.go":      "package net\n\ntype Server struct{}\n\nfunc (s *Server) Close() {\n\thelp()\n}\n\nfunc help() {}\n",
		"net/client.go":      "package net\n\ntype Client struct{}\n\nfunc (c *Client) Close() {}\n",
		"net/server_test.go": "package net\n\nimport \"testing\"\n\nfunc TestClose(t *testing.T) { (&Server{}).Close() }\n",
		"cmd/main.go":        "package main\n\nfunc main() {}\n",
		"cmd/serve/main.go":  "package main\n\nfunc main() {}\n",
	})
	for given, want := range map[string]string{
		"help":                          "net/server.go:help",
		"Server.Close":                  "net/server.go:Server.Close",
		"Close":                         "net/client.go:Client.Close net/server.go:Server.Close",
		"net.help":                      "net/server.go:help",
		"server.help":                   "net/server.go:help",
		"net/server.go":                 "net/server.go",
		"./net/server.go":               "net/server.go",
		"/src/app/net/server.go":        "net/server.go",
		"net/server.go:6":               "net/server.go:Server.Close",
		"net/server.go:1":               "net/server.go",
		"net/server.go:999":             "net/server.go",
		"net/server.go:Close":           "net/server.go:Server.Close",
		"server.go":                     "net/server.go",
		"server.go:6":                   "net/server.go:Server.Close",
		"net/server.go:6:2":             "net/server.go:Server.Close",
		"net/server.go#L6-L7":           "net/server.go:Server.Close",
		"server.go:Server.Close":        "net/server.go:Server.Close",
		"(*Server).Close":               "net/server.go:Server.Close",
		"app/net.(*Server).Close.func1": "net/server.go:Server.Close",
		"Server::Close":                 "net/server.go:Server.Close",
		"Server#Close()":                "net/server.go:Server.Close",
		"crate::net::Server::Close":     "net/server.go:Server.Close",
		"app.net.Server.Close":          "net/server.go:Server.Close",
		"cmd/":                          "cmd/main.go cmd/serve/main.go",
		"cmd":                           "app/cmd",
		"./cmd/serve/":                  "cmd/serve/main.go",
		"main.go:1":                     "error: main.go:1: several files are called so; did you mean cmd/main.go, cmd/serve/main.go?",
		"e/main.go":                     "error: nothing in the index",
		"net/server.go:0":               "error: lines count from 1",
		"net/server.go:Clsoe":           "error: did you mean net/server.go:Server.Close?",
		"Server.Clsoe":                  "error: did you mean Server.Close",
		"zzzzzz":                        "error: zzzzzz: nothing in the index has this name; look elsewhere",
		"net/server.go:zzzzzz":          "error: net/server.go defines no \"zzzzzz\"; look elsewhere",
		"":                              "error: nothing in the index",
	} {
		p, err := s.Find(given)
		got := ""
		var place *PlaceError
		if errors.As(err, &place) {
			got = place.Advise("look elsewhere")
		} else if err != nil {
			t.Fatal(err)
		} else {
			var all []string
			for _, n := range p.Nodes {
				all = append(all, PlaceOf(n.Ref()))
			}
			got = strings.Join(all, " ")
		}
		if part, failed := strings.CutPrefix(want, "error: "); failed && !strings.Contains(got, part) || !failed && got != want {
			t.Errorf("%q: %s, want %s", given, got, want)
		}
	}
	if !s.IsTest("net/server_test.go") || s.IsTest("net/server.go") || s.IsTest("none") {
		t.Error("IsTest")
	}
}

func TestStartsAndTestCommands(t *testing.T) {
	s := session(t, map[string]string{
		"go.mod":             "module app\n",
		"net/server.go":      "package net\n\ntype Server struct{}\n\nfunc (s *Server) Close() {}\n",
		"net/server_test.go": "package net\n\nimport \"testing\"\n\nfunc TestClose(t *testing.T) { (&Server{}).Close() }\n",
	})
	p, err := s.Find("net/server.go")
	if err != nil {
		t.Fatal(err)
	}
	from, err := s.Starts(p, graph.EdgeCalls, true)
	if err != nil || len(from) != 3 { // the file, the type and its method
		t.Errorf("starts %v, %v", from, err)
	}
	im, err := algo.ImpactOf(t.Context(), s.Graph, p.IDs(), algo.ImpactOptions{IsTest: s.IsTest})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.TestCommands(im.Tests); !slices.Equal(got, []string{"go test ./net -run '^(TestClose)$'"}) {
		t.Errorf("commands %q", got)
	}
}
