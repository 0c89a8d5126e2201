package chunk

import (
	"bytes"
	"context"
	"errors"
	"os"
	"reflect"
	"testing"
)

// coded gives the coded facts of every sample.
func coded(t testing.TB) map[string][]byte {
	out := map[string][]byte{}
	for language, src := range samples(t) {
		_, f := ParseFacts(context.Background(), language, "sample", src)
		out[language] = f.Append(nil)
	}
	return out
}

func TestFactsComeBackAsTheyWent(t *testing.T) {
	for language, src := range samples(t) {
		_, f := ParseFacts(context.Background(), language, "sample", src)
		b := f.Append([]byte("before"))
		got, err := DecodeFacts(b[len("before"):])
		if err != nil || !bytes.HasPrefix(b, []byte("before")) {
			t.Fatalf("%s: %v", language, err)
		}
		if !reflect.DeepEqual(got, f) {
			t.Errorf("%s: got %+v\nwant %+v", language, got, f)
		}
	}
	if b := (&Facts{}).Append(nil); len(b) != 0 {
		t.Errorf("facts with nothing in them take %d bytes", len(b))
	}
}

// The same over the standard library, whose files hold every form of Go.
func TestFactsOfGoSourceComeBack(t *testing.T) {
	for _, name := range goFiles(t, goRoot(t), 200) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, f := ParseFacts(context.Background(), "go", name, src)
		if got, err := DecodeFacts(f.Append(nil)); err != nil || !reflect.DeepEqual(got, f) {
			t.Errorf("%s: facts changed on the way: %v", name, err)
		}
	}
}

// Damaged bytes are an error or other facts, never a panic or a large list.
func TestDamagedFacts(t *testing.T) {
	b := coded(t)["go"]
	if len(b) < 100 {
		t.Fatalf("only %d bytes to damage", len(b))
	}
	for n := 1; n < len(b); n++ {
		if _, err := DecodeFacts(b[:n]); !errors.Is(err, ErrFacts) {
			t.Fatalf("cut at %d of %d: %v", n, len(b), err)
		}
	}
	if _, err := DecodeFacts(append(bytes.Clone(b), 0)); !errors.Is(err, ErrFacts) {
		t.Error("a byte too many is accepted")
	}
	for i := range b {
		for _, v := range []byte{0, 1, 0x7F, 0x80, 0xFF} {
			c := bytes.Clone(b)
			c[i] = v
			DecodeFacts(c)
		}
	}
	if _, err := DecodeFacts([]byte{factsFormat + 1}); !errors.Is(err, ErrFacts) {
		t.Errorf("another version is accepted: %v", err)
	}
}

func FuzzDecodeFacts(f *testing.F) {
	for _, b := range coded(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		facts, err := DecodeFacts(b)
		if err != nil {
			return
		}
		again, err := DecodeFacts(facts.Append(nil))
		if err != nil || !reflect.DeepEqual(again, facts) {
			t.Errorf("%+v comes back as %+v: %v", facts, again, err)
		}
	})
}
