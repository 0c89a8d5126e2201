package ask

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"Server.Close", "Server.Open", "closeAll", "net/server.go", "Conn.Close", "x", "Sever.Close"}
	for _, c := range []struct {
		name string
		want []string
	}{
		{"Server.Clsoe", []string{"Server.Close", "Sever.Close", "Conn.Close"}},
		{"close", []string{"Conn.Close", "Sever.Close", "Server.Close", "closeAll"}},
		{"serve.go", []string{"net/server.go"}},
		{"all", []string{"closeAll"}},
		{"qqqqqq", nil},
		{"", nil},
		{"net/", nil},
	} {
		if got := Nearest(c.name, slices.Values(names)); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.name, got, c.want)
		}
	}
}

// plainDistance is the textbook's recursion.
func plainDistance(a, b []rune) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b)
	case a[0] == b[0]:
		return plainDistance(a[1:], b[1:])
	}
	d := 1 + min(plainDistance(a[1:], b), plainDistance(a, b[1:]), plainDistance(a[1:], b[1:]))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		d = min(d, 1+plainDistance(a[2:], b[2:]))
	}
	return d
}

func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]rune, r.IntN(7))
		for i := range b {
			b[i] = rune("abä"[r.IntN(2)])
		}
		return string(b)
	}
	for range 2000 {
		a, b, most := word(), word(), r.IntN(4)
		want := plainDistance([]rune(a), []rune(b))
		got := distance(a, b, most)
		if want <= most && got != want || want > most && got <= most {
			t.Fatalf("%q to %q, at most %d: got %d, want %d", a, b, most, got, want)
		}
	}
}
