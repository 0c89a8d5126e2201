package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topo-dev/topo/score"
)

// stage runs one command line in this process and returns what it printed.
func stage(t *testing.T, stdin []byte, args ...string) []byte {
	t.Helper()
	f, out, errOut := fake(nil)
	f.in, f.inStream = bytes.NewReader(stdin), stdin != nil
	if code := run(context.Background(), f, args); code != exitOK {
		t.Fatalf("topo %s: exit code %d: %s", strings.Join(args, " "), code, errOut)
	}
	return out.Bytes()
}

// TestQuickIsThePipeline compares quick with the four stages, byte for byte,
// with every preset and scoring mode, on the sources of a package.
func TestQuickIsThePipeline(t *testing.T) {
	cache := t.TempDir()
	const root, task = "../../score", "select files within a budget"
	for _, preset := range presetNames() {
		for _, scoring := range append(scoringNames(), "") {
			for _, budget := range [][]string{nil, {"--max-tokens", "3000"}, {"--top", "3", "--max-bytes", "9000"}} {
				global := []string{"--root", root, "--cache-dir", cache, "--quiet"}
				ask := []string{task, "--preset", preset}
				if scoring != "" {
					ask = append(ask, "--scoring", scoring)
				}
				if _, err := score.NewPlan(preset, scoring); err != nil {
					continue // a contradiction
				}
				all := append(append(append([]string{"quick"}, ask...), budget...), global...)
				want := stage(t, nil, all...)
				s := stage(t, nil, append([]string{"scan"}, global...)...)
				s = stage(t, s, append([]string{"index"}, global...)...)
				s = stage(t, s, append(append([]string{"score"}, ask...), global...)...)
				s = stage(t, s, append(append([]string{"select"}, budget...), global...)...)
				if !bytes.Equal(s, want) {
					t.Errorf("%s, %s, %v: the stages give\n%s\nquick gives\n%s", preset, scoring, budget, s, want)
				}
			}
		}
	}
}

// TestPresetsDiffer shows that each preset computes something of its own, on
// the sources of two packages that import each other's neighbours.
func TestPresetsDiffer(t *testing.T) {
	cache := t.TempDir()
	seen := map[string]string{}
	for _, preset := range presetNames() {
		out := string(stage(t, nil, "quick", "select files within a budget", "--preset", preset, "--top", "30",
			"--include", "/score/", "--include", "/index/", "--include", "/go.mod", "--include", "/*.go",
			"--root", "../..", "--cache-dir", cache, "--quiet"))
		_, files, _ := strings.Cut(out, "\n")
		if other, twice := seen[files]; twice {
			t.Errorf("%s and %s give the same records", preset, other)
		}
		seen[files] = preset
	}
}

// TestClosedPipe writes into a pipe that nobody reads.
func TestClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	cmd := exec.Command("topo", "scan", "--root", ".")
	var errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &errOut
	if err := cmd.Run(); err != nil || errOut.Len() > 0 {
		t.Errorf("a closed pipe is success, got %v: %s", err, &errOut)
	}
}

// TestInterrupt ends a stage that waits for its input.
func TestInterrupt(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.md")
	cmd := exec.Command("topo", "render", "-o", out)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: when the write returns, the command is reading.
	record := `{"Version":"0.3"}` + "\n" + strings.Repeat(`{"Event":"x"}`+"\n", 1<<15)
	if _, err := io.WriteString(stdin, record); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted || errOut.Len() > 0 {
		t.Errorf("interrupted: %v, %q; want exit code %d and silence", err, &errOut, exitInterrupted)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("an output was left behind")
	}
}
