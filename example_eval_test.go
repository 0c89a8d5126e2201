package topo_test

import (
	"context"
	"log"
	"os"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/score/eval"
)

// Measure the ranking on the last hundred commits of a repository. It needs their
// history, so it is not run as a test.
func ExampleRepo_Eval() {
	ctx := context.Background()
	repo, err := topo.Open(ctx, "path/to/clone", topo.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer repo.Close()
	cases, err := repo.EvalCases(ctx, 100)
	if err != nil {
		log.Fatal(err)
	}
	results, err := repo.Eval(ctx, cases, topo.EvalOptions{Against: "rrf", DropAbsent: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := eval.NewReport(results, topo.DefaultEvalPreset, "").WriteText(os.Stdout); err != nil {
		log.Fatal(err)
	}
}
