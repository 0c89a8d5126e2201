// Command explain says which files a report is about and why, and who calls the
// functions in them:
//
//	go run . < report.md
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/topo-dev/topo"
)

func main() {
	ctx := context.Background()
	report, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	repo, err := topo.Open(ctx, ".", topo.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer repo.Close()
	why, err := repo.Explain(ctx, string(report), topo.ExplainOptions{Query: topo.QueryOptions{Preset: "deep"}, Top: 3})
	if err != nil {
		log.Fatal(err)
	}
	graph, err := repo.Graph() // preset deep has made the index
	if err != nil {
		log.Fatal(err)
	}
	callers, err := topo.RelationOf("callers")
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range why {
		fmt.Printf("%d. %s\n", e.Rank, e.Path)
		for _, r := range e.Reasons {
			fmt.Printf("   %s: %s\n", r.Kind, r.Text)
		}
		used, err := graph.Walk(ctx, e.Path, callers, topo.WalkOptions{Limit: 3})
		if err != nil {
			log.Fatal(err)
		}
		for _, s := range used.Symbols {
			fmt.Printf("   called by %s  %s:%d\n", s.Symbol, s.Path, s.Line)
		}
	}
}
