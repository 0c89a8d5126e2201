package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestScanFlags checks that every command that scans has every flag of a scan, with
// the same help and default. Those that follow the working tree have no --rev.
func TestScanFlags(t *testing.T) {
	scan, scope := pflag.NewFlagSet("", 0), pflag.NewFlagSet("", 0)
	addScanFlags(scan, &scanOptions{})
	addScopeFlags(scope, &scanOptions{})
	f, _, _ := fake(nil)
	root := newRoot(f)
	scans := map[string]*pflag.FlagSet{"scan": scan, "index": scan, "quick": scan, "explain": scan, "retrieve": scan, "detect": scan,
		"mcp": scope, "agent": scope, "agent resume": scope, "agent fork": scope}
	for name, flags := range scans {
		cmd, _, err := root.Find(strings.Fields(name))
		if err != nil || cmd.CommandPath() != "topo "+name {
			t.Fatalf("%s: %v", name, err)
		}
		flags.VisitAll(func(want *pflag.Flag) {
			got := cmd.Flags().Lookup(want.Name)
			if got == nil || got.Usage != want.Usage || got.DefValue != want.DefValue || got.Shorthand != want.Shorthand {
				t.Errorf("topo %s: --%s is %+v, want %+v", name, want.Name, got, want)
			}
		})
	}
	// A command that has one of them has them all.
	for _, cmd := range documented(root) {
		name := strings.TrimPrefix(cmd.CommandPath(), "topo ")
		if cmd.Flags().Lookup("include") != nil && scans[name] == nil {
			t.Errorf("topo %s scans too; list it here", name)
		}
	}
}

// TestScanFlagsReach checks that commands heed what is left out of the scan.
func TestScanFlagsReach(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "seen.go"), "package a\n\nfunc Session() {}\n")
	write(t, filepath.Join(root, "hidden.go"), "package a\n\nfunc Session() {}\n")
	for _, args := range []string{"scan", "index --deep", "quick session", "explain session", "retrieve session"} {
		line := append(strings.Fields(args), "--root", root, "--exclude", "hidden.go")
		if out := string(stage(t, nil, line...)); strings.Contains(out, "hidden.go") || !strings.Contains(out, "seen.go") {
			t.Errorf("topo %s gives %s", args, out)
		}
	}
}
