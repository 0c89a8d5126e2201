package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/topo-dev/topo/settings"
	"github.com/topo-dev/topo/stream"
)

// fake is a factory without a terminal, with the given environment.
func fake(env map[string]string) (f *factory, out, errOut *bytes.Buffer) {
	out, errOut = &bytes.Buffer{}, &bytes.Buffer{}
	return &factory{in: strings.NewReader(""), out: out, err: errOut, lookupEnv: func(k string) (string, bool) {
		v, ok := env[k]
		return v, ok
	}}, out, errOut
}

func TestExitCode(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	base := errors.New("x")
	for _, tt := range []struct {
		ctx  context.Context
		err  error
		want int
	}{
		{nil, nil, exitOK},
		{nil, fmt.Errorf("write: %w", syscall.EPIPE), exitOK},
		{nil, base, exitEnvironment},
		{nil, fmt.Errorf("a: %w", usageError{base}), exitUsage},
		{nil, fmt.Errorf("a: %w", checkError{base}), exitFailed},
		{nil, fmt.Errorf("a: %w", envError{base}), exitEnvironment},
		{nil, fmt.Errorf("a: %w", remoteError{base}), exitRemote},
		{nil, fmt.Errorf("a: %w", &stream.StreamError{Line: 1, Msg: "x"}), exitUsage},
		{nil, &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, exitEnvironment},
		{nil, fmt.Errorf("a: %w", context.Canceled), exitInterrupted},
		{ended, envError{base}, exitInterrupted},
	} {
		if tt.ctx == nil {
			tt.ctx = context.Background()
		}
		if got := exitCode(tt.ctx, tt.err); got != tt.want {
			t.Errorf("exitCode(%v) = %d, want %d", tt.err, got, tt.want)
		}
	}
}

func TestMessage(t *testing.T) {
	got := message(errors.New("file \x1b[31mred\x07\nnext\u0085end"))
	if want := "topo: file \\x1b[31mred\\x07 next\\x85end\n"; got != want {
		t.Errorf("message = %q, want %q", got, want)
	}
}

func TestSizeValue(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want int64
		text string
	}{
		{"0", 0, "0"}, {"4096", 4096, "4KiB"}, {"64k", 64 << 10, "64KiB"}, {"1MiB", 1 << 20, "1MiB"},
		{" 2 GB ", 2 << 30, "2GiB"}, {"1025", 1025, "1025"}, {"-1", -1, ""}, {"x", -1, ""}, {"1kk", -1, ""},
		{"99999999999g", -1, ""}, {"", -1, ""}, {"k", -1, ""},
	} {
		var s sizeValue
		err := s.Set(tt.in)
		if (err != nil) != (tt.want < 0) {
			t.Errorf("Set(%q): %v", tt.in, err)
		} else if err == nil && (int64(s) != tt.want || s.String() != tt.text) {
			t.Errorf("Set(%q) = %d %q, want %d %q", tt.in, s, s.String(), tt.want, tt.text)
		}
	}
}

// TestFlags reads command lines without running them.
func TestFlags(t *testing.T) {
	f, _, _ := fake(nil)
	var got *queryOptions
	cmd := newQuick(f, func(_ context.Context, o *queryOptions) error { got = o; return nil })
	f.cmd = cmd
	cmd.SetArgs(strings.Fields("--preset deep --max-tokens 9 --top 2 --include *.go --rev v1 evict the pods"))
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	if got.Task != "evict the pods" || got.Preset != "deep" || got.sel.MaxTokens != 9 || got.sel.Top != 2 ||
		len(got.scan.Include) != 1 || got.scan.Rev != "v1" {
		t.Errorf("options = %+v", got)
	}
}

// TestPrecedence gives one setting by every means.
func TestPrecedence(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, settings.ProjectName), "preset: fast\nexclude:\n  - a\n  - b\n")
	for _, tt := range []struct {
		args   string
		env    string
		preset string
		origin string
	}{
		{"", "", "fast", settings.ProjectName + " line 1"},
		{"", "deep", "deep", "TOPO_PRESET"},
		{"--preset thorough", "deep", "thorough", "flag --preset"},
	} {
		f, _, _ := fake(map[string]string{"TOPO_PRESET": tt.env})
		var o *queryOptions
		cmd := newQuick(f, func(_ context.Context, opts *queryOptions) error { o = opts; return nil })
		cmd.Flags().StringVar(&f.root, "root", "", "")
		f.cmd = cmd
		cmd.SetArgs(append(strings.Fields(tt.args), "--root", root, "task"))
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		if _, err := f.settle(""); err != nil {
			t.Fatal(err)
		}
		if o.Preset != tt.preset || strings.Join(o.scan.Exclude, ",") != "a,b" {
			t.Errorf("%q with %q: preset %q, exclude %q", tt.args, tt.env, o.Preset, o.scan.Exclude)
		}
		for _, e := range f.settings {
			if e.Name == "preset" && e.Origin.String() != tt.origin {
				t.Errorf("%q with %q: origin %q, want %q", tt.args, tt.env, e.Origin, tt.origin)
			}
		}
	}
}

// TestEveryCommand checks what a command must have: help, examples, and that
// each example names it.
func TestEveryCommand(t *testing.T) {
	f, _, _ := fake(nil)
	for _, c := range newRoot(f).Commands() {
		if c.Short == "" || c.Example == "" || !strings.Contains(c.Example, "topo "+c.Name()) {
			t.Errorf("%s: needs a Short and Examples that show it", c.Name())
		}
		if strings.HasSuffix(c.Short, ".") || len(c.Short) > 80 {
			t.Errorf("%s: Short must be one line without a full stop", c.Name())
		}
	}
}

// TestReference fails when a document that is generated is stale.
func TestReference(t *testing.T) {
	f, _, _ := fake(nil)
	f.cmd = newRoot(f)
	const dir = "../../docs/reference"
	docs := referenceDocs(f)
	for name, want := range docs {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is stale; run: make generate", name)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if docs[e.Name()] == nil {
			t.Errorf("%s/%s is not generated any more; remove it", dir, e.Name())
		}
	}
}

// TestSchemas fails when a JSON Schema is stale.
func TestSchemas(t *testing.T) {
	files, err := schemaFiles()
	if err != nil || len(files) != 3 {
		t.Fatal(len(files), err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../../docs/schemas", name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is stale; run: make generate", name)
		}
	}
}

func TestManPages(t *testing.T) {
	f, _, _ := fake(nil)
	for name, page := range manPages(newRoot(f)) {
		if !bytes.HasPrefix(page, []byte(".TH ")) || !bytes.Contains(page, []byte("\n.SH NAME\n")) || bytes.Contains(page, []byte("\n.. ")) {
			t.Errorf("%s is not a manual page", name)
		}
	}
	if got := roff(".x\n-a \\"); got != "\\&.x\n\\-a \\e" {
		t.Errorf("roff = %q", got)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
