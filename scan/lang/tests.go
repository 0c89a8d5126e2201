package lang

import (
	"slices"
	"strings"
)

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
	if l == nil {
		l = &unknown
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
		if testDirName(d) || sourceSet(parent, d) || l.ownTestDir(parent, d) {
			return true
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

// ownTestDir knows directory names that mean tests in some languages and
// something else in others.
func (l *Language) ownTestDir(parent, d string) bool {
	switch {
	case slices.Contains(l.TestFiles.Dirs, d):
		return true
	case slices.Contains(l.Tests.DirsAtTop, d):
		// django/test and library/test are libraries for tests.
		return parent == "" || parent == "src" || parent == "Lib" || parent == "tests"
	case slices.Contains(l.Tests.DirsBelow, d):
		return parent != "" && parent != "src" && parent != "pkg"
	}
	switch d {
	case "test", "Test":
		return true
	case "fixtures":
		return parent == "test" || parent == "tests" || parent == "spec" || parent == "e2e"
	}
	return false
}

// testName reports whether the file name alone says test in its language.
func testName(p pathParts, l *Language) bool {
	if l == nil {
		return false
	}
	if in := &l.Tests.Library; in.Dir != "" && strings.Contains("/"+p.dir+"/", "/"+in.Dir+"/") {
		return in.TestFiles.match(p)
	}
	return l.TestFiles.match(p)
}
