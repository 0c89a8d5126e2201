package graph

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
)

// Who used a definition that is gone is found by its name, where it was imported
// from or in its package; other things of the name are not.
func TestUsesOfRemoved(t *testing.T) {
	m := memory{
		"go.mod":        []byte("module m\n\ngo 1.26\n"),
		"p/a.go":        []byte("package p\n\nfunc Caller() int { return Gone(1) }\n\nvar table = []any{Gone, \"Gone\"} // Gone\n\nfunc Local(Gone func(int) int) int { return Gone(2) }\n\ntype Other struct{ Gone int }\n\nfunc (o Other) Field() int { return o.Gone }\n"),
		"q/q.go":        []byte("package q\n\nimport \"m/p\"\n\nfunc Far() int { return p.Gone(3) }\n"),
		"r/r.go":        []byte("package r\n\nimport \"fmt\"\n\nfunc Gone() {}\n\nfunc Own() { Gone(); fmt.Gone() }\n"),
		"lib/use.py":    []byte("from lib.gone import work, Shape\n\n\ndef caller():\n    return work(1)\n\n\nclass Square(Shape):\n    pass\n\n\nplain = work\n"),
		"lib/other.py":  []byte("import os\n\n\ndef work(n):\n    return n\n\n\ndef own():\n    return work(2)\n\n\ndef outside():\n    return os.work(3)\n"),
		"lib/method.py": []byte("def runs(shape):\n    return shape.area()\n"),
		"web/use.ts":    []byte("import { load as fetch } from './gone';\n\nexport function page() {\n  return fetch(1);\n}\n"),
		"web/other.ts":  []byte("import { load } from 'elsewhere';\n\nexport function other() {\n  return load(2);\n}\n"),
	}
	_, g := built(t, filepath.Join(t.TempDir(), "index"), m.input())
	for _, c := range []struct {
		of   Node
		want []string
	}{
		{Node{Kind: NodeFunction, Name: "Gone", Language: "go", Path: "p/gone.go"}, []string{"p/a.go:Caller 1.00", "p/a.go:table 1.00", "q/q.go:Far 1.00"}},
		{Node{Kind: NodeFunction, Name: "work", Language: "python", Path: "lib/gone.py"}, []string{"lib/use.py 1.00", "lib/use.py:caller 1.00", "lib/use.py:plain 1.00"}},
		{Node{Kind: NodeType, Name: "Shape", Language: "python", Path: "lib/gone.py"}, []string{"lib/use.py 1.00", "lib/use.py:Square 1.00"}},
		{Node{Kind: NodeMethod, Name: "Shape.area", Language: "python", Path: "lib/gone.py"}, []string{"lib/method.py:runs 0.30"}},
		{Node{Kind: NodeFunction, Name: "load", Language: "typescript", Path: "web/gone.ts"}, []string{"web/use.ts 1.00", "web/use.ts:page 1.00"}},
		{Node{Kind: NodeFunction, Name: "load", Language: "go", Path: "web/gone.go"}, nil},
		{Node{Kind: NodeFunction, Name: "load", Language: "text", Path: "web/gone.txt"}, nil},
	} {
		uses, err := g.UsesOfRemoved(context.Background(), []Node{c.of}, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range uses {
			sure := map[Confidence]string{Resolved: " 1.00", KnownType: " 0.90", NameOnly: " 0.30"}[u.Confidence]
			got = append(got, label(t, g, u.From)+sure)
			if len(u.List) == 0 {
				t.Errorf("%s: no line in %v", c.of.Name, got)
			}
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s: got %q, want %q", c.of.Name, c.of.Path, got, c.want)
		}
	}
}
