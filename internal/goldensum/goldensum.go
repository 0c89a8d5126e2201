// Package goldensum ties golden files to the version that invalidates what was
// cached: it refuses an output that changes while its input and the version stay.
//
// The sums lie in a text file beside the golden files, one line for each:
//
//	java 5.6 4a1f0c29d0b7e3aa 91c5f8e2ab03d417
//
// name, version, digest of the input, digest of the output. An input that
// changes is another case and may give anything; its line is written again.
package goldensum

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Golden is one golden output with the input that gives it.
type Golden struct {
	Name          string // one word, unique
	Input, Output []byte
}

// tester is the part of testing.TB that is needed.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// Check compares goldens with the sums in the file at path, which are those of
// the versions that are written there. With update it writes what it may.
// version is one word; raise says which constant to raise.
func Check(t tester, path, version, raise string, update bool, goldens []Golden) {
	t.Helper()
	old, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, 0, len(goldens))
	refused := false
	for _, g := range goldens {
		line := record{g.Name, version, digest(g.Input), digest(g.Output)}
		was, known := old[g.Name]
		delete(old, g.Name)
		switch {
		case known && was.input == line.input && was.output == line.output:
			line = was
		case known && was.input == line.input && was.version == version:
			t.Errorf("%s: the output changed and the version %s did not, so caches would keep what was: raise %s", g.Name, version, raise)
			refused = true
		case !update:
			t.Errorf("%s is not as %s has it; run the test with -update", g.Name, path)
		}
		lines = append(lines, fmt.Sprintln(line.name, line.version, line.input, line.output))
	}
	if !update {
		for name := range old {
			t.Errorf("%s is in %s and is no golden; run the test with -update", name, path)
		}
		return
	}
	if refused {
		return
	}
	slices.Sort(lines)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

type record struct{ name, version, input, output string }

func read(path string) (map[string]record, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	all := map[string]record{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 4 {
			return nil, fmt.Errorf("%s: want four words in %q", path, line)
		}
		all[f[0]] = record{f[0], f[1], f[2], f[3]}
	}
	return all, nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return fmt.Sprintf("%x", sum[:8])
}
