// Command accuracy measures the code graph against other tools' view of real
// repositories and prints its findings in Markdown:
//
//	accuracy go:DIR python:DIR:SRC:PACKAGE typescript:DIR:PATTERN javascript:DIR:PATTERN
//	  c:DIR:SRC:FLAGS cpp:DIR:PATTERNS:FLAGS java:DIR:PATTERN rust:DIR ruby:DIR:FOLDERS
//	  csharp:DIR:PATTERNS:FLAGS kotlin:DIR:PATTERNS:JARS php:DIR:PATTERNS …
//
// It is a module of its own, so what only the measurement needs is no
// dependency of topo.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/graph"
)

func main() {
	examples := flag.Int("examples", 0, "write so many wrong and missed edges of each repository to standard error")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *examples); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

// The bars that the command checks.
const (
	minPrecision       = 0.97 // of calls of the highest tier
	minRecall          = 0.9  // of static calls
	minImportPrecision = 0.98
	minImportRecall    = 0.95
)

func run(ctx context.Context, args []string, examples int) error {
	temp, err := os.MkdirTemp("", "accuracy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var r report
	var below []error
	for _, arg := range args {
		p := strings.Split(arg+":::", ":")
		root, err := filepath.Abs(p[1])
		if err != nil {
			return err
		}
		l := slices.IndexFunc(languages, func(l language) bool { return l.name == p[0] })
		if l < 0 {
			return fmt.Errorf("%q: want one of %s, then a colon", arg, strings.Join(names(), ", "))
		}
		if _, err := exec.LookPath(languages[l].needs); err != nil {
			fmt.Fprintf(os.Stderr, "accuracy: %s is left out, for %s is not here: install it and measure again\n", filepath.Base(root), languages[l].needs)
			continue
		}
		x, g, err := indexTree(ctx, root, temp)
		if err != nil {
			return err
		}
		c := &checkout{root: root, src: p[2], more: p[3], temp: temp, index: x, graph: g, examples: examples}
		under, err := languages[l].measure(ctx, c, &r)
		x.Close()
		if err != nil {
			return err
		}
		fmt.Fprintf(&r.repos, "| %s | %s |\n", filepath.Base(root), commit(ctx, root))
		below = append(below, under)
	}
	fmt.Printf(page, r.calls.String(), r.others.String(), r.imports.String(), r.repos.String())
	return errors.Join(below...)
}

const page = `# Accuracy of the code graph

Made by ` + "`make accuracy`" + `, which measures checkouts of public repositories.

## Calls in Go

The oracle is the compiler's view: golang.org/x/tools loads each repository with
its tests, makes SSA of it and two call graphs: by variable type analysis (VTA)
and by class hierarchy analysis (CHA). Compared are pairs of functions of the
repository, a literal counting as part of the function around it; functions that
the build leaves out are not compared. For each tier: which part of topo's edges
VTA has too, and of how many. Recall is the part of the static calls (the source
names the callee) that topo found, in whatever tier. An edge of tier 0.6 leads to
every type that has the methods of the interface, as CHA has it; VTA keeps those
that a value may flow from, which is why it has fewer. The tier is therefore
compared with both.

| repository | functions | 1.0 | 0.9 | 0.6, VTA | 0.6, CHA | 0.3 | static calls | recall |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
%s
## Calls in other languages

Python is resolved by jedi, TypeScript and JavaScript by the type checker of
TypeScript's compiler, which reads the types in comments too, C by gcc, which
writes the call graph of what it compiles, Java by javac, C# by Roslyn, Kotlin by
the frontend of its compiler 1.9. For PHP a resolver on PHP-Parser reads the types
that the source and its comments declare. Each says of a call which
function or constructor it reaches. Compared are pairs of functions as above; calls
that the oracle itself cannot resolve are left out, and so is what this build of C
leaves out. The calls are all that the oracle resolved to a function of the
repository. Recall in C lacks the calls that macros make: topo does not
expand them. Tier 0.5 are the overloads that the arguments of a call, as far as
topo knows their types, do not tell apart: of each such group javac names one.
javac names the method of an interface that is called and none of those that
implement it, which tier 0.6 counts as wrong. Of a call with an argument whose
type javac does not know, for want of a library, it takes any overload: these
are left out. Roslyn and Kotlin's compiler name the one overload too, and the member
of the interface or base class that is called. Where Kotlin expects a definition of
each platform, its compiler names the one of the JVM, as topo does. Calls of operators, delegates and
values of function type, and methods that are only named, are not compared.
Roslyn reads C# for one build: functions and files that it leaves out are not
compared, as in C. Calls inside of a function that #if leaves out in that build count
against topo, and so do extension methods that the framework of the oracle has as
members. Dapper, which was not looked at while C# was resolved, has 0.989 of 91 at 1.0,
0.998 of 459 at 0.9 and a recall of 0.857: types nested in a part of a partial class
in another file are not found by their bare name. In PHP
a receiver without a declared type, or with one that instanceof narrows, is left
out: recall is that of the calls whose target the source determines. It names the
member of an interface that is called, as the others do, and knows the sources alone:
of what composer has as a copy among the fixtures of its tests, and no source declares,
it names none. A field that a class sets to a narrower type than its trait declares is
of the declared type to it. twig and monolog were looked at while PHP was resolved,
composer was measured alone: 0.970 at 1.0 at first, below the bar, and as listed once
copies of a definition were kept apart.

| repository | language | oracle | functions | 1.0 | 0.9 | 0.6 | 0.5 | 0.3 | calls | recall |
|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|
%s
## Imports

Edges between files of the repository (for Go: between packages; for C and C++:
from each source to all it reaches, as the compiler lists them).

| repository | language | oracle | edges | precision | recall |
|---|---|---|--:|--:|--:|
%s
Java is resolved by javac, without the libraries that a repository needs: a
wildcard stands for all classes of its package. A using directive of C# stands for
all files that declare a type of its namespace. An import of Kotlin stands for all
files that declare its name, a wildcard for all files of the package. A use
statement of PHP stands for the file that declares the class, function or constant;
include and require count where the path needs no run. Rust is resolved by rust-analyzer,
which loads the workspace as cargo describes it: each path of a use or mod
declaration leads to the file of the last module that it names. It judges
conditions (#[cfg]) by the default features, which topo does not, and follows
symbolic links, which topo leaves. Ruby reads and resolves its own require,
require_relative and autoload from the load path.

In flask and pytest grimp names the module of a package that is imported from the
package; topo also draws the edge to the package's __init__.py, which Python runs
first, and that edge is not counted. In C and C++, includes that the flags of this
build leave out count against topo, which does not know the flags; fmt is compiled
as a library of headers alone.

## What is not measured

The languages not named above have no oracle here, and neither have the calls of
C++, Rust and Ruby: they are tested by example only (index/graph/testdata). They are
resolved by the same engine, from what the source declares. What Zeitwerk loads
without a require is found as a constant, so calls lead there, but no import does.

## Oracles of C#, Kotlin and PHP

| language | needed |
|---|---|
| C# | a .NET SDK as ` + "`dotnet`" + `; measured with 3.1.102, whose Roslyn 3.4 reads C# 8 |
| Kotlin | JDK 17, and KOTLIN_JARS: a folder with these jars of Maven Central: kotlin-compiler-embeddable, kotlin-stdlib, kotlin-script-runtime, kotlin-reflect and kotlin-daemon-embeddable 1.9.25, trove4j 1.0.20200330, annotations 13.0, and okio-jvm 3.9.0 for okhttp |
| PHP | ` + "`apt-get install php-cli php-parser`" + `; measured with PHP 8.2 and PHP-Parser 4.15 |

These repositories are the sources of releases, in a commit of their own:

| repository | release |
|---|---|
| protobuf-csharp | folder csharp and LICENSE of protobuf 3.21.12, from Debian's source package protobuf |
| newtonsoft | Json.NET 6.0.8, from Debian's source package newtonsoft-json |
| monolog, twig, composer | 2.9.1, 3.5.1 and 2.5.5, from Debian's source packages php-monolog, php-twig and composer |
| okhttp, okio | the source jars okhttp 4.12.0 and okio-jvm 3.9.0 of Maven Central |

The resolver of PHP was compared with calls that Xdebug recorded while tests of
twig and monolog ran. It resolves 1456 of the 1549 places that called a function of
the repository: in 1420 to a function of that name in the file that ran, in 36 to one
that it overrides or takes from a trait. It leaves 55 unclear. The other 38 are calls
that the source does not write, such as those of foreach and count.

## Repositories

| repository | commit |
|---|---|
%s`

// commit is the commit that is checked out in root, as far as git knows.
func commit(ctx context.Context, root string) string {
	out, err := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", "HEAD").Output()
	if err != nil {
		return "not known"
	}
	return strings.TrimSpace(string(out))
}

// goRow is the row of a repository in Go.
func (s *score) goRow() string {
	may := "–"
	if n := s.edges[graph.Dispatched]; n > 0 {
		may = fmt.Sprintf("%.3f", float64(s.may)/float64(n))
	}
	return fmt.Sprintf("| %s | %d | %s | %s | %s | %s | %s | %d | %.3f |\n", s.name, s.functions,
		s.cell(graph.Resolved), s.cell(graph.KnownType), s.cell(graph.Dispatched), may, s.cell(graph.NameOnly), s.static, s.recall())
}

// otherRow is the row of a repository in another language than Go.
func (s *score) otherRow(language, oracle string) string {
	return fmt.Sprintf("| %s | %s | %s | %d | %s | %s | %s | %s | %s | %d | %.3f |\n", s.name, language, oracle, s.functions,
		s.cell(graph.Resolved), s.cell(graph.KnownType), s.cell(graph.Dispatched), s.cell(graph.Overloaded), s.cell(graph.NameOnly), s.static, s.recall())
}

// cell is the precision of a tier.
func (s *score) cell(c graph.Confidence) string {
	if s.edges[c] == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f of %d", s.precision(c), s.edges[c])
}

func (s *score) precision(c graph.Confidence) float64 {
	return float64(s.right[c]) / float64(max(1, s.edges[c]))
}

func (s *score) recall() float64 { return float64(s.found) / float64(max(1, s.static)) }

func (s *score) check() error {
	if s.precision(graph.Resolved) < minPrecision || s.recall() < minRecall {
		return fmt.Errorf("%s: calls are below the bars of %.2f and %.2f", s.name, minPrecision, minRecall)
	}
	return nil
}

func (s *importScore) row() string {
	return fmt.Sprintf("| %s | %s | %s | %d | %.3f | %.3f |\n", s.name, s.language, s.oracle, s.truth, s.precision(), s.recall())
}

func (s *importScore) precision() float64 { return float64(s.both) / float64(max(1, s.ours)) }
func (s *importScore) recall() float64    { return float64(s.both) / float64(max(1, s.truth)) }

func (s *importScore) check() error {
	if s.precision() < minImportPrecision || s.recall() < minImportRecall {
		return fmt.Errorf("%s: imports are below the bars of %.2f and %.2f", s.name, minImportPrecision, minImportRecall)
	}
	return nil
}
