package main

import (
	"context"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestShortFormats checks that every command has --json and --jsonl, and refuses
// them together with another format.
func TestShortFormats(t *testing.T) {
	f, _, _ := fake(nil)
	for _, cmd := range documented(newRoot(f)) {
		if cmd.Name() == "completion" || cmd.Name() == "help" {
			continue
		}
		for _, tt := range []struct{ flags, format, refused string }{
			{"--json", "json", ""},
			{"--jsonl", "jsonl", ""},
			{"--json --format json", "json", ""},
			{"--json --format human", "", "--json and --format human contradict each other"},
			{"--json --jsonl", "", "--json and --jsonl contradict each other"},
		} {
			if cmd.Name() == "render" {
				tt.flags, tt.refused = strings.ReplaceAll(tt.flags, "human", "xml"), strings.ReplaceAll(tt.refused, "human", "xml")
			}
			got, err := formatOf(t, strings.Fields(strings.TrimPrefix(cmd.CommandPath(), "topo ")), strings.Fields(tt.flags))
			if tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused)) || tt.refused == "" && (err != nil || got != tt.format) {
				t.Errorf("%s %s: %q, %v", cmd.CommandPath(), tt.flags, got, err)
			}
		}
	}
}

// formatOf is the format that a command line comes to, without running the command.
func formatOf(t *testing.T, command, flags []string) (string, error) {
	t.Helper()
	f, _, _ := fake(nil)
	root := newRoot(f)
	cmd, _, err := root.Find(command)
	if err != nil {
		t.Fatal(err)
	}
	format := ""
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		format = cmd.Flags().Lookup("format").Value.String()
		return nil
	}
	root.SetArgs(append(command, flags...))
	return format, root.Execute()
}

func TestVersionFlag(t *testing.T) {
	for _, args := range [][]string{{"--version"}, {"--version", "--json"}} {
		f, out, _ := fake(nil)
		if code := run(context.Background(), f, args); code != exitOK {
			t.Errorf("%v: exit code %d", args, code)
		}
		g, want, _ := fake(nil)
		run(context.Background(), g, append([]string{"version"}, args[1:]...))
		if out.String() != want.String() || want.Len() == 0 {
			t.Errorf("%v: %q, want %q", args, out, want)
		}
	}
}

func TestColor(t *testing.T) {
	for _, tt := range []struct {
		args  string
		env   map[string]string
		tty   bool
		color bool
	}{
		{"", nil, true, true},
		{"", nil, false, false},
		{"", map[string]string{"NO_COLOR": "1"}, true, false},
		{"", map[string]string{"TERM": "dumb"}, true, false},
		{"", map[string]string{"FORCE_COLOR": "1"}, false, true},
		{"", map[string]string{"CLICOLOR_FORCE": "1"}, false, true},
		{"", map[string]string{"CLICOLOR_FORCE": "0"}, false, false},
		{"", map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, true, false},
		{"--color always", map[string]string{"NO_COLOR": "1"}, false, true},
		{"--color never", map[string]string{"FORCE_COLOR": "1"}, true, false},
		{"--color auto", map[string]string{"NO_COLOR": "1"}, true, true},
		{"--no-color", map[string]string{"FORCE_COLOR": "1"}, true, false},
	} {
		f, _, _ := fake(tt.env)
		f.outTTY = tt.tty
		root := newRoot(f)
		root.SetArgs(append([]string{"version"}, strings.Fields(tt.args)...))
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		if got := f.color(); got != tt.color {
			t.Errorf("%q with %v, terminal %v: %v", tt.args, tt.env, tt.tty, got)
		}
	}
	for _, args := range []string{"--color sometimes", "--color always --no-color"} {
		f, _, _ := fake(nil)
		if code := run(context.Background(), f, append([]string{"version"}, strings.Fields(args)...)); code != exitUsage {
			t.Errorf("%s: exit code %d", args, code)
		}
	}
}
