// Command bench compares the built topo with its peers on one tree and prints
// one table. Run it with make bench.
//
// What always holds: contestants of one row run in turn within the same
// rounds, so a busy machine slows all of them; figures are medians; every
// command is checked to have succeeded and to have printed something where it
// should. Nothing is written but to a temporary folder, which is removed.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
)

// options is what the flags say.
type options struct {
	topo    string
	tree    string
	runs    int
	only    string
	growth  string
	repomix bool
	json    bool
	query   string
	zoekt   string
}

func main() {
	var o options
	flag.StringVar(&o.topo, "topo", "bin/topo", "the `program` to measure")
	flag.StringVar(&o.tree, "tree", "", "the `folder` to work on (default: "+defaultTree+", downloaded)")
	flag.IntVar(&o.runs, "runs", 5, "rounds for each row")
	flag.StringVar(&o.only, "only", "", "measure only rows whose name contains this `text`")
	flag.StringVar(&o.growth, "growth", "1,4,16", "`multiples` of the tree to show growth on; empty for none")
	flag.BoolVar(&o.repomix, "repomix", true, "run repomix once, when it is installed")
	flag.BoolVar(&o.json, "json", false, "print JSON instead of a table")
	flag.StringVar(&o.query, "query", "evict pods under node memory pressure", "the task")
	flag.StringVar(&o.zoekt, "zoekt-query", "evict pods memory pressure", "the task in zoekt's syntax")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, stdout, stderr io.Writer) error {
	multiples, err := parseGrowth(o.growth)
	if err != nil {
		return err
	}
	if o.runs < 1 {
		return fmt.Errorf("-runs must be at least 1, got %d", o.runs)
	}
	b := &bench{ctx: ctx, o: o, log: stderr}
	if b.topo, err = filepath.Abs(o.topo); err != nil {
		return err
	}
	if _, err := os.Stat(b.topo); err != nil {
		return fmt.Errorf("%w; build it with make", err)
	}
	if b.tree, err = findTree(ctx, o.tree); err != nil {
		return err
	}
	if b.tmp, err = os.MkdirTemp("", "topo-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.tmp)
	b.peers = findPeers()
	rep := report{Tree: b.tree, Runs: o.runs, Missing: b.peers.missing()}
	if rep.Files, rep.Bytes, err = warm(b.tree); err != nil {
		return err
	}
	rep.Rows = b.rows(multiples)
	if err := ctx.Err(); err != nil {
		return err
	}
	if o.json {
		enc := json.NewEncoder(stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(rep)
	}
	return rep.print(stdout)
}

func parseGrowth(s string) ([]int, error) {
	var out []int
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(f)
		if err != nil || n < 1 || n > 64 {
			return nil, fmt.Errorf("-growth %q: want numbers from 1 to 64, such as 1,4,16", s)
		}
		out = append(out, n)
	}
	return out, nil
}
