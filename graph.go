package topo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/detect/rules"
	"github.com/topo-dev/topo/index/graph"
	"github.com/topo-dev/topo/index/graph/ask"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/scan"
)

// Graph answers questions about the code: who calls what, what imports what, what a
// change may affect. Package answer documents the questions and their answers.
type Graph struct {
	*answer.Session
}

// Graph opens the code graph of the deep index, as it is: nothing is scanned. It shows
// that index until the repository is closed, also when the index is replaced. The error has the kind [Usage] when there is
// no index, or none with a graph of this version of topo.
func (r *Repo) Graph() (*Graph, error) {
	x, err := r.openDeep()
	name := r.place().Deep()
	switch {
	case err != nil:
		return nil, err
	case x == nil:
		return nil, fault.Usagef("index: none at %s; build it with: %s", name, r.indexCommand(""))
	}
	g, err := graph.Open(x)
	switch {
	case errors.Is(err, graph.ErrNoGraph):
		return nil, fault.Usagef("index: %s has no code graph; build it with: %s", name, r.indexCommand(" --force"))
	case errors.Is(err, graph.ErrOtherVersion):
		return nil, fault.Usagef("index: the code graph of %s was built by another version of topo; bring it up to date with: %s", name, r.indexCommand(""))
	case err != nil:
		return nil, fault.Of(fault.Environment, err)
	}
	r.graph = true
	s := &answer.Session{Session: ask.Session{Index: x, Graph: g, Root: r.repo.Root, Dir: r.dir}, Tree: r.root, Given: r.given, Rev: r.rev}
	if made, err := os.Stat(name); err == nil && r.o.IndexFile == "" {
		s.Indexed = made.ModTime()
	}
	return &Graph{s}, nil
}

// indexCommand is the command that makes the index that is missing.
func (r *Repo) indexCommand(flags string) string {
	if r.o.Rev != "" {
		flags += " --rev " + r.o.Rev
	}
	return "topo index --deep" + flags
}

// Impact tells what a change of a place may affect, and which tests cover it.
func (r *Repo) Impact(ctx context.Context, place string, o answer.ImpactOptions) (*answer.Impact, error) {
	g, err := r.Graph()
	if err != nil {
		return nil, err
	}
	a, err := g.Impact(ctx, place, o)
	return a, AnswerError(ctx, err)
}

// Diff tells which definitions a diff changed, what that may affect, and which tests
// cover it.
func (r *Repo) Diff(ctx context.Context, d answer.Diff, o answer.ImpactOptions) (*answer.Impact, error) {
	g, err := r.Graph()
	if err != nil {
		return nil, err
	}
	a, err := g.ImpactOfDiff(ctx, d, o)
	switch {
	case errors.Is(err, scan.ErrNotRepo):
		return nil, fault.Usagef("%s is not in a git repository, so there is no commit to compare it with; topo impact PLACE needs none", r.root)
	case errors.Is(err, scan.ErrUnknownRev) && cmp.Or(d.Range, "HEAD") == "HEAD":
		return nil, fault.Usagef("the repository has no commit yet to compare with; topo impact PLACE needs none")
	}
	return a, AnswerError(ctx, err)
}

// DetectOptions say what is looked for.
type DetectOptions struct {
	Scan        ScanOptions
	Detectors   []string // IDs of package detect/rules; none for all
	MinSeverity detect.Severity
	Paths       []string // report only about files that match one of these globs
}

// Detect brings the deep index up to date and runs the detectors over it. The graph
// that comes back makes records of the findings. With [Options.IndexFile] the index
// is taken as it is.
func (r *Repo) Detect(ctx context.Context, o DetectOptions) (*detect.Result, *Graph, []Problem, error) {
	list, err := rules.Lookup(o.Detectors)
	if err != nil {
		return nil, nil, nil, fault.Of(fault.Usage, err)
	}
	var problems []Problem
	if r.o.IndexFile == "" {
		s, skipped, err := r.Scan(ctx, o.Scan)
		if err != nil {
			return nil, nil, nil, err
		}
		if _, err := r.Index(ctx, s, IndexOptions{Deep: true}); err != nil {
			return nil, nil, nil, err
		}
		problems = skipped
	}
	g, err := r.Graph()
	if err != nil {
		return nil, nil, problems, err
	}
	keep := answer.Within(o.Paths)
	if r.dir != "" && len(o.Paths) == 0 {
		keep = answer.Within([]string{r.dir})
	}
	res, err := g.Detect(ctx, list, detect.Options{MinSeverity: o.MinSeverity, Keep: keep})
	return res, g, problems, AnswerError(ctx, err)
}

// AnswerError gives the error of a question its kind, and says what helps when there
// is no such place. A defect of the index is one of the environment.
func AnswerError(ctx context.Context, err error) error {
	var place *ask.PlaceError
	var scanned *scan.Error
	switch {
	case err == nil, ctx.Err() != nil, fault.KindOf(err) != 0, errors.Is(err, fs.ErrNotExist):
		return err
	case errors.As(err, &place) && place.What == ask.WrongLine:
		return fault.Usagef("%s", place.Advise(""))
	case errors.As(err, &place) && place.File != "":
		return fault.Usagef("%s", place.Advise("topo graph file "+place.File+" lists what it defines"))
	case errors.As(err, &place):
		return fault.Usagef("%s", place.Advise("topo index --deep brings the index up to date"))
	case errors.As(err, &scanned):
		return scanError(err)
	}
	return fault.Of(fault.Environment, fmt.Errorf("graph: %w", err))
}

// The options and answers of the questions that a caller needs to name. Package
// answer has all of them.
type (
	Diff          = answer.Diff
	Impact        = answer.Impact
	ImpactOptions = answer.ImpactOptions
	WalkOptions   = answer.WalkOptions
	SymbolOptions = answer.SymbolOptions
	PathOptions   = answer.PathOptions
	Relation      = answer.Relation
)

// RelationOf is the relation of a name: callers, callees, importers, imports, and
// what else [answer.Relations] lists.
func RelationOf(name string) (Relation, error) { return answer.RelationOf(name) }
