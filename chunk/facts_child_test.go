package chunk

import "testing"

// A child is found by field, by place and by node type, also along a way.
func TestChild(t *testing.T) {
	g := grammarOf("java")
	f := g.facts()
	src := []byte("class A extends B { int f(int a, String b) { return a; } }")
	plain, full, ok := g.parseTwice(src, f.flagsOf())
	defer plain.close()
	defer full.close()
	if !ok {
		t.Fatal("not parsed")
	}
	w := &factWalk{factTable: f, t: full}
	for i := range full.nodes {
		if full.typeOf(i) != "method_declaration" {
			continue
		}
		for what, want := range map[string]string{
			"name": "f", "<": "int", ":identifier": "f", "parameters/<": "int a", "parameters/>/name": "b",
			":formal_parameters/:formal_parameter/type": "int", ":no_such": "", "body/:no_such/<": "", "^nothing": "", ".": "int f(int a, String b) { return a; }",
		} {
			got := ""
			if k := w.child(i, what); k >= 0 {
				got = full.text(k)
			}
			if got != want {
				t.Errorf("%s is %q, want %q", what, got, want)
			}
		}
		return
	}
	t.Error("no method in the tree")
}
