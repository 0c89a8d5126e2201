// Command accuracy measures the code graph against other tools' view of real
// repositories and prints a table in Markdown.
//
// It is a module of its own, so that what only the measurement needs is no
// dependency of topo.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/topo-dev/topo/index/graph"
)

func main() {
	examples := flag.Int("examples", 0, "write so many wrong and missed edges to standard error")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *examples); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, roots []string, examples int) error {
	temp, err := os.MkdirTemp("", "accuracy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	fmt.Println("| repository | functions | 1.0 | 0.9 | 0.6 | 0.3 | static calls | recall |")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|--:|")
	for _, root := range roots {
		x, g, err := indexTree(ctx, root, temp)
		if err != nil {
			return err
		}
		t, err := goTruth(ctx, root, g)
		if err != nil {
			return err
		}
		s, err := compare(filepath.Base(root), g, t, examples)
		if err != nil {
			return err
		}
		fmt.Print(s.row())
		x.Close()
	}
	return nil
}

// row is the score as a row of the table.
func (s *score) row() string {
	cell := func(c graph.Confidence) string {
		if s.edges[c] == 0 {
			return "–"
		}
		return fmt.Sprintf("%.3f of %d", float64(s.right[c])/float64(s.edges[c]), s.edges[c])
	}
	return fmt.Sprintf("| %s | %d | %s | %s | %s | %s | %d | %.3f |\n", s.name, s.functions,
		cell(graph.Resolved), cell(graph.KnownType), cell(graph.Dispatched), cell(graph.NameOnly), s.static, float64(s.found)/float64(max(1, s.static)))
}
