package embed

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// TestQdrantPayload holds what other programs read from the collections.
func TestQdrantPayload(t *testing.T) {
	q, s := fakeQdrant(t, QdrantOptions{Model: "nomic-embed-text"})
	mustPut(t, q, filesOfA, filePoint("src/auth/auth.py", "auth.py: JWT authentication"))
	mustPut(t, q, Scope{Collection: Functions, Workspace: "a", Type: TypeFunction}, functionPoint("src/auth/auth.py", "authenticate", 42, "def authenticate"))
	file := s.Payloads("workspace_files")["src/auth/auth.py"]
	meta := file["metadata"].GetStructValue().GetFields()
	for name, want := range map[string]string{
		"type": "file", "file_path": "src/auth/auth.py", "file_name": "auth.py", "language": "go", "workspace_id": "a",
		"embedding_model": "nomic-embed-text", "indexed_at": "2026-01-02T03:04:05Z",
	} {
		if got := meta[name].GetStringValue(); got != want {
			t.Errorf("metadata.%s is %q, want %q", name, got, want)
		}
	}
	if file["id"].GetStringValue() != "file_src_auth_auth_py" || file["content"].GetStringValue() != "auth.py: JWT authentication" {
		t.Errorf("payload %v", file)
	}
	function := s.Payloads("workspace_functions")["src/auth/auth.py#authenticate@42"]
	meta = function["metadata"].GetStructValue().GetFields()
	if function["id"].GetStringValue() != "func_authenticate_auth_py_42" || meta["function_name"].GetStringValue() != "authenticate" ||
		meta["line_number"].GetIntegerValue() != 42 || meta["return_type"].GetStringValue() != "error" || meta["parameters"].GetListValue().GetValues()[0].GetStringValue() != "a int" {
		t.Errorf("payload %v", function)
	}
	if got := s.Indexes("workspace_files"); !slices.Equal(got, []string{"metadata.workspace_id", "metadata.file_path", "metadata.type", "metadata.embedding_model"}) {
		t.Errorf("indexes %v", got)
	}
}

// TestQdrantEveryRequestNamesItsWorkspace goes through all methods.
func TestQdrantEveryRequestNamesItsWorkspace(t *testing.T) {
	q, s := fakeQdrant(t, QdrantOptions{})
	mustPut(t, q, filesOfA, filePoint("a.go", "x"))
	mustKeys(t, q, filesOfA)
	mustSearch(t, q, filesOfA, "x", 3)
	if err := q.Delete(context.Background(), filesOfA, []string{"a.go"}); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"Points/Scroll", "Points/Query", "Points/Delete"} {
		if !slices.Contains(s.Calls(), method) {
			t.Errorf("%s was not called: %v", method, s.Calls())
		}
	}
	if got := s.Unfiltered(); len(got) > 0 {
		t.Errorf("without a workspace: %v", got)
	}
}

// TestQdrantModels keeps two models of one workspace apart.
func TestQdrantModels(t *testing.T) {
	q, s := fakeQdrant(t, QdrantOptions{})
	other, err := NewQdrant(QdrantOptions{Host: s.Addr, Model: "n"})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	mustPut(t, q, filesOfA, filePoint("a.go", "x"))
	if got := mustSearch(t, other, filesOfA, "x", 3); len(got) != 0 {
		t.Errorf("found points of another model: %v", got)
	}
	p := filePoint("a.go", "x")
	p.Vector.Data = p.Vector.Data[:10]
	if err := other.Put(context.Background(), filesOfA, []Point{p}); err == nil || !strings.Contains(err.Error(), "holds vectors of 64 dimensions, model n gives 10; take the model") {
		t.Error(err)
	}
}

func TestQdrantFaults(t *testing.T) {
	for _, c := range []struct {
		code  codes.Code
		tries int
		want  string
	}{
		{codes.Unavailable, 4, "Unavailable: broken [key] (tried 4 times); is it there?"},
		{codes.ResourceExhausted, 4, "ResourceExhausted: broken [key]"},
		{codes.Internal, 1, "Internal: broken [key]"},
		{codes.PermissionDenied, 1, "PermissionDenied: broken [key]; check its key"},
	} {
		q, s := fakeQdrant(t, QdrantOptions{Key: testKey, Retry: quick(nil)})
		s.Key = testKey
		mustPut(t, q, filesOfA, filePoint("a.go", "x"))
		before := len(s.Calls())
		s.Fault = func(string) error { return status.Error(c.code, "broken "+testKey) }
		_, err := q.Search(context.Background(), filesOfA, filePoint("a.go", "x").Vector, 3)
		var own *Error
		if !errors.As(err, &own) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), testKey) {
			t.Errorf("%v: %v", c.code, err)
		}
		if n := len(s.Calls()) - before; n != c.tries {
			t.Errorf("%v: asked %d times", c.code, n)
		}
	}
}

func TestQdrantWrongKey(t *testing.T) {
	q, s := fakeQdrant(t, QdrantOptions{Key: testKey, Retry: quick(nil)})
	s.Key = "another"
	_, err := q.Keys(context.Background(), filesOfA)
	if err == nil || !strings.Contains(err.Error(), "Unauthenticated") || strings.Contains(err.Error(), testKey) {
		t.Error(err)
	}
}

func TestQdrantUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	var waits []time.Duration
	q, err := NewQdrant(QdrantOptions{Host: l.Addr().String(), Model: "m", Retry: quick(&waits)})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if _, err := q.Keys(context.Background(), filesOfA); err == nil || len(waits) > 0 || !strings.Contains(err.Error(), "its port of gRPC is 6334") && !strings.Contains(err.Error(), "Its port of gRPC is 6334") {
		t.Errorf("%v, waited %v", err, waits)
	}
}

func TestQdrantAddress(t *testing.T) {
	for _, c := range []struct {
		in, host string
		port     int
		tls      bool
	}{
		{"localhost", "localhost", 6334, false}, {"10.0.0.1:7000", "10.0.0.1", 7000, false}, {"http://h:6334/", "h", 6334, false},
		{"https://x.cloud.qdrant.io", "x.cloud.qdrant.io", 6334, true}, {"[::1]:9", "[::1]", 9, false},
		{"", "", 0, false}, {"ftp://h", "", 0, false}, {"h:99999", "", 0, false}, {"h:x", "", 0, false},
	} {
		host, port, tls, err := qdrantAddress(c.in)
		if host != c.host || port != c.port || tls != c.tls || (err == nil) != (c.host != "") {
			t.Errorf("%q: %s %d %v, %v", c.in, host, port, tls, err)
		}
	}
	if _, err := NewQdrant(QdrantOptions{Host: "h"}); err == nil {
		t.Error("a store without a model")
	}
}
