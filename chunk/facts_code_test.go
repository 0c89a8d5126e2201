package chunk

import (
	"bytes"
	"context"
	"errors"
	"os"
	"reflect"
	"slices"
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
		calls, callsErr := DecodeCalls(b)
		if err != nil {
			return
		}
		if callsErr != nil || !slices.Equal(calls.Calls, facts.Calls) || !slices.Equal(calls.Binds, facts.Binds) {
			t.Errorf("%+v without bodies is %+v: %v", facts, calls, callsErr)
		}
		again, err := DecodeFacts(facts.Append(nil))
		if err != nil || !reflect.DeepEqual(again, facts) {
			t.Errorf("%+v comes back as %+v: %v", facts, again, err)
		}
	})
}

func TestDeclarationsAreFactsWithoutBodies(t *testing.T) {
	f := Facts{Package: "p", Binds: []Bind{{"x", "m/x", "", 3}}, Types: []TypeFact{{0, "struct", []string{"Base"}, []NameType{{"a", "*T"}}}},
		Funcs: []FuncFact{{Chunk: 1, Recv: "s", Results: []string{"T"}, Locals: []Local{{"l", "", "x.New()"}}}}, Vars: []VarFact{{2, "", "x.V"}},
		Calls: []Call{{1, 4, "x.Do", ""}, {-1, 9, "y", "(z,?)"}}, Refs: []Ref{{1, 5, "x.V"}}}
	coded := f.Append(nil)
	got, err := DecodeDeclarations(coded)
	want := f
	want.Calls, want.Refs = nil, nil
	want.Funcs = []FuncFact{{Chunk: 1, Recv: "s", Results: []string{"T"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("declarations %+v, %v; want %+v", got, err, want)
	}
	want.Calls = f.Calls
	if got, err := DecodeCalls(coded); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("calls %+v, %v; want %+v", got, err, want)
	}
	want.Calls = nil
	if got, err := DecodeDeclarations(nil); err != nil || !reflect.DeepEqual(got, Facts{}) {
		t.Errorf("nothing decodes to %+v, %v", got, err)
	}
	for n := 1; n < len(coded); n++ { // cut short: an error, or only the declarations are whole
		if got, err := DecodeDeclarations(coded[:n]); err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%d bytes decode to %+v", n, got)
		} else if err != nil && !errors.Is(err, ErrFacts) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := DecodeDeclarations([]byte{255, 1, 2}); !errors.Is(err, ErrFacts) {
		t.Errorf("another format: %v", err)
	}
}

func TestWithin(t *testing.T) {
	ok := Facts{Types: []TypeFact{{Chunk: 1}}, Funcs: []FuncFact{{Chunk: 1}}, Vars: []VarFact{{Chunk: 1}}, Calls: []Call{{Chunk: -1}}, Refs: []Ref{{Chunk: 1}}}
	if !ok.Within(2) || ok.Within(1) || !(&Facts{}).Within(0) {
		t.Error("facts of two chunks are not within two, or are within one")
	}
	for _, f := range []Facts{{Types: []TypeFact{{Chunk: -1}}}, {Funcs: []FuncFact{{Chunk: -1}}}, {Vars: []VarFact{{Chunk: -1}}}, {Calls: []Call{{Chunk: -2}}},
		{Calls: []Call{{Chunk: 5}}}, {Refs: []Ref{{Chunk: 5}}}, {Refs: []Ref{{Chunk: -2}}}, {Vars: []VarFact{{Chunk: 5}}}, {Types: []TypeFact{{Chunk: 5}}}, {Funcs: []FuncFact{{Chunk: 5}}}} {
		if f.Within(5) {
			t.Errorf("%+v is within 5 chunks", f)
		}
	}
}
