package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// bench is one run of the program.
type bench struct {
	ctx   context.Context
	o     options
	log   io.Writer // progress
	topo  string    // absolute path of the program
	tree  string
	tmp   string // everything that is written
	peers peerList
}

// contest is a command with what to do before each of its runs.
type contest struct {
	command
	before func(round int) error // not measured
}

// race runs the contests in turn, as many rounds as asked for.
func (b *bench) race(rounds int, cs ...contest) ([]figure, error) {
	samples := make([][]sample, len(cs))
	for round := range rounds {
		for i, c := range cs {
			if c.before != nil {
				if err := c.before(round); err != nil {
					return nil, fmt.Errorf("prepare %s: %w", c.name, err)
				}
			}
			s, err := c.measure(b.ctx)
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], s)
		}
	}
	out := make([]figure, len(cs))
	for i := range cs {
		out[i] = summarize(samples[i])
	}
	return out, nil
}

// rows measures everything. A row that cannot be measured says why.
func (b *bench) rows(multiples []int) []row {
	var out []row
	add := func(work string, f func(work string) ([]row, error)) {
		if !strings.Contains(work, b.o.only) || b.ctx.Err() != nil {
			return
		}
		fmt.Fprintf(b.log, "bench: %s\n", work)
		rows, err := f(work)
		if err != nil {
			rows = append(rows, row{Work: work, Verdict: "not measured", Notes: []string{err.Error()}})
		}
		out = append(out, rows...)
	}
	add("shallow index", b.shallow)
	add("deep index", b.deep)
	add("refresh, nothing changed", b.unchanged)
	add("refresh, 10 files changed", b.changed)
	add("query", b.query)
	add("quick", b.quick)
	add("pack", b.pack)
	add("code tools and MCP", b.tools)
	if len(multiples) > 0 {
		add("growth", func(work string) ([]row, error) { return b.growth(multiples) })
	}
	return out
}

// topoCommand is topo on tree with its index in cache.
func (b *bench) topoCommand(tree, cache string, args ...string) command {
	return command{
		name: "topo " + args[0], args: append([]string{b.topo}, args...), dir: tree,
		env: []string{"TOPO_CACHE_DIR=" + cache, "TOPO_ROOT="},
	}
}

func (b *bench) peerCommand(program string, args ...string) command {
	return command{name: program, args: append([]string{b.peers.path(program)}, args...), dir: b.tree}
}

// fresh empties a folder of the temporary folder and returns it.
func (b *bench) fresh(name string) (string, error) {
	dir := filepath.Join(b.tmp, name)
	return dir, errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o777))
}

// indexed is an error when the folder holds no index after a run that should
// have written one: a program that does nothing is fast.
func (b *bench) indexed(name string) error {
	if dirSize(b.dir(name)) == 0 {
		return fmt.Errorf("no index was written to the folder given by TOPO_CACHE_DIR")
	}
	return nil
}

// cleared is a contest that starts with an empty folder each time.
func (b *bench) cleared(name string, c command) contest {
	return contest{c, func(int) error { _, err := b.fresh(name); return err }}
}

func (b *bench) dir(name string) string { return filepath.Join(b.tmp, name) }

func (b *bench) shallow(work string) ([]row, error) {
	cs := []contest{b.cleared("shallow", b.topoCommand(b.tree, b.dir("shallow"), "index"))}
	if b.peers.path("rg") != "" {
		count := b.peerCommand("rg", "-c", ".")
		count.prints = true
		cs = append(cs, contest{command: count})
	}
	if b.peers.path("ctags") != "" {
		cs = append(cs, contest{command: b.peerCommand("ctags", "-R", "-f", b.dir("tags"), ".")})
	}
	fs, err := b.race(b.o.runs, cs...)
	if err := errors.Join(err, b.indexed("shallow")); err != nil {
		return nil, err
	}
	var out []row
	for i, c := range cs[1:] {
		r := row{Work: work, State: "cold", Topo: fs[0], Against: fs[i+1]}
		if c.name == "rg" {
			r.Peer = "rg -c ."
			r = r.judge(ratio(fs[0], fs[i+1]), "x", 5)
		} else {
			r.Peer = "ctags -R"
			r = r.judge(ratio(fs[0], fs[i+1]), "x", 0)
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		out = []row{row{Work: work, State: "cold", Topo: fs[0]}.judge(fs[0].Seconds, "s", 0)}
	}
	return out, nil
}

func ratio(a, b figure) float64 { return a.Seconds / b.Seconds }

func (b *bench) deep(work string) ([]row, error) {
	topo := b.cleared("deep", b.topoCommand(b.tree, b.dir("deep"), "index", "--deep"))
	const rssBar = 500 // MB
	if b.peers.path("zoekt-index") == "" {
		fs, err := b.race(b.o.runs, topo)
		if err := errors.Join(err, b.indexed("deep")); err != nil {
			return nil, err
		}
		return []row{
			row{Work: work, State: "cold", Topo: fs[0]}.judge(fs[0].Seconds, "s", 0),
			row{Work: work + ": peak RSS", State: "cold", Topo: fs[0]}.judge(float64(fs[0].RSS)/1e6, "MB", rssBar),
		}, nil
	}
	zoekt := b.cleared("zoekt", b.peerCommand("zoekt-index", "-index", b.dir("zoekt"), "."))
	fs, err := b.race(b.o.runs, topo, zoekt)
	if err := errors.Join(err, b.indexed("deep")); err != nil {
		return nil, err
	}
	fs[0].IndexSize, fs[1].IndexSize = dirSize(b.dir("deep")), dirSize(b.dir("zoekt"))
	base := row{Work: work, State: "cold", Topo: fs[0], Peer: "zoekt-index", Against: fs[1]}
	size := base
	size.Work += ": size"
	size.Notes = []string{fmt.Sprintf("%s beside %s", megabytes(fs[0].IndexSize), megabytes(fs[1].IndexSize))}
	rss := base
	rss.Work += ": peak RSS"
	if _, err := exec.LookPath("universal-ctags"); err != nil {
		base.Notes = []string{"zoekt-index finds no universal-ctags on PATH and indexes no symbols, which is faster"}
	}
	return []row{
		base.judge(ratio(fs[0], fs[1]), "x", 1),
		size.judge(float64(fs[0].IndexSize)/float64(fs[1].IndexSize), "x", 0.5),
		rss.judge(float64(fs[0].RSS)/1e6, "MB", rssBar),
	}, nil
}

// ready makes sure that there is a deep index of tree in the folder.
func (b *bench) ready(tree, name string) error {
	if dirSize(b.dir(name)) > 0 {
		return nil
	}
	if _, err := b.fresh(name); err != nil {
		return err
	}
	_, err := b.topoCommand(tree, b.dir(name), "index", "--deep").measure(b.ctx)
	return errors.Join(err, b.indexed(name))
}

func (b *bench) unchanged(work string) ([]row, error) {
	if err := b.ready(b.tree, "deep"); err != nil {
		return nil, err
	}
	topo := contest{command: b.topoCommand(b.tree, b.dir("deep"), "index", "--deep")}
	if b.peers.path("rg") == "" {
		fs, err := b.race(b.o.runs, topo)
		if err != nil {
			return nil, err
		}
		return []row{row{Work: work, State: "warm", Topo: fs[0]}.judge(fs[0].Seconds, "s", 0)}, nil
	}
	files := b.peerCommand("rg", "--files")
	files.prints = true
	fs, err := b.race(2*b.o.runs, topo, contest{command: files})
	if err != nil {
		return nil, err
	}
	return []row{row{Work: work, State: "warm", Topo: fs[0], Peer: "rg --files", Against: fs[1]}.judge(ratio(fs[0], fs[1]), "x", 3)}, nil
}

func (b *bench) changed(work string) ([]row, error) {
	tree, err := b.fresh("changing")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tree)
	if err := copyTree(b.ctx, b.tree, tree, ""); err != nil {
		return nil, err
	}
	if err := b.ready(tree, "changing-index"); err != nil {
		return nil, err
	}
	topo := contest{b.topoCommand(tree, b.dir("changing-index"), "index", "--deep"), func(round int) error {
		n, err := touch(tree, 10, round)
		if err == nil && n == 0 {
			err = errors.New("the tree has no files")
		}
		return err
	}}
	fs, err := b.race(b.o.runs, topo)
	if err != nil {
		return nil, err
	}
	return []row{row{Work: work, State: "warm", Topo: fs[0]}.judge(fs[0].Seconds, "s", 0.4)}, nil
}

func (b *bench) query(work string) ([]row, error) {
	if err := b.ready(b.tree, "deep"); err != nil {
		return nil, err
	}
	ask := b.topoCommand(b.tree, b.dir("deep"), "query", b.o.query, "--top", "20", "--format", "jsonl")
	ask.prints = true
	cs := []contest{{command: ask}}
	if b.peers.path("zoekt") != "" && b.peers.path("zoekt-index") != "" {
		if dirSize(b.dir("zoekt")) == 0 {
			if _, err := b.fresh("zoekt"); err != nil {
				return nil, err
			}
			if _, err := b.peerCommand("zoekt-index", "-index", b.dir("zoekt"), ".").measure(b.ctx); err != nil {
				return nil, err
			}
		}
		peer := b.peerCommand("zoekt", "-index_dir", b.dir("zoekt"), b.o.zoekt)
		peer.prints = true
		cs = append(cs, contest{command: peer})
	}
	fs, err := b.race(2*b.o.runs, cs...)
	if err != nil {
		return nil, err
	}
	base := row{Work: work, State: "warm", Topo: fs[0]}
	memory := base
	memory.Work += ": private memory"
	memory = memory.judge(float64(fs[0].Private)/1e6, "MB", 40)
	if len(cs) == 1 {
		return []row{base.judge(fs[0].Seconds, "s", 0), memory}, nil
	}
	base.Peer, base.Against = "zoekt", fs[1]
	return []row{base.judge(ratio(fs[0], fs[1]), "x", 0.5), memory}, nil
}

func (b *bench) quick(work string) ([]row, error) {
	ask := b.topoCommand(b.tree, b.dir("quick"), "quick", b.o.query, "--top", "20", "--format", "jsonl")
	ask.prints = true
	fs, err := b.race(b.o.runs, b.cleared("quick", ask))
	if err != nil {
		return nil, err
	}
	return []row{row{Work: work, State: "cold", Topo: fs[0]}.judge(fs[0].Seconds, "s", 1.5)}, nil
}

// pack compares the way to a context for a model: quick and render here, all
// files packed into one by repomix.
func (b *bench) pack(work string) ([]row, error) {
	if !b.o.repomix || b.peers.path("repomix") == "" {
		return nil, nil
	}
	script := `"$0" quick "$1" --max-tokens 8000 | "$0" render --max-tokens 8000`
	topo := b.topoCommand(b.tree, b.dir("pack"), "quick")
	topo.name, topo.args, topo.prints = "topo quick | topo render", []string{"sh", "-c", script, b.topo, b.o.query}, true
	fs, err := b.race(1, b.cleared("pack", topo),
		contest{command: b.peerCommand("repomix", "--quiet", "-o", b.dir("packed.xml"), ".")})
	if err != nil {
		return nil, err
	}
	r := row{Work: work, State: "cold", Topo: fs[0], Peer: "repomix", Against: fs[1]}
	r.Notes = []string{"one run; quick | render to 8000 tokens, beside a pack of every file; private memory is that of the shell"}
	return []row{r.judge(ratio(fs[0], fs[1]), "x", 0)}, nil
}
