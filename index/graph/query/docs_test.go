package query

import (
	"os"
	"strings"
	"testing"
)

// page is the documentation of the language.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/query.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheExamplesOfTheDocumentationCompile(t *testing.T) {
	blocks := strings.Split(page(t), "```")
	examples := strings.Split(strings.TrimSpace(blocks[len(blocks)-2]), "\n\n")
	examples = append(examples, strings.TrimSpace(blocks[1]))
	if len(examples) < 7 {
		t.Fatalf("found only %d examples", len(examples))
	}
	for _, q := range examples {
		if _, err := Compile(q); err != nil {
			t.Errorf("%s\n%v", q, err)
		}
	}
}

func TestTheDocumentationNamesEverything(t *testing.T) {
	text := page(t)
	lower := strings.ToLower(text)
	for _, names := range [][]string{propertyNames(nodeProps), propertyNames(relProps), kindNames, edgeNames} {
		for _, n := range names {
			if !strings.Contains(text, "`"+n+"`") {
				t.Errorf("docs/query.md does not mention %s", n)
			}
		}
	}
	for _, names := range [][]string{propertyNames(functions), propertyNames(aggregates), propertyNames(quantifiers)} {
		for _, n := range names {
			if !strings.Contains(lower, n) {
				t.Errorf("docs/query.md does not mention %s()", n)
			}
		}
	}
}
