package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/index/fresh"
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
			if opts.Embed && !opts.Deep {
				return usagef("--embed: reads the deep index; give --deep too")
			}
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			if opts.Check {
				return runCheck(cmd.Context(), opts)
			}
			return f.cutShort(presetScan, runIndex(cmd.Context(), opts))
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&opts.Deep, "deep", false, "index definitions, terms, imports, history and contents too")
	flags.BoolVar(&opts.Force, "force", false, "build from scratch")
	flags.BoolVar(&opts.Embed, "embed", false, "with --deep: also get vectors of the files from the configured service of embeddings")
	flags.BoolVar(&opts.Check, "check", false, "only verify the index that is there; exit 1 when it is damaged")
	addScanFlags(flags, &opts.scanOptions)
	return cmd
}

func runIndex(ctx context.Context, o *indexOptions) error {
	f := o.f
	start := time.Now()
	s, err := f.input(ctx)
	if err != nil {
		return err
	}
	piped := s != nil
	t, s, err := o.tree(ctx, s)
	if err != nil {
		return err
	}
	defer t.Close()
	done, err := indexStage(ctx, t, s, o.Deep, o.Force)
	if err != nil {
		return err
	}
	if o.Embed {
		if err := t.embedFiles(ctx, s.files()); err != nil {
			return err
		}
	}
	if piped || !f.outTTY {
		return f.emit(ctx, s)
	}
	f.notef("%s in %s", done, time.Since(start).Round(time.Millisecond))
	return nil
}

// tree is the tree of the stream s, or a new scan when s is nil.
func (o *indexOptions) tree(ctx context.Context, s *wholeStream) (*tree, *wholeStream, error) {
	if s == nil {
		root, err := o.f.settle("")
		if err != nil {
			return nil, nil, err
		}
		return scanStage(ctx, &o.scanOptions, root)
	}
	for _, flag := range []string{"rev", "include", "exclude", "max-file-size"} {
		if fl := o.f.cmd.Flags().Lookup(flag); fl != nil && fl.Changed {
			return nil, nil, usagef("--%s: a stream is on standard input, whose scan has been done; give the flag to topo scan", flag)
		}
	}
	t, err := o.f.streamTree(ctx, s)
	return t, s, err
}

// streamTree is the tree that the stream is about.
func (f *factory) streamTree(ctx context.Context, s *wholeStream) (*tree, error) {
	root, err := f.settle(s.header.Root)
	if err != nil {
		return nil, err
	}
	return f.openTree(ctx, root, s.header.Rev)
}

// indexed tells what an index stage did.
type indexed struct {
	files int
	path  string
	deep  *index.Stats
}

func (i indexed) String() string {
	if i.deep == nil {
		return fmt.Sprintf("listed %s in %s", plural(i.files, "file"), i.path)
	}
	if i.deep.Unchanged {
		return fmt.Sprintf("%s unchanged in %s (%s)", plural(i.files, "file"), i.path, humanBytes(i.deep.Bytes))
	}
	return fmt.Sprintf("indexed %s in %s (%s; %d parsed, %d reused, %d removed)", plural(i.files, "file"), i.path,
		humanBytes(i.deep.Bytes), i.deep.Parsed, i.deep.Reused, i.deep.Removed)
}

// indexStage writes the list of files, and the deep index when deep is set or
// when there is one already, and names the repository in the header.
func indexStage(ctx context.Context, t *tree, s *wholeStream, deep, force bool) (indexed, error) {
	if err := t.prepareCache(); err != nil {
		return indexed{}, err
	}
	files := s.files()
	t.allow(files)
	done := indexed{files: len(files), path: t.shallowPath()}
	s.header.Fingerprint = t.repo.Fingerprint
	err := fresh.Locked(ctx, func(ctx context.Context, _ func()) error {
		return t.writeShallow(ctx, s, files)
	})
	if err != nil {
		return done, indexError(err)
	}
	if !deep {
		if _, err := os.Stat(t.deepPath()); err != nil || t.partial(files) {
			return done, nil
		}
	}
	stats, err := t.updateDeep(ctx, files, force)
	if err != nil {
		return done, err
	}
	done.deep, done.path = &stats, t.deepPath()
	return done, nil
}

// runCheck verifies every byte of the indexes that are there.
func runCheck(ctx context.Context, o *indexOptions) error {
	root, err := o.f.settle("")
	if err != nil {
		return err
	}
	t, err := o.f.openTree(ctx, root, o.Rev)
	if err != nil {
		return err
	}
	defer t.Close()
	_, files, _, err := index.ReadShallow(t.shallowPath())
	if os.IsNotExist(rootCauseChain(err)) {
		return usagef("index: none in %s; build it with: topo index", t.cache)
	} else if err != nil {
		return uncheckable(err)
	}
	fine := fmt.Sprintf("%s: %s, fine", t.shallowPath(), plural(len(files), "file"))
	x, err := index.Open(t.deepPath())
	if os.IsNotExist(rootCauseChain(err)) {
		o.f.notef("%s", fine)
		return nil
	} else if err != nil {
		return uncheckable(err)
	}
	defer x.Close()
	if err := x.Check(); err != nil {
		return checkError{err}
	}
	o.f.notef("%s", fine)
	o.f.notef("%s: %s, %d terms, fine", t.deepPath(), plural(x.NumFiles(), "file"), x.NumTerms())
	return nil
}

// uncheckable is the failure to open an index that is to be checked: the check
// has failed when it is damaged, and was not made when it cannot be read.
func uncheckable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return envf("%w; make it readable, or choose another cache folder with --cache-dir or TOPO_CACHE_DIR", err)
	}
	return checkError{err}
}
