package main

import (
	"slices"
	"strings"
	"testing"
)

// dump has a/lib.rs, whose line 1 names crate, b (a module) and C, and line 2
// the module b again; a/b.rs is the module.
const dump = `
{"id":1,"type":"vertex","label":"document","uri":"file:///r/a/lib.rs"}
{"id":2,"type":"vertex","label":"document","uri":"file:///r/a/b.rs"}
{"id":10,"type":"vertex","label":"range","start":{"line":0,"character":0}}
{"id":11,"type":"vertex","label":"range","start":{"line":0,"character":0}}
{"id":12,"type":"vertex","label":"range","start":{"line":4,"character":3}}
{"id":20,"type":"vertex","label":"range","start":{"line":1,"character":4}}
{"id":21,"type":"vertex","label":"range","start":{"line":1,"character":12}}
{"id":22,"type":"vertex","label":"range","start":{"line":1,"character":16}}
{"id":23,"type":"vertex","label":"range","start":{"line":2,"character":8}}
{"type":"edge","label":"contains","outV":1,"inVs":[10,20,21,22,23]}
{"type":"edge","label":"contains","outV":2,"inVs":[11,12]}
{"type":"edge","label":"next","outV":20,"inV":30}
{"type":"edge","label":"next","outV":21,"inV":31}
{"type":"edge","label":"next","outV":22,"inV":32}
{"type":"edge","label":"next","outV":23,"inV":31}
{"type":"edge","label":"textDocument/definition","outV":30,"inV":40}
{"type":"edge","label":"textDocument/definition","outV":31,"inV":41}
{"type":"edge","label":"textDocument/definition","outV":32,"inV":42}
{"type":"edge","label":"item","outV":40,"inVs":[10]}
{"type":"edge","label":"item","outV":41,"inVs":[11]}
{"type":"edge","label":"item","outV":42,"inVs":[12]}
`

func TestRustNames(t *testing.T) {
	l, err := readLSIF(strings.NewReader(dump), "/r")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	l.rustNames("a/lib.rs", "// use x;\nuse crate::{b::{C}, D,};\npub mod b;\nmod inline { }\n", func(to string) { got = append(got, to) })
	if want := []string{"a/b.rs", "a/lib.rs", "a/b.rs"}; !slices.Equal(got, want) {
		t.Errorf("the paths lead to %q, want %q", got, want)
	}
}

func TestReadLSIFRefusesWhatIsNone(t *testing.T) {
	if _, err := readLSIF(strings.NewReader("{\"id\": 1}\nnone"), "/r"); err == nil {
		t.Error("no error")
	}
}
