package main

import (
	"os"

	"github.com/topo-dev/topo/agent/provider/replay"
)

// demo prepares the session that comes with topo, when that is what is asked
// for: a copy of the little repository it works on, with the right to change
// it. It returns the folder; empty when another root or recording was named.
func (o *agentOptions) demo() (dir string, err error) {
	root := o.f.fromFlagOrEnv(setting{name: "root", env: "TOPO_ROOT"})
	if o.Provider != replay.Name || o.Recording != "" || o.Resume != "" || root.Origin != originDefault {
		return "", nil
	}
	if dir, err = os.MkdirTemp("", "topo-demo-"); err != nil {
		return "", envf("demo: %w", err)
	}
	if err := os.CopyFS(dir, replay.DemoFiles()); err != nil {
		return "", envf("demo: %w", err)
	}
	o.Task, o.Yes, o.ReadOnly = replay.Demo().Title, true, false
	o.f.notef("this is a recorded session; its tools work for real, in %s; look at it with: topo agent diff --root %s", dir, dir)
	return dir, nil
}
