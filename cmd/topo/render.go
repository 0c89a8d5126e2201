package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/internal/atomicfile"
	"github.com/topo-dev/topo/internal/zst"
	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/stream"
)

type renderOptions struct {
	selectOptions
	Input       string // file of the stream; empty or - is standard input
	Format      string
	LineNumbers bool
	Output      string
}

func newRender(f *factory, runF func(context.Context, *renderOptions) error) *cobra.Command {
	opts := &renderOptions{selectOptions: selectOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "render [file|-]",
		Short: "Print a selection as context for a model or a person",
		Long: `Print the files of a selection with their contents, from a stream in a file
(.jsonl, or compressed .jsonl.zst) or on standard input.

The contents are those that were indexed or scanned: a file that has changed
since is marked. With a budget the selection is made again to fit it, as topo
select does: of a file that does not fit, its most relevant definitions are
printed and the others by their signatures. The output never costs more than
the budget.

Without a budget that of the selection holds. Where there is none either, at
most 100,000 bytes are printed. --max-bytes 0 prints everything.

Formats:
` + formatHelp(),
		Example: `  topo quick "session expiry" | topo render --max-tokens 8000
  topo render selection.jsonl.zst --format xml -o context.xml
  topo quick "session expiry" | topo render --format paths`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				opts.Input = args[0]
			}
			if err := opts.check(); err != nil {
				return err
			}
			if _, err := render.Lookup(opts.Format); err != nil {
				return usagef("--format: %w", err)
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runRender(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.Format, "format", render.DefaultFormat, "output: "+strings.Join(renderFormats(), ", "))
	addBudgetFlags(flags, &opts.selectOptions)
	f.addSecretsFlag(flags)
	addNullFlag(flags, f)
	flags.BoolVar(&opts.LineNumbers, "line-numbers", false, "print line numbers before each line")
	flags.StringVarP(&opts.Output, "output", "o", "", "write to this file, compressed when it ends in .zst")
	return cmd
}

func renderFormats() (names []string) {
	for _, f := range render.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func formatHelp() string {
	var b strings.Builder
	for _, f := range render.Formats() {
		b.WriteString("  " + f.Name + strings.Repeat(" ", 10-len(f.Name)) + f.Doc + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// maxStreamFile bounds a compressed stream once it is decompressed, in bytes.
const maxStreamFile = 1 << 30

func runRender(ctx context.Context, o *renderOptions) error {
	s, err := o.readInput(ctx)
	if err != nil {
		return err
	}
	r, err := o.f.open(ctx, s, "")
	if err != nil {
		return err
	}
	defer r.Close()
	// The budget may be that of the repository's configuration.
	if err := o.check(); err != nil {
		return err
	}
	b, defaulted := o.outputBudget(s.Header.Budget)
	ro := topo.RenderOptions{Format: o.Format, Budget: b, LineNumbers: o.LineNumbers, ShowSecrets: o.f.showSecrets, Color: o.f.color() && o.Output == "", Null: o.f.null}
	if defaulted {
		ro.OnCut = func() {
			o.f.notef("no budget was given: printing at most 100,000 bytes; set one with --max-tokens or --max-bytes, or print everything with --max-bytes 0")
		}
	}
	if o.Output == "" {
		w := bufio.NewWriterSize(o.f.out, 1<<16)
		if err := r.Render(ctx, w, s, ro); err != nil {
			return err
		}
		return w.Flush()
	}
	var out bytes.Buffer
	if err := r.Render(ctx, &out, s, ro); err != nil {
		return err
	}
	err = atomicfile.Write(o.Output, func(w io.Writer) error { _, err := w.Write(out.Bytes()); return err })
	if err != nil {
		return envf("output %s: %w; nothing was written", o.Output, rootCause(err))
	}
	return nil
}

// defaultMaxBytes is the budget of an output for which none is given.
const defaultMaxBytes = 100_000

// outputBudget is what the output may cost: as the user says, else as the selection
// was made, else the default.
func (o *renderOptions) outputBudget(selected topo.Budget) (b topo.Budget, defaulted bool) {
	b = o.budget()
	switch {
	case b.Limited() || o.f.cmd != nil && o.f.cmd.Flags().Changed("max-bytes"):
		return b, false
	case selected.Limited():
		return selected, false
	}
	b.MaxBytes = defaultMaxBytes
	return b, true
}

// readInput reads the selection.
func (o *renderOptions) readInput(ctx context.Context) (*stream.Stream, error) {
	if o.Input == "" || o.Input == "-" {
		if !o.f.inStream {
			return nil, usagef(`stream: nothing on standard input; name a file or pipe one in, as in: topo quick "…" | topo render`)
		}
		return readPlain(ctx, o.f.stdin(ctx), stdinName)
	}
	file, err := os.Open(o.Input)
	if err != nil {
		return nil, usagef("stream %s: %w; name a file that topo wrote", o.Input, rootCause(err))
	}
	defer file.Close()
	return readPlain(ctx, file, o.Input)
}

const stdinName = "standard input"

// readPlain reads a stream that may be compressed.
func readPlain(ctx context.Context, r io.Reader, name string) (*stream.Stream, error) {
	plain, err := zst.NewReader(r, maxStreamFile)
	if err != nil {
		return nil, usagef("%s: %w", name, err)
	}
	defer plain.Close()
	s, err := stream.Read(ctx, plain)
	switch {
	case errors.Is(err, stream.ErrEmpty) && name == stdinName:
		return nil, errNothing
	case errors.Is(err, stream.ErrEmpty):
		return nil, usagef(`stream: %s is empty; give a stream, as in: topo quick "…" | topo render`, name)
	case err != nil && ctx.Err() == nil:
		return nil, usagef("%s: %w", name, err)
	}
	return s, err
}
