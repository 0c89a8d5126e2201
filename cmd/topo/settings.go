package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/settings"
)

// sizeValue is a flag that holds a number of bytes.
type sizeValue = settings.Size

// sources are what the values of the settings come from, without the files.
func (f *factory) sources() settings.Sources {
	return settings.Sources{Lookup: f.lookup(), Flag: func(name string) (string, bool) {
		if f.cmd == nil {
			return "", false
		}
		fl := f.cmd.Flags().Lookup(name)
		if name == "format" && fl != nil && !f.own(name) {
			return f.flagFormat()
		}
		if fl == nil || !fl.Changed || f.own(name) {
			return "", false
		}
		if list, ok := fl.Value.(pflag.SliceValue); ok {
			return strings.Join(list.GetSlice(), ","), true
		}
		return fl.Value.String(), true
	}}
}

// lookup reads the environment alone, also when the user's configuration adds to it.
func (f *factory) lookup() func(string) (string, bool) {
	if f.environ != nil {
		return f.environ
	}
	return f.lookupEnv
}

// isRootNamed reports whether a flag or the environment names the root.
func (f *factory) isRootNamed() bool {
	return f.sources().FlagOrEnv("root").Origin.Level != settings.FromDefault
}

// settle decides every setting and sets those flags of the running command
// that were not given, so that runX reads its options and nothing else. It returns
// the root: the one given, else that of the project around the current folder;
// empty is the current directory.
func (f *factory) settle(string) (root string, err error) {
	given := f.sources().FlagOrEnv("root")
	if f.rootGiven = given.Origin.Level != settings.FromDefault; f.rootGiven {
		return given.Value, f.settleAt(given.Value)
	}
	root, f.below = topo.ProjectAround("")
	return root, f.settleAt(root)
}

// settleStream is settle for a command whose stream names the root.
func (f *factory) settleStream(root string) (string, error) {
	given := f.sources().FlagOrEnv("root")
	if f.rootGiven = given.Origin.Level != settings.FromDefault; f.rootGiven {
		root = given.Value
	}
	return root, f.settleAt(root)
}

func (f *factory) settleAt(root string) error {
	if err := checkRoot(root); err != nil {
		return err
	}
	src := f.sources()
	var err error
	if src.Project, err = settings.ReadProject(root); err != nil {
		return err
	}
	if src.User, err = settings.ReadUser(src.Lookup); err != nil {
		return err
	}
	if f.settings, err = settings.Resolve(src); err != nil {
		return err
	}
	for _, v := range f.settings {
		if err := f.apply(v); err != nil {
			return v.Errorf(err)
		}
	}
	f.environ = src.Lookup
	f.lookupEnv = settings.Lookup(f.settings, src.Lookup)
	return nil
}

// flagValue is the running command's flag of that name; nil when it has none.
func (f *factory) flagValue(name string) pflag.Value {
	if f.cmd == nil {
		return nil
	}
	if fl := f.cmd.Flags().Lookup(name); fl != nil {
		return fl.Value
	}
	return nil
}

// own reports whether the running command gives the flag of that name a meaning of
// its own: render's formats are not those of the stream.
func (f *factory) own(name string) bool {
	return name == "format" && f.cmd.LocalNonPersistentFlags().Lookup(name) != nil
}

// apply sets the flag that the running command has for a setting, unless it was
// given.
func (f *factory) apply(v settings.Value) error {
	if f.cmd == nil || f.own(v.Name) || v.EnvOnly || v.Origin.Level == settings.FromDefault {
		return nil
	}
	fl := f.cmd.Flags().Lookup(v.Name)
	if fl == nil || fl.Changed {
		return nil
	}
	if l, ok := fl.Value.(pflag.SliceValue); ok && v.List != nil {
		return l.Replace(v.List)
	}
	return fl.Value.Set(v.Value)
}

// checkRoot explains why a root cannot be one. Empty is the current directory.
func checkRoot(root string) error {
	if root == "" {
		return nil
	}
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usagef("root %s: no such directory; give an existing one with --root", root)
	case errors.Is(err, fs.ErrPermission):
		return envf("root %s: permission denied; make it readable", root)
	case err != nil:
		return usagef("root %s: %w; give an existing directory with --root", root, err)
	case !info.IsDir():
		return usagef("root %s: not a directory; give the directory that holds it with --root", root)
	}
	return nil
}

func scoringNames() []string { return topo.ScoringModes() }
