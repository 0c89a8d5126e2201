package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/graph"
)

// language says how the graph is measured on repositories in one language.
type language struct {
	name, needs string // needs is the program without which it is left out
	// measure adds to the report; what it returns first says that a bar is not
	// met.
	measure func(context.Context, *checkout, *report) (below, err error)
}

var languages = []language{
	{"c", "gcc", measureC},
	{"cpp", "g++", measureCpp},
	{"csharp", "dotnet", measureCSharp},
	{"go", "go", measureGo},
	{"java", "javac", measureJava},
	{"javascript", "node", measureJavaScript},
	{"kotlin", "java", measureKotlin},
	{"php", "php", measurePHP},
	{"python", "python3", measurePython},
	{"ruby", "ruby", measureRuby},
	{"rust", "rust-analyzer", measureRust},
	{"typescript", "node", measureTypeScript},
}

func names() []string {
	var out []string
	for _, l := range languages {
		out = append(out, l.name)
	}
	return out
}

// checkout is one repository that is measured.
type checkout struct {
	root, src, more string // what the argument says
	temp            string
	index           *index.Index
	graph           *graph.Graph
	examples        int
}

func (c *checkout) name() string { return filepath.Base(c.root) }

// report holds the rows of the tables.
type report struct{ repos, calls, others, imports strings.Builder }

// addImports adds a row of imports, and says whether they are below the bars.
func (r *report) addImports(s *importScore, err error) (error, error) {
	if err != nil {
		return nil, err
	}
	r.imports.WriteString(s.row())
	return s.check(), nil
}

// addCalls adds a row of calls as said by the oracle, and says whether they are
// below the bars.
func (r *report) addCalls(c *checkout, said *oracleAnswer, language, oracle string) (below, err error) {
	s, err := compareCalls(c.name(), c.graph, said, c.examples)
	if err != nil {
		return nil, err
	}
	r.others.WriteString(s.otherRow(language, oracle))
	return s.check(), nil
}

// addBoth adds a row of calls and one of imports as said by one oracle, which
// may have failed with err, and says whether they are below the bars.
func (r *report) addBoth(c *checkout, said *oracleAnswer, err error, language, oracle string) (below, _ error) {
	if err != nil {
		return nil, err
	}
	calls, err := r.addCalls(c, said, language, oracle)
	if err != nil {
		return nil, err
	}
	s := &importScore{name: c.name(), language: language, oracle: oracle}
	imports, err := r.addImports(againstPairs(s, said, c.index, c.examples))
	return errors.Join(calls, imports), err
}

func measureGo(ctx context.Context, c *checkout, r *report) (below, err error) {
	t, err := goTruth(ctx, c.root, c.graph)
	if err != nil {
		return nil, err
	}
	s, err := compare(c.name(), c.graph, t, c.examples)
	if err != nil {
		return nil, err
	}
	r.calls.WriteString(s.goRow())
	below, err = r.addImports(goImports(ctx, c.root, c.index, c.examples))
	return errors.Join(s.check(), below), err
}

func measurePython(ctx context.Context, c *checkout, r *report) (below, err error) {
	said, err := pythonCalls(ctx, c.root, c.src, c.more)
	if err != nil {
		return nil, err
	}
	calls, err := r.addCalls(c, said, "Python", "jedi")
	if err != nil {
		return nil, err
	}
	below, err = r.addImports(pythonImports(ctx, c.root, c.src, c.more, c.index, c.examples))
	return errors.Join(calls, below), err
}

func measureTypeScript(ctx context.Context, c *checkout, r *report) (below, err error) {
	said, err := tsCalls(ctx, c.root, c.src, "ts")
	if err != nil {
		return nil, err
	}
	calls, err := r.addCalls(c, said, "TypeScript", "typescript")
	if err != nil {
		return nil, err
	}
	below, err = r.addImports(tsImports(ctx, c.root, c.src, c.index, c.examples))
	return errors.Join(calls, below), err
}

func measureC(ctx context.Context, c *checkout, r *report) (below, err error) {
	flags := strings.Fields(c.more)
	said, err := cCalls(ctx, c.root, c.src, flags, c.temp)
	if err != nil {
		return nil, err
	}
	calls, err := r.addCalls(c, said, "C", "gcc -fcallgraph-info")
	if err != nil {
		return nil, err
	}
	below, err = r.addImports(cImports(ctx, c.root, c.src, flags, c.index, c.examples))
	return errors.Join(calls, below), err
}

// measureCpp measures imports alone.
func measureCpp(ctx context.Context, c *checkout, r *report) (below, err error) {
	return r.addImports(cppImports(ctx, c.root, c.src, strings.Fields(c.more), c.index, c.examples))
}

func measureJavaScript(ctx context.Context, c *checkout, r *report) (below, err error) {
	said, err := tsCalls(ctx, c.root, c.src, "js")
	if err != nil {
		return nil, err
	}
	calls, err := r.addCalls(c, said, "JavaScript", "typescript")
	if err != nil {
		return nil, err
	}
	below, err = r.addImports(jsImports(ctx, c.root, c.src, c.index, c.examples))
	return errors.Join(calls, below), err
}

func measureCSharp(ctx context.Context, c *checkout, r *report) (below, err error) {
	said, err := askRoslyn(ctx, c.root, c.src, strings.Fields(c.more), c.temp)
	return r.addBoth(c, said, err, "C#", "Roslyn")
}

func measureJava(ctx context.Context, c *checkout, r *report) (below, err error) {
	said, err := askJavac(ctx, c.root, c.src, c.temp)
	return r.addBoth(c, said, err, "Java", "javac")
}

func measureKotlin(ctx context.Context, c *checkout, r *report) (below, err error) {
	said, err := askKotlin(ctx, c.root, c.src, c.more, c.temp)
	return r.addBoth(c, said, err, "Kotlin", "kotlinc")
}

func measurePHP(ctx context.Context, c *checkout, r *report) (below, err error) {
	said, err := askPHPParser(ctx, c.root, c.src, c.temp)
	return r.addBoth(c, said, err, "PHP", "PHP-Parser")
}

func measureRust(ctx context.Context, c *checkout, r *report) (below, err error) {
	return r.addImports(rustImports(ctx, c.root, c.index, c.examples))
}

func measureRuby(ctx context.Context, c *checkout, r *report) (below, err error) {
	args := append([]string{"-", c.root}, strings.Fields(c.src)...)
	said, err := ask(ctx, c.root, "ruby", "apt-get install ruby", "ruby", rubyScript, args...)
	if err != nil {
		return nil, err
	}
	s := &importScore{name: c.name(), language: "Ruby", oracle: "ruby"}
	return r.addImports(againstPairs(s, said, c.index, c.examples))
}
