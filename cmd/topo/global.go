package main

import (
	"github.com/topo-dev/topo/settings"
)

// checkGlobal checks the global flags and gives --format what its short forms say.
func (f *factory) checkGlobal() error {
	if f.verbose && f.quiet {
		return usagef("--verbose and --quiet contradict each other; give one of them")
	}
	color := f.sources().FlagOrEnv("color")
	if color.Origin.Level == settings.FromFlag {
		if err := color.Check(color.Value); err != nil {
			return color.Errorf(err)
		}
		if f.noColor && color.Value != settings.ColorNever {
			return usagef("--no-color and --color %s contradict each other; give one of them", color.Value)
		}
	}
	return f.shortFormat()
}

// shortFormat gives the running command's --format what --json or --jsonl says.
func (f *factory) shortFormat() error {
	flags := f.cmd.Flags()
	short := ""
	for _, name := range []string{"json", "jsonl"} {
		fl := flags.Lookup(name)
		switch {
		case fl == nil || fl.Value.String() != "true":
		case short != "":
			return usagef("--json and --jsonl contradict each other; give one of them")
		default:
			short = name
		}
	}
	if short == "" {
		return f.nullFormat()
	}
	if f.null && !f.readsPaths() {
		return usagef("--null prints paths; it contradicts --%s", short)
	}
	format := flags.Lookup("format")
	if format.Changed && format.Value.String() != short {
		return usagef("--%s and --format %s contradict each other; give one of them", short, format.Value)
	}
	return flags.Set("format", short)
}

// color reports whether what goes to standard output is coloured.
func (f *factory) color() bool { return f.colored(f.outTTY) }

// colored reports whether what is printed for a person is coloured, at a terminal
// or not: as a flag says, else the environment, else the user's configuration.
func (f *factory) colored(terminal bool) bool {
	if f.noColor {
		return false
	}
	mode := f.colorMode
	if v := f.sources().FlagOrEnv("color"); v.Origin.Level != settings.FromDefault {
		mode = v.Value
	}
	switch mode {
	case settings.ColorAlways:
		return true
	case settings.ColorNever:
		return false
	}
	term, _ := f.lookup()("TERM")
	return terminal && term != "dumb"
}
