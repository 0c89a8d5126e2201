package main

import (
	"context"
	"errors"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/spf13/pflag"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/agent/host"
)

// testClock makes time and IDs of sessions the same in every run, for tests. It
// holds the time at which the process begins; each look at the clock takes it a
// millisecond on.
const testClock = "TOPO_TEST_CLOCK"

// hostOptions are what this process gives a host at root.
func (f *factory) hostOptions(root string) (host.Options, error) {
	o := host.Options{ShowSecrets: f.showSecrets, Root: root, CacheDir: f.cacheDir, Folders: host.UserFolders(f.lookupEnv), Version: readBuildInfo().Version,
		LookupEnv: f.lookupEnv, Environ: os.Environ(), Proxy: http.ProxyFromEnvironment,
		Scope: f.hostScope(), Note: func(s string) { f.notef("%s", s) }}
	if self, err := os.Executable(); err == nil {
		o.Confine = []string{self, confinedCommand}
	}
	if v, _ := f.lookupEnv(testClock); v != "" {
		at, err := time.Parse(time.RFC3339, v)
		if err != nil {
			return o, usagef("%s: %w; give a time such as 2026-01-02T03:04:05Z", testClock, err)
		}
		o.Clock = host.FixedClock(at)
	}
	return o, nil
}

// hostScope is what the scan flags of the running command leave of the tree.
func (f *factory) hostScope() host.Scope {
	s := host.Scope{MaxFileSize: topo.DefaultMaxFileSize}
	if l, ok := f.flagValue("include").(pflag.SliceValue); ok {
		s.Include = l.GetSlice()
	}
	if l, ok := f.flagValue("exclude").(pflag.SliceValue); ok {
		s.Exclude = l.GetSlice()
	}
	if size, ok := f.flagValue("max-file-size").(*sizeValue); ok {
		s.MaxFileSize = int64(*size)
	}
	return s
}

// openHost opens the host at root.
func (f *factory) openHost(ctx context.Context, root string) (*host.Host, error) {
	o, err := f.hostOptions(root)
	if err != nil {
		return nil, err
	}
	h, err := host.Open(ctx, o)
	return h, hostError(err)
}

// settledHost opens the host at the root that the settings name.
func (f *factory) settledHost(ctx context.Context) (*host.Host, error) {
	root, err := f.settle("")
	if err != nil {
		return nil, err
	}
	return f.openHost(ctx, root)
}

// resolveSession finds the session that name means, the last one when it is empty.
func resolveSession(h *host.Host, name string) (string, error) {
	if name == "" {
		name = host.Last
	}
	id, err := h.Resolve(name)
	if err != nil {
		return "", usagef("%w; topo agent sessions lists them", err)
	}
	return id, nil
}

// hostError gives the option that an error of the host names the form of a flag.
func hostError(err error) error {
	var o *host.OptionError
	switch {
	case !errors.As(err, &o):
		return err
	case topo.KindOf(err) == topo.Usage:
		return usagef("--%w", o)
	}
	return envf("--%w", o)
}

// confinedCommand is the hidden command that confines itself and becomes the
// shell: a process cannot confine another one.
const confinedCommand = "confined"

func newConfined() *cobra.Command {
	return &cobra.Command{
		Use:     confinedCommand,
		Hidden:  true,
		Short:   "Run a command of the agent within its sandbox",
		Example: "  topo confined SPEC",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return envError{host.RunConfined(args[0])} },
	}
}
