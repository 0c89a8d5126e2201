package lang

import "strings"

// fixture names directories whose whole content serves tests.
func fixture(d string) bool {
	switch d {
	case "testdata", "test_data", "test-data", "__snapshots__", "__fixtures__", "test-fixtures", "test_fixtures", "testfixtures", "testFixtures":
		return true
	}
	return false
}

// testDir reports whether a directory above the file is for tests.
func testDir(p pathParts, l *Language) bool {
	name := ""
	var dirs []string
	if l != nil {
		name, dirs = l.Name, l.Tests.Dirs
	}
	parent, rest := "", p.dir
	for rest != "" {
		var d string
		d, rest, _ = strings.Cut(rest, "/")
		if parent == "src" && d == "main" {
			// Maven and Gradle: what follows is a package name, and a package
			// called test is a library for tests.
			return false
		}
		if testDirName(d) || sourceSet(parent, d) || ownedTestDir(name, parent, d) {
			return true
		}
		for _, t := range dirs {
			if d == t {
				return true
			}
		}
		parent = d
	}
	return false
}

// testDirName knows the directories that mean tests in every language.
func testDirName(d string) bool {
	switch d {
	case "tests", "Tests", "__tests__", "__test__", "__mocks__", "e2e", "e2e-tests", "e2e_tests", "cypress",
		"testutil", "testutils", "test_utils", "test-utils", "testhelper", "testhelpers", "test_helpers", "test-helpers",
		"testkit", "testlib", "testsuite", "testsuites", "test-suite", "test_suite", "test_suites", "testcases", "test_cases",
		"test-cases", "testsupport", "test_support", "test-support", "unittests", "unittest", "unit-tests", "unit_tests",
		"integration-test", "integration-tests", "integration_test", "integration_tests", "integrationtests", "integrationtest",
		"acceptance-tests", "acceptance_tests", "functional-tests", "functional_tests", "smoke-tests", "regression-tests",
		"regression_tests", "system-tests", "system_tests", "perf-tests", "testing-data", "bats", "fuzzers":
		return true
	}
	return strings.HasSuffix(d, "-tests") || strings.HasSuffix(d, "_tests") || projectOfTests(d)
}

// projectOfTests knows the project names of .NET and Swift: Foo.Tests,
// Foo.UnitTests, FooUITests.
func projectOfTests(d string) bool {
	if strings.HasSuffix(d, ".Test") {
		return true
	}
	i := len(d) - len("Tests")
	return i > 0 && d[i:] == "Tests" && (d[i-1] == '.' || isSmall(d[i-1]) || isDigit(d[i-1]) || isCapital(d[i-1]))
}

// sourceSet knows the source sets of Gradle and Maven below src/: test,
// integrationTest, androidTest, commonTest, it.
func sourceSet(parent, d string) bool {
	return parent == "src" && (d == "it" || hasSuffix(d, "Test") || hasSuffix(d, "Tests") || d == "testFixtures")
}

// ownedTestDir knows directory names that mean tests in some languages and
// something else in others.
func ownedTestDir(language, parent, d string) bool {
	switch d {
	case "test", "Test":
		switch language {
		case "python", "rust":
			// Tests live in tests/; a package called test below the top is a
			// library for tests (django/test, library/test).
			return parent == "" || parent == "src" || parent == "Lib" || parent == "tests"
		}
		return true
	case "testing":
		// Go packages named testing below another package hold its fakes and
		// helpers; at the top, or right under src, it is a library.
		return language == "go" && parent != "" && parent != "src" && parent != "pkg"
	case "t":
		return language == "perl" || language == "raku"
	case "fixtures":
		return parent == "test" || parent == "tests" || parent == "spec" || parent == "e2e" || language == "json"
	}
	return false
}

// testName reports whether the file name alone says test in its language.
func testName(p pathParts, l *Language) bool {
	if l == nil {
		return false
	}
	n := &l.Tests
	switch l.Name {
	case "java", "kotlin", "scala":
		if strings.HasPrefix(p.path, "src/main/") || strings.Contains(p.path, "/src/main/") {
			// A library for tests names its types TestContext, TestCase…
			n = &Names{Suffix: []string{"Test", "Tests", "IT", "Spec", "Suite"}}
		}
	case "ruby":
		// lib/active_support/test_case.rb is a library.
		if p.anyDir(func(d string) bool { return d == "lib" }) {
			n = &Names{Exact: n.Exact, Suffix: n.Suffix}
		}
	}
	return n.match(p)
}
