package graph

import "testing"

func TestLastPart(t *testing.T) {
	for _, c := range []struct {
		kind       NodeKind
		name, want string
	}{
		{NodeMethod, "Server.Close", "Close"},
		{NodeFunction, "main", "main"},
		{NodeMethod, "ns::Type::run", "run"},
		{NodeFile, "net/server.go", "server.go"},
		{NodeModule, "example.com/a/b", "b"},
		{NodeExternal, "java.util", "java.util"},
		{NodeFunction, "odd.", "odd."},
		{NodeFunction, "", ""},
	} {
		if got := LastPart(c.kind, c.name); got != c.want {
			t.Errorf("LastPart(%v, %q) = %q, want %q", c.kind, c.name, got, c.want)
		}
	}
}

func TestRefNamesTheNode(t *testing.T) {
	n := Node{ID: 7, Kind: NodeMethod, Name: "A.b", Path: "a.go", Line: 3, EndLine: 5}
	want := Ref{ID: 7, Kind: "method", Name: "A.b", Path: "a.go", Line: 3, EndLine: 5}
	if got := n.Ref(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
