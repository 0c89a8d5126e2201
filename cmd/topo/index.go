package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/stream"
)

type indexOptions struct {
	scanOptions
	Deep, Force, Check bool
	Embed              bool
}

func newIndex(f *factory, runF func(context.Context, *indexOptions) error) *cobra.Command {
	opts := &indexOptions{scanOptions: scanOptions{f: f}}
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Build the index of a tree, or bring it up to date",
		Long: `Build the index of a tree, or bring it up to date. Only what changed is read
again.

The tree is the stream on standard input, as scan writes it, or else it is
scanned now. The stream is passed on when it was piped in or when standard
output is not a terminal.

Without --deep only the list of files is written; a deep index that is there
already is brought up to date as well. --deep adds definitions, terms, imports,
history and contents. The index lies in .topo-cache in the root, or in
--cache-dir.`,
		Example: `  topo index --deep
  topo scan | topo index | topo score "session expiry"
  topo index --check`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.Check && (opts.Deep || opts.Force) {
				return usagef("--check and --deep or --force contradict each other; --check only reads")
			}
			if f.indexFile != "" && !opts.Deep {
				return usagef("--index %s: only a deep index is a file of its own; give --deep too, or drop --index", f.indexFile)
			}
			if opts.Embed && !opts.Deep {
				return usagef("--embed: reads the deep index; give --deep too")
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			if opts.Check {
				return runCheck(cmd.Context(), opts)
			}
			return runIndex(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&opts.Deep, "deep", false, "index definitions, terms, imports, history and contents too")
	flags.BoolVar(&opts.Force, "force", false, "build from scratch")
	flags.BoolVar(&opts.Embed, "embed", false, "with --deep: also get vectors of the files from the configured service of embeddings")
	flags.BoolVar(&opts.Check, "check", false, "only verify the index that is there; exit 1 when it is damaged")
	addScanFlags(flags, &opts.scanOptions)
	addNullFlag(flags, f)
	return cmd
}

func runIndex(ctx context.Context, o *indexOptions) error {
	f := o.f
	start := time.Now()
	s, err := f.input(ctx)
	empty := errors.Is(err, errNothing)
	if empty && o.Deep {
		s, err = nil, nil // jobs of CI have an empty pipe, and build their index so
	}
	if err != nil {
		return err
	}
	piped := s != nil
	r, s, err := o.tree(ctx, s)
	if err != nil {
		return err
	}
	defer r.Close()
	done, err := r.Index(ctx, s, topo.IndexOptions{Deep: o.Deep, Force: o.Force, Embed: o.Embed})
	if err != nil {
		return err
	}
	if empty {
		f.notef("standard input was empty; the tree was scanned")
	}
	if piped || !f.outTTY {
		return f.emit(ctx, s)
	}
	f.notef("%s in %s", indexed(done), time.Since(start).Round(time.Millisecond))
	return nil
}

// tree is the repository with the stream s, or with a new scan when s is nil.
func (o *indexOptions) tree(ctx context.Context, s *stream.Stream) (*topo.Repo, *stream.Stream, error) {
	if s != nil {
		if flag := o.givenScanFlag(); flag != "" {
			return nil, nil, usagef("--%s: a stream is on standard input, whose scan has been done; give the flag to topo scan", flag)
		}
		r, err := o.f.open(ctx, s, "")
		return r, s, err
	}
	r, err := o.f.open(ctx, nil, o.Rev)
	if err != nil {
		return nil, nil, err
	}
	if s, err = o.scan(ctx, r); err != nil {
		r.Close()
		return nil, nil, err
	}
	return r, s, nil
}

// indexed says in a line what was done.
func indexed(done topo.IndexReport) string {
	d := done.Deep
	switch files := english.Count(done.Files, "file"); {
	case d == nil:
		return fmt.Sprintf("listed %s in %s", files, done.Path)
	case d.Unchanged:
		return fmt.Sprintf("%s unchanged in %s (%s)", files, done.Path, english.Bytes(d.Bytes))
	default:
		return fmt.Sprintf("indexed %s in %s (%s; %d parsed, %d reused, %d removed)", files, done.Path,
			english.Bytes(d.Bytes), d.Parsed, d.Reused, d.Removed)
	}
}

// runCheck verifies every byte of the indexes that are there.
func runCheck(ctx context.Context, o *indexOptions) error {
	r, err := o.f.open(ctx, nil, o.Rev)
	if err != nil {
		return err
	}
	defer r.Close()
	fine, err := r.Check()
	if errors.Is(err, topo.ErrDamaged) {
		return checkError{err}
	} else if err != nil {
		return err
	}
	for _, x := range fine {
		terms := ""
		if x.Terms > 0 {
			terms = fmt.Sprintf(", %d terms", x.Terms)
		}
		o.f.notef("%s: %s%s, fine", x.Path, english.Count(x.Files, "file"), terms)
	}
	return nil
}
