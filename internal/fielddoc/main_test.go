package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The table that package schema holds is that of the comments as they are.
func TestTableIsFresh(t *testing.T) {
	const schema = "../../schema"
	text, err := os.ReadFile(filepath.Join(schema, "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(string(text), "-out fields.go ")
	var dirs []string
	for _, dir := range strings.Fields(command) {
		dirs = append(dirs, filepath.Join(schema, dir))
	}
	want, err := Table(dirs)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(schema, "fields.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("schema/fields.go is stale; run: go generate ./schema")
	}
	if !bytes.Contains(want, []byte(`"stream.Header.Preset":`)) || bytes.Contains(want, []byte("TextOptions")) {
		t.Error("the table lacks a comment, or has that of an option")
	}
}
