package graph

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/topo-dev/topo/scan/lang"
)

// TestRegistry tells what a language with a graph still misses.
func TestRegistry(t *testing.T) {
	order := func(a, b *rules) int {
		return cmp.Or(cmp.Compare(a.family, b.family), cmp.Compare(a.language, b.language))
	}
	for i, r := range registry {
		if i > 0 && order(registry[i-1], r) >= 0 {
			t.Errorf("%s %s is out of order or there twice", r.family, r.language)
		}
		if l := lang.ByName(r.language); r.language != "" && (l == nil || l.Name != r.language || l.Family != r.family) {
			t.Errorf("%s has rules of the family %s, which scan/lang does not say", r.language, r.family)
		}
		if !slices.ContainsFunc(lang.All(), func(l *lang.Language) bool { return l.Family == r.family }) {
			t.Errorf("no language of scan/lang is of the family %s", r.family)
		}
		if name := cmp.Or(r.language, r.family); r.prepare != nil && r.language == "" {
			if _, err := os.Stat(filepath.Join("testdata", name+".txtar")); err != nil {
				t.Errorf("testdata/%s.txtar is missing: what imports lead to", name)
			}
		}
	}
	archives, _ := filepath.Glob("testdata/code/*.txtar")
	shown := map[string]bool{} // languages of the archives
	for _, path := range archives {
		_, files := archive(t, path)
		for name, content := range files {
			shown[lang.Detect(name, content)] = true
		}
	}
	for _, l := range lang.All() {
		if _, err := os.Stat(filepath.Join("../../chunk/testdata", l.Name+".facts")); err == nil && !shown[l.Name] {
			t.Errorf("testdata/code/%s.txtar is missing: the facts of %s are read and no edges of it are shown", l.Name, l.Name)
		}
		if r := rulesOf(l.Name); l.Family != "" && r == nil {
			t.Errorf("%s is of the family %s, which has no rules in the registry", l.Name, l.Family)
		} else if l.Family == "" && r != nil {
			t.Errorf("%s has rules and no family", l.Name)
		}
	}
}
