package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/stream"
)

// strategy is what a retrieval looks for.
type strategy struct {
	name, doc string
	roles     []stream.Role // of the files
	kind      string        // of what is found in them
	files     int           // how many files the first phase chooses
}

// strategies lists them, the default first.
var strategies = []strategy{
	{"code", "functions, methods and types of source, configuration and build files; no tests", []stream.Role{stream.RoleImpl, stream.RoleConfig, stream.RoleBuild}, embed.TypeFunction, 50},
	{"document", "sections of documentation", []stream.Role{stream.RoleDocs}, embed.TypeSection, 30},
}

func strategyNames() (names []string) {
	for _, s := range strategies {
		names = append(names, s.name)
	}
	return names
}

type retrieveOptions struct {
	scoreOptions
	Strategy string
	Files    int // 0 is the strategy's
	Top      int
}

func newRetrieve(f *factory, runF func(context.Context, *retrieveOptions) error) *cobra.Command {
	o := &retrieveOptions{scoreOptions: scoreOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "retrieve <task>",
		Short: "Find the definitions of a task in two phases: files, then what is in them",
		Long: `Find what a task is about in two phases. The first ranks the files; the second
looks among the best of them, and no others, for functions, methods and types,
or with --strategy document for sections of documentation.

Where a service of embeddings is configured, both phases join the words of the
task with its likeness to each file and definition; vectors are kept, so that
only what is new is sent, and with QDRANT_HOST they are searched in Qdrant.
Without one the words decide. topo describe says what is sent where.

The output is a stream of the files, each with the definitions found in it, best
first; scores of definitions are comparable across files.`,
		Example: `  topo retrieve "evict pods under memory pressure" | topo render
  topo retrieve --strategy document --top 5 "why is eviction ordered by usage"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.taskArgs(cmd, args); err != nil {
				return err
			}
			if o.Top < 1 || o.Files < 0 {
				return usagef("--top %d --files %d: nothing to find; give at least 1", o.Top, o.Files)
			}
			if err := oneOf("strategy", strategyNames())(o.Strategy); err != nil {
				return usagef("--strategy: %w", err)
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return runRetrieve(cmd.Context(), o)
		},
	}
	fl := cmd.Flags()
	addScoreFlags(fl, &o.scoreOptions)
	o.Preset = presetThorough
	preset := fl.Lookup("preset")
	preset.DefValue = presetThorough
	fl.StringVar(&o.Strategy, "strategy", strategies[0].name, "what to look for: "+strings.Join(strategyNames(), ", "))
	fl.IntVar(&o.Files, "files", 0, "files that the first phase chooses (default: 50 for code, 30 for document)")
	fl.IntVar(&o.Top, "top", 10, "definitions to find")
	addRevFlag(fl, &o.Rev)
	return cmd
}

func runRetrieve(ctx context.Context, o *retrieveOptions) error {
	q, root, plan, err := o.asked(ctx)
	if err != nil {
		return err
	}
	if !plan.Reads() {
		return usagef("--preset %s: reads no content, and definitions are looked for; take preset %s", plan.Preset.Name, score.DefaultPreset)
	}
	t, s, err := scanStage(ctx, &scanOptions{f: o.f, Rev: o.Rev}, root)
	if err != nil {
		return err
	}
	defer t.Close()
	r, err := o.ready(ctx, t, s, plan, q)
	if err != nil {
		return err
	}
	defer r.Close()
	found, chosen, err := o.phases(ctx, r)
	if err != nil {
		return err
	}
	o.f.verbosef("%s chosen of %d, %s in them found", plural(len(chosen), "file"), len(r.files), plural(len(found), "definition"))
	switch {
	case len(r.files) > 0 && len(chosen) == 0:
		o.f.notef("%s", nothingFound)
	case len(chosen) > 0 && len(found) == 0:
		o.f.notef("nothing found: %s hold words of the task, but none in a definition of strategy %s", plural(len(chosen), "file"), o.Strategy)
	}
	if o.f.outputFormat() == "human" {
		return o.table(found)
	}
	s.replace(grouped(chosen, found))
	s.header.Query, s.header.Preset, s.header.Fingerprint = q.Text, plan.Preset.Name, t.repo.Fingerprint
	return o.f.emit(ctx, s)
}

// phases ranks the files, and then what is in the best of them.
func (o *retrieveOptions) phases(ctx context.Context, r *readied) (found []embed.Found, chosen []stream.File, err error) {
	st := strategies[slices.Index(strategyNames(), o.Strategy)]
	role := make(map[string]stream.Role, len(r.files))
	for i := range r.files {
		role[r.files[i].Path] = r.files[i].Role
	}
	opts, scope := r.Options, r.Options.Scope
	opts.Rerank = nil // it reads the definitions
	opts.Scope = func(path string) bool {
		return slices.Contains(st.roles, role[path]) && (scope == nil || scope(path))
	}
	ranked, err := score.Rank(ctx, r.corpus, r.files, opts)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range ranked[:min(len(ranked), cmp.Or(o.Files, st.files))] {
		if f.Score > 0 {
			chosen = append(chosen, f)
		}
	}
	second := embed.Retrieval{Corpus: r.corpus, Query: opts.Query, Files: chosen, Kind: st.kind, Top: o.Top, Rerank: r.Options.Rerank}
	if r.space != nil {
		second.Space = r.space.Space
	}
	found, err = second.Run(ctx)
	return found, chosen, err
}

// grouped are the chosen files in which something was found, with it.
func grouped(chosen []stream.File, found []embed.Found) []stream.File {
	chunks := map[string][]stream.Chunk{}
	for _, f := range found {
		chunks[f.Path] = append(chunks[f.Path], f.Chunk)
	}
	var out []stream.File
	for _, f := range chosen {
		if f.Chunks = chunks[f.Path]; len(f.Chunks) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// table prints the definitions for a person, best first.
func (o *retrieveOptions) table(found []embed.Found) error {
	w := tabwriter.NewWriter(o.f.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "SCORE\tKIND\tPLACE\tNAME") // names of sections are long
	for _, f := range found {
		fmt.Fprintf(w, "%.4f\t%s\t%s:%d-%d\t%s\n", f.Score, f.Kind, visible(f.Path), f.StartLine, f.EndLine, visible(f.Name))
	}
	return w.Flush()
}
