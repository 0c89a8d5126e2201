package lang

import (
	"slices"
	"testing"
)

func TestIsComment(t *testing.T) {
	for _, c := range []struct {
		language, line string
		want           bool
		text           string // without its marks
	}{
		{"go", "\t// Close ends it.", true, "Close ends it."},
		{"go", "# Close", false, "# Close"},
		{"c", " * of a block", true, "of a block"},
		{"c", "*p = 1;", false, "p = 1;"},
		{"c", "/* one line */", true, "one line"},
		{"rust", "/// A doc.", true, "A doc."},
		{"sql", "-- a view", true, "a view"},
		{"lua", "// 2", false, "// 2"},
		{"lua", "--[[ long ]]", true, "long"},
		{"python", `"""Read it."""`, true, "Read it."},
		{"python", "#### title", true, "title"},
		{"common-lisp", ";;; top", true, "top"},
		{"no such language", "// as C", true, "as C"},
	} {
		l := SyntaxOf(c.language)
		if got := l.IsComment(c.line); got != c.want {
			t.Errorf("%s: IsComment(%q) = %v", c.language, c.line, got)
		}
		if got := l.Uncomment(c.line); got != c.text {
			t.Errorf("%s: Uncomment(%q) = %q, want %q", c.language, c.line, got, c.text)
		}
	}
}

// What opens a comment at the start of a line only is one of its marks, and a
// mark in letters opens nowhere else.
func TestMarksOfComments(t *testing.T) {
	for _, l := range All() {
		marks := slices.Clone(l.Comment.Line)
		for _, b := range l.Comment.Block {
			marks = append(marks, b[0])
		}
		for _, m := range l.Comment.AtStart {
			if !slices.Contains(marks, m) {
				t.Errorf("%s: %q opens no comment", l.Name, m)
			}
		}
		for _, m := range marks {
			if c := m[0]; (isSmall(c) || isCapital(c)) && !slices.Contains(l.Comment.AtStart, m) {
				t.Errorf("%s: %q in the middle of a line would be part of a word; put it in AtStart", l.Name, m)
			}
		}
	}
}

func TestCommands(t *testing.T) {
	many := make([]Test, maxTestNames+1)
	for i := range many {
		many[i] = Test{"a/b_test.py", "test_" + string(rune('a'+i))}
	}
	for _, c := range []struct {
		language string
		tests    []Test
		want     []string
	}{
		{"go", []Test{{"net/a_test.go", "TestB"}, {"b_test.go", "TestA"}, {"net/a_test.go", "Testify"}, {"net/a_test.go", "S.TestC"}}, []string{"go", "test", ".", "./net", "-run", "^(TestA|TestB)$"}},
		{"go", []Test{{"net/helper.go", "TestB"}, {"net/a_test.go", ""}}, nil},
		{"python", []Test{{"t/test_a.py", "A.test_b"}, {"t/test_a.py", "helper"}}, []string{"pytest", "t/test_a.py::A::test_b"}},
		{"python", []Test{{"t/test_a.py", ""}}, []string{"pytest", "t/test_a.py"}},
		{"python", many, []string{"pytest", "a/b_test.py"}},
		{"python", nil, nil},
		{"php", []Test{{"tests/ATest.php", "ATest.testB"}, {"tests/ATest.php", "ATest.helper"}}, []string{"vendor/bin/phpunit", "--filter", `/\b(ATest::testB)\b/`, "tests/ATest.php"}},
		{"php", []Test{{"tests/x/ATest.php", "ATest.testB"}, {"tests/xy/BTest.php", "BTest.testC"}}, []string{"vendor/bin/phpunit", "--filter", `/\b(ATest::testB|BTest::testC)\b/`, "tests"}},
		{"php", []Test{{"ATest.php", ""}, {"t/BTest.php", ""}}, []string{"vendor/bin/phpunit", "--filter", `/\b(ATest|BTest)::/`, "."}},
		{"php", []Test{{"tests/ATest.php", ""}}, []string{"vendor/bin/phpunit", "tests/ATest.php"}},
		{"java", []Test{{"ATest.java", "ATest.b"}}, nil},
		{"kotlin", []Test{{"src/test/kotlin/ATest.kt", "ATest.`b c`"}, {"BTest.kt", ""}}, []string{"gradle", "test", "--tests", "*ATest.b c", "--tests", "*BTest"}},
	} {
		if got := ByName(c.language).Tests.Command(c.tests); !slices.Equal(got, c.want) {
			t.Errorf("%s %v: %q, want %q", c.language, c.tests, got, c.want)
		}
	}
}

func TestTested(t *testing.T) {
	for base, want := range map[string]string{"a_test.go": "a.go", "test_a.py": "a.py", "a.spec.ts": "a.ts", "FooTests.java": "Foo.java", "FooIT.java": "Foo.java", "Makefile": "", "test": ""} {
		if got := TestedFile(base); got != want {
			t.Errorf("TestedFile(%s) = %q, want %q", base, got, want)
		}
	}
	for stem, want := range map[string]string{"foo_test": "foo", "test_foo": "foo", "footests": "foo", "fooit": "foo", "it": "it", "foo": "foo"} {
		if got := TestedStem(stem); got != want {
			t.Errorf("TestedStem(%s) = %q, want %q", stem, got, want)
		}
	}
}
