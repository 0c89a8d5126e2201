//go:build !linux

package shell

import "errors"

// Missing says what cannot be kept of the confinement.
func (c *Confinement) Missing() []string {
	return []string{"this system has no Landlock: commands can read and write whatever you can"}
}

func (c *Confinement) canBeAlone() bool { return false }

func confine(spec) error { return errors.New("this system has no Landlock") }

func become([]string) error { return errors.New("commands can be confined on Linux only") }
