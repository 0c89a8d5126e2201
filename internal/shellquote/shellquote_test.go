package shellquote

import "testing"

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{"net/a.go:Server.Close": "net/a.go:Server.Close", "a b": "'a b'", "it's": `'it'\''s'`,
		"$(x)": "'$(x)'", "operator==": "operator==", "": "''"} {
		if got := Quote(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
