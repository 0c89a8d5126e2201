// Command tests prints the tests that cover the changes since a commit, and exits
// with 1 when a changed definition is covered by none:
//
//	go run . main
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/topo-dev/topo"
)

func main() {
	ctx := context.Background()
	since := "HEAD"
	if len(os.Args) > 1 {
		since = os.Args[1]
	}
	repo, err := topo.Open(ctx, ".", topo.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer repo.Close()
	files, _, err := repo.Scan(ctx, topo.ScanOptions{})
	if err == nil {
		_, err = repo.Index(ctx, files, topo.IndexOptions{Deep: true})
	}
	if err != nil {
		log.Fatal(err)
	}
	impact, err := repo.Diff(ctx, topo.Diff{Range: since}, topo.ImpactOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range impact.Symbols {
		if s.Test {
			fmt.Printf("%s:%d %s\n", s.Path, s.Line, s.Symbol)
		}
	}
	if impact.Impact.Symbols > 0 && impact.Impact.Tests == 0 {
		fmt.Fprintln(os.Stderr, "no test covers these changes")
		os.Exit(1)
	}
}
