package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/topo-dev/topo/internal/secret"
	"github.com/topo-dev/topo/score/embed/embedtest"
)

// scriptServers are the servers of one script.
type scriptServers struct {
	http   *embedtest.Server
	qdrant *embedtest.Qdrant
}

// scriptKey is the key that scripts configure; it must show up nowhere.
const scriptKey = "sk-never-to-be-seen"

// serve KIND... starts servers on this machine and configures them by the
// environment: ollama, openai, rerank, tei, qdrant. "serve sent FILE" writes
// what was embedded so far to a file, a text a line; "serve points FILE" the
// points of Qdrant's collections; "serve off" takes the configuration away.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: serve ollama|openai|rerank|tei|qdrant|off..., serve sent|points file")
	}
	s, _ := ts.Value(serversKey{}).(*scriptServers)
	if len(args) == 2 && (args[0] == "sent" || args[0] == "points") {
		s.write(ts, args[0], args[1])
		return
	}
	for _, kind := range args {
		switch kind {
		case "ollama":
			ts.Setenv("OLLAMA_HOST", s.http.URL)
			ts.Setenv("TOPO_EMBED_MODEL", "test-model")
		case "openai":
			s.http.Key = scriptKey
			ts.Setenv("OPENAI_BASE_URL", s.http.URL+"/v1")
			ts.Setenv("OPENAI_API_KEY", scriptKey)
		case "rerank", "tei":
			ts.Setenv("TOPO_RERANK_URL", s.http.URL+map[string]string{"rerank": "", "tei": "/tei"}[kind])
			ts.Setenv("TOPO_RERANK_API_KEY", scriptKey)
		case "qdrant":
			s.qdrant.Key = scriptKey
			ts.Setenv("QDRANT_HOST", s.qdrant.Addr)
			ts.Setenv("QDRANT_API_KEY", scriptKey)
		case "off":
			for _, v := range remoteVariables() {
				ts.Setenv(v.name, "")
			}
		default:
			ts.Fatalf("serve: unknown kind %q", kind)
		}
	}
}

type serversKey struct{}

// startServers adds the servers to a script's environment.
func startServers(env *testscript.Env) error {
	q, err := embedtest.NewQdrant()
	if err != nil {
		return err
	}
	s := &scriptServers{embedtest.NewServer(), q}
	env.Values[serversKey{}] = s
	env.Defer(func() {
		s.http.Close()
		q.Close()
	})
	return nil
}

func (s *scriptServers) write(ts *testscript.TestScript, what, name string) {
	var lines []string
	if what == "sent" {
		for _, t := range s.http.Texts() {
			lines = append(lines, strings.ReplaceAll(t, "\n", " "))
		}
	}
	for _, c := range []string{"workspace_files", "workspace_functions"} {
		if what != "points" {
			break
		}
		for id := range s.qdrant.Payloads(c) {
			lines = append(lines, c+" "+id)
		}
	}
	slices.Sort(lines)
	if bad := s.qdrant.Unfiltered(); len(bad) > 0 {
		ts.Fatalf("requests without a workspace: %v", bad)
	}
	ts.Check(os.WriteFile(ts.MkAbs(name), []byte(strings.Join(append(lines, ""), "\n")), 0o644))
}

func TestServices(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		kind string
		want string // part of the error
	}{
		{nil, "", ""},
		{map[string]string{"OLLAMA_HOST": "h"}, "ollama", ""},
		{map[string]string{"OPENAI_API_KEY": "k"}, "openai", ""},
		{map[string]string{"OPENAI_API_KEY": "k", "OLLAMA_HOST": "h"}, "ollama", ""},
		{map[string]string{"OPENAI_API_KEY": "k", "OLLAMA_HOST": "h", "TOPO_EMBEDDER": "OpenAI"}, "openai", ""},
		{map[string]string{"OPENAI_API_KEY": "k", "OLLAMA_HOST": "h", "TOPO_EMBEDDER": "none"}, "none", ""},
		{map[string]string{"TOPO_EMBEDDER": "ollama"}, "ollama", ""},
		{map[string]string{"TOPO_EMBEDDER": "word2vec"}, "", `unknown service "word2vec"`},
		{map[string]string{"OLLAMA_HOST": "ftp://u:" + scriptKey + "@h"}, "", "want http://host:port"},
		{map[string]string{"TOPO_RERANK_URL": "http://", "TOPO_RERANK_API_KEY": scriptKey}, "", "reranker"},
	} {
		f, _, _ := fake(c.env)
		s, err := f.services()
		if (err != nil) != (c.want != "") || err == nil && s.Kind != c.kind {
			t.Errorf("%v: %+v, %v", c.env, s, err)
		}
		if err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), scriptKey) || exitCode(context.Background(), err) != exitUsage) {
			t.Errorf("%v: %v", c.env, err)
		}
	}
}

// TestDescribeHidesSecrets configures everything with secrets in every place
// that can hold one.
func TestDescribeHidesSecrets(t *testing.T) {
	env := map[string]string{}
	for _, v := range remoteVariables() {
		env[v.name] = scriptKey
	}
	env["TOPO_EMBEDDER"] = "openai"
	for _, name := range []string{"OLLAMA_HOST", "OPENAI_BASE_URL", "TOPO_RERANK_URL", "QDRANT_HOST"} {
		env[name] = "https://user:" + scriptKey + "@example.com/x?key=" + scriptKey
	}
	for _, name := range []string{"TOPO_EMBED_MODEL", "TOPO_RERANK_MODEL", "TOPO_QDRANT_PREFIX", "TOPO_WORKSPACE"} {
		env[name] = "plain"
	}
	for _, format := range []string{"json", "human"} {
		f, out, errOut := fake(env)
		code := run(context.Background(), f, []string{"describe", "--format", format})
		text := out.String() + errOut.String()
		if code != exitOK || strings.Contains(text, scriptKey) {
			t.Errorf("%s: code %d; the key is told: %s", format, code, text)
		}
		if n := strings.Count(text, "https://example.com/x"); n < 2 || !strings.Contains(text, "[hidden]@example.com") {
			t.Errorf("%s: tells %d addresses: %s", format, n, text)
		}
	}
}

func TestWithoutPassword(t *testing.T) {
	for in, want := range map[string]string{
		"localhost:6334": "localhost:6334", "http://h/a": "http://h/a", "https://u:p@h/a?k=1": "https://[hidden]@h/a",
		"u:p@h:1": "[hidden]@h:1", "": "", "http://u:p/q@h": "http://u:p/q@h",
	} {
		if got := secret.WithoutPassword(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
