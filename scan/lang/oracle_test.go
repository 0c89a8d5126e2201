package lang

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-enry/go-enry/v2/data"
)

// The oracle is go-enry's copy of GitHub's language data: for each extension,
// file name and interpreter that both know, our language must be one of those
// that the oracle names. Each difference is listed here with its reason; an
// entry that no longer differs fails the test.
var differs = map[string]string{
	".C":       "the oracle folds case; a capital C is C++ to every Unix compiler",
	".cshrc":   "the oracle's Shell covers csh; its grammar is another one, so it is tcsh here",
	".login":   "as .cshrc",
	"APKBUILD": "a shell script; nothing here depends on which package manager reads it",
}

// covers names the oracle's languages that one of ours includes:
// dialects, literate forms and embeddings that are chunked, counted and shown
// the same way.
var covers = map[string][]string{
	"agda":         {"Literate Agda"},
	"coffeescript": {"Literate CoffeeScript"},
	"coldfusion":   {"ColdFusion CFC"},
	"css":          {"PostCSS"},
	"fortran":      {"Fortran Free Form"},
	"groovy":       {"Gradle"},
	"haskell":      {"Literate Haskell", "C2hs Haskell"},
	"ini":          {"NPM Config", "cURL Config", "Wget Config", "Readline Config"},
	"m4":           {"M4Sugar"},
	"markdown":     {"MDX", "RMarkdown"},
	"php":          {"HTML+PHP"},
	"python":       {"Cython", "Snakemake"},
	"sql":          {"PLSQL", "PLpgSQL"},
	"systemd":      {"desktop"},
	"xml":          {"XML Property List", "Web Ontology Language"},
}

func TestAgreesWithOracle(t *testing.T) {
	known := map[string]bool{}
	for _, l := range All() {
		check := func(key string, theirs []string) {
			if len(theirs) == 0 {
				return
			}
			known[key] = true
			agree := slices.Contains(theirs, l.Display)
			for _, n := range covers[l.Name] {
				agree = agree || slices.Contains(theirs, n)
			}
			switch _, listed := differs[key]; {
			case !agree && !listed:
				t.Errorf("%s is %s (%s), the oracle says %s", key, l.Name, l.Display, strings.Join(theirs, ", "))
			case agree && listed:
				t.Errorf("%s is listed as a difference and is none", key)
			}
		}
		for _, e := range l.Extensions {
			check(e, data.LanguagesByExtension[strings.ToLower(e)])
		}
		for _, f := range l.Filenames {
			check(f, data.LanguagesByFilename[f])
		}
		for _, i := range l.Interpreters {
			check("#!"+i, data.LanguagesByInterpreter[i])
		}
	}
	if len(known) < 600 {
		t.Errorf("only %d extensions, names and interpreters were compared; want 600", len(known))
	}
	t.Logf("%d extensions, file names and interpreters compared", len(known))
}
