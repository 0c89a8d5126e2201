package lang

import (
	"maps"
	"slices"
	"strings"
)

// Tests is how a language writes its tests and how they are run.
type Tests struct {
	Style TestStyle
	// Functions are the starts of the names of test functions.
	Functions []string
	// Whole is set when what follows such a start may not begin with a small
	// letter: TestFoo, not Testify.
	Whole bool
	// MethodMark stands between a type and its method in the name of a test:
	// the "_" of TestServer_Close.
	MethodMark string
	// Modules are the names of modules of tests inside of the file they test.
	Modules []string
	// Run is the command that runs tests by name, as its arguments; nil where
	// the language's own tool does not take them by name, and for tests that it
	// does not run.
	Run func(as *Tests, tests []Test) []string
	// DirsAtTop are directories of tests at the top of a project only: deeper
	// ones are libraries for tests.
	DirsAtTop []string
	// DirsBelow are directories of tests below another package only: those at
	// the top are libraries for tests.
	DirsBelow []string
	// Library narrows the names of test files in a directory of libraries.
	Library Library
}

// Library is a directory whose files are libraries, though their names may look
// like those of tests.
type Library struct {
	Dir       string // "src/main", "lib"; empty for none
	TestFiles Names  // what is called a test even there
}

// TestStyle is how tests are told from the helpers around them.
type TestStyle uint8

// The styles.
const (
	// TestEntry: whatever nobody calls. The tool finds tests by annotations or
	// macros, which are not known here, and calls them itself.
	TestEntry TestStyle = iota
	// TestName: by the start of the name.
	TestName
	// TestFile: tests are calls at the top of a file, which makes the file the
	// test.
	TestFile
)

// Test is one test to run.
type Test struct {
	Path string // of its file
	Name string // qualified name of the function or method; empty for the whole file
}

// maxTestNames bounds the names in one command; with more the whole package or
// file is run.
const maxTestNames = 20

func sortedKeys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }

// Command is the command that runs tests of the language, as its arguments; nil
// when it has none for them.
func (t *Tests) Command(tests []Test) []string {
	if t.Run == nil || len(tests) == 0 {
		return nil
	}
	return t.Run(t, tests)
}

// IsTestName reports whether a function may be a test by its bare name.
func (t *Tests) IsTestName(name string) bool {
	for _, p := range t.Functions {
		if rest, ok := strings.CutPrefix(name, p); ok && (!t.Whole || rest == "" || !isSmall(rest[0])) {
			return true
		}
	}
	return false
}

// InModule reports whether a qualified name stands in a module of tests.
func (t *Tests) InModule(name string) bool {
	for _, m := range t.Modules {
		for part := range strings.SplitSeq(name, ".") {
			if part == m {
				return true
			}
		}
	}
	return false
}

// What the names of tests put around the name of what they test, in the
// languages together: the longer of two comes first.
var (
	testedPrefixes = []string{"test_", "tests_", "test-", "spec_"}
	testedSuffixes = []string{"_test", "_tests", "-test", "_spec", ".spec", ".test", ".e2e", "Tests", "Test", "Spec", "IT", "TestCase"}
	testedStarts   = []string{"Test_", "Test", "test_", "Fuzz", "Example"}
)

// TestedFunction is the name of what a test function tests, by its own name.
func TestedFunction(name string) (tested string, ok bool) {
	for _, p := range testedStarts {
		if rest, ok := strings.CutPrefix(name, p); ok && rest != "" {
			return rest, true
		}
	}
	return "", false
}

// TestedFile is the base name of the file that a test file tests, by its own
// base name; empty when it says nothing.
func TestedFile(base string) string {
	i := strings.LastIndexByte(base, '.')
	if i < 0 {
		i = len(base)
	}
	stem, ext := base[:i], base[i:]
	for _, s := range testedSuffixes {
		if rest, ok := strings.CutSuffix(stem, s); ok && rest != "" {
			return rest + ext
		}
	}
	for _, p := range testedPrefixes {
		if rest, ok := strings.CutPrefix(stem, p); ok && rest != "" {
			return rest + ext
		}
	}
	return ""
}

// TestedStem is the stem of the file that a test file is about, by its own stem,
// both in small letters; the stem itself when it says nothing.
func TestedStem(stem string) string {
	for _, p := range testedPrefixes {
		stem = strings.TrimPrefix(stem, p)
	}
	for _, s := range testedSuffixes {
		if at := len(stem) - len(s); at > 2 && strings.EqualFold(stem[at:], s) {
			return stem[:at]
		}
	}
	return stem
}
