package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker: -X main.version=v1.2.3.
var version = ""

type versionOptions struct {
	f *factory
}

func newVersion(f *factory, runF func(context.Context, *versionOptions) error) *cobra.Command {
	opts := &versionOptions{f: f}
	return &cobra.Command{
		Use:     "version",
		Short:   "Show the version and how topo was built",
		Example: "  topo version\n  topo version --format json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runF != nil {
				return runF(cmd.Context(), opts)
			}
			return runVersion(opts)
		},
	}
}

// buildInfo says what this binary is made of.
type buildInfo struct {
	Version  string
	Revision string `json:",omitempty"` // commit it was built from
	Time     string `json:",omitempty"` // of that commit
	Modified bool   `json:",omitempty"` // the tree had changes beyond that commit
	Go       string
	Platform string
}

// RecordKind is the name of the object.
func (buildInfo) RecordKind() string { return "version" }

func readBuildInfo() buildInfo {
	b := buildInfo{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if b.Version == "" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	if b.Version == "" {
		b.Version = "devel"
	}
	return b
}

func runVersion(o *versionOptions) error {
	b := readBuildInfo()
	if f := o.f.format; f == "json" || f == "jsonl" {
		return (lines{o.f.out}).write(b)
	}
	_, err := io.WriteString(o.f.out, b.String())
	return err
}

// String is what topo version prints.
func (b buildInfo) String() string {
	s := fmt.Sprintf("topo %s %s %s", b.Version, b.Go, b.Platform)
	if b.Revision != "" {
		s += " " + b.Revision[:min(12, len(b.Revision))]
	}
	if b.Modified {
		s += " modified"
	}
	return s + "\n"
}
