// Package library holds the programs of docs/library.md.
package library

import (
	"os"
	"strings"
	"testing"
)

// TestDocument: the document shows the programs as they are, which are built and
// vetted with everything else.
func TestDocument(t *testing.T) {
	doc, err := os.ReadFile("../library.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"context", "tests", "explain"} {
		program, err := os.ReadFile(name + "/main.go")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc), "```go\n"+string(program)+"```") {
			t.Errorf("docs/library.md does not show %s/main.go as it is; copy it there", name)
		}
	}
}
