package main

import (
	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/agent/tool/shell"
)

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
		RunE: func(_ *cobra.Command, args []string) error {
			if err := shell.ExecConfined(args[0]); err != nil {
				return envError{err}
			}
			return nil
		},
	}
}
