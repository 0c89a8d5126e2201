package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topo-dev/topo/settings"
)

// formatPaths prints the paths alone. It is a format of the commands that have the
// flag --null: those that write files.
const formatPaths = "paths"

// maxPaths bounds a list of paths, in bytes.
const maxPaths = 64 << 20

// addNullFlag adds --null and makes a command one that knows --format paths.
func addNullFlag(flags *pflag.FlagSet, f *factory) {
	flags.BoolVarP(&f.null, "null", "0", false, "print paths alone, each ended by NUL, for xargs -0 (--format paths ends them with a line break)")
}

// printsPaths reports whether the running command knows --format paths.
func (f *factory) printsPaths() bool { return f.cmd != nil && f.cmd.Flags().Lookup("null") != nil }

// nullFormat makes --null print paths, unless it is there for a list that is read.
func (f *factory) nullFormat() error {
	if !f.null || f.readsPaths() {
		return nil
	}
	flags := f.cmd.Flags()
	format := flags.Lookup("format")
	if format.Changed && format.Value.String() != formatPaths {
		return usagef("--null prints paths; it contradicts --format %s", format.Value)
	}
	return flags.Set("format", formatPaths)
}

// readsPaths reports whether the running command is told to read a list of paths.
func (f *factory) readsPaths() bool {
	from := f.cmd.Flags().Lookup("files-from")
	return from != nil && from.Changed
}

// flagFormat is the value of the global --format that a command line gives, as the
// settings know it.
func (f *factory) flagFormat() (value string, given bool) {
	fl := f.cmd.Flags().Lookup("format")
	if !fl.Changed || fl.Value.String() == formatPaths && f.printsPaths() {
		return "", false
	}
	return fl.Value.String(), true
}

// streamFormats are the values of --format of a command that writes files.
func streamFormats() []string { return append(settings.Formats(), formatPaths) }

// pathList reads the list of paths in a file, - for standard input: one a line, or
// with --null each ended by NUL. What --format paths quotes is unquoted.
func (f *factory) pathList(ctx context.Context, name string) (paths []string, err error) {
	r := f.stdin(ctx)
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, usagef("--files-from %s: %w; give a file with paths, or - for standard input", name, rootCause(err))
		}
		defer file.Close()
		r = file
	}
	text, err := io.ReadAll(io.LimitReader(r, maxPaths+1))
	if err != nil {
		return nil, envf("--files-from %s: %w", name, rootCause(err))
	}
	if len(text) > maxPaths {
		return nil, usagef("--files-from %s: larger than %d bytes", name, maxPaths)
	}
	end := "\n"
	if f.null {
		end = "\x00"
	}
	for part := range bytes.SplitSeq(text, []byte(end)) {
		p := string(part)
		if !f.null {
			p = strings.TrimSuffix(p, "\r")
			if plain, err := strconv.Unquote(p); err == nil && p[0] == '"' {
				p = plain
			}
		}
		if p != "" {
			paths = append(paths, p)
		}
	}
	return paths, nil
}
