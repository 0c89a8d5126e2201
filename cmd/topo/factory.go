package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/settings"
)

// factory is what every command is built from: the process's streams and
// environment, and the global flags. Tests make their own.
type factory struct {
	in       io.Reader
	out, err io.Writer
	// inStream is true when standard input may hold a stream: it is a pipe, a
	// socket or a file, not a terminal or /dev/null.
	inStream       bool
	inPipe         bool // standard input is a pipe, as the one between two stages is
	outTTY, errTTY bool
	lookupEnv      func(string) (string, bool)

	verbose, quiet      bool
	json, jsonl         bool
	null                bool
	noColor             bool
	colorMode           string // of --color, or what settle decided
	format              string
	root                string
	cacheDir, indexFile string

	cmd         *cobra.Command              // the command that runs
	started     bool                        // the command line was understood
	showSecrets bool                        // print credentials as they are
	rootGiven   bool                        // a flag or the environment names the root
	below       string                      // where in the project the current folder is, when no root was given
	settings    []settings.Value            // what settle decided
	environ     func(string) (string, bool) // lookupEnv before the user's configuration added to it; nil until then
}

// systemFactory is the factory of this process.
func systemFactory() *factory {
	return &factory{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		inStream:  mode(os.Stdin)&os.ModeCharDevice == 0 && mode(os.Stdin) != 0,
		inPipe:    mode(os.Stdin)&os.ModeNamedPipe != 0,
		outTTY:    isatty.IsTerminal(os.Stdout.Fd()),
		errTTY:    isatty.IsTerminal(os.Stderr.Fd()),
		lookupEnv: os.LookupEnv,
	}
}

// mode is f's file mode with a bit that tells a regular file from no file.
func mode(f *os.File) os.FileMode {
	info, err := f.Stat()
	if err != nil {
		return 0 // closed
	}
	return info.Mode() | 1
}

// notef tells the user something on standard error, unless --quiet.
func (f *factory) notef(format string, args ...any) {
	if !f.quiet {
		fmt.Fprintf(f.err, "topo: %s\n", answer.Visible(fmt.Sprintf(format, args...)))
	}
}

// verbosef is notef for what only --verbose shows.
func (f *factory) verbosef(format string, args ...any) {
	if f.verbose {
		f.notef(format, args...)
	}
}

// outputFormat is --format with auto resolved: human for a terminal, else jsonl.
func (f *factory) outputFormat() string {
	switch {
	case f.format != "auto" && f.format != "":
		return f.format
	case f.outTTY:
		return "human"
	}
	return "jsonl"
}

// stdin returns standard input, whose Read returns when ctx ends.
func (f *factory) stdin(ctx context.Context) io.Reader {
	return &interruptible{ctx: ctx, r: f.in, done: make(chan readResult, 1)}
}

type readResult struct {
	n   int
	err error
}

// interruptible lets Ctrl-C end a read of a pipe that nobody writes to.
type interruptible struct {
	ctx  context.Context
	r    io.Reader
	buf  []byte
	done chan readResult
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	if len(i.buf) < len(p) {
		i.buf = make([]byte, len(p))
	}
	buf := i.buf[:len(p)]
	go func() {
		n, err := i.r.Read(buf)
		i.done <- readResult{n, err}
	}()
	select {
	case res := <-i.done:
		copy(p, buf[:res.n])
		return res.n, res.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

// addSecretsFlag adds the flag of the commands that print contents.
func (f *factory) addSecretsFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&f.showSecrets, "show-secrets", false, "show keys, tokens and passwords as they are instead of masking them")
}
