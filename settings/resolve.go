package settings

import (
	"strconv"
	"strings"

	"github.com/topo-dev/topo/internal/fault"
)

// Level is the kind of place that a value came from, the weakest first.
type Level int

// The levels.
const (
	FromDefault Level = iota
	FromUser
	FromProject
	FromEnv
	FromFlag
)

// Origin is the place that a value came from.
type Origin struct {
	Level Level
	Name  string // of the flag, the variable or the file
	Line  int    // in the file, 1-based
}

// String names the place for a person: "default", "flag --root", "TOPO_ROOT",
// ".topo/config.yaml line 3".
func (o Origin) String() string {
	switch o.Level {
	case FromDefault:
		return "default"
	case FromFlag:
		return "flag --" + o.Name
	case FromEnv:
		return o.Name
	}
	return o.Name + " line " + strconv.Itoa(o.Line)
}

// Value is a setting with its value.
type Value struct {
	Setting
	Value  string
	List   []string // of kind List, when a file has it
	Origin Origin
}

// where names the value in an error: "--preset", "TOPO_PRESET" or
// ".topo/config.yaml line 3: preset".
func (v Value) where() string {
	switch v.Origin.Level {
	case FromFlag:
		return "--" + v.Origin.Name
	case FromEnv:
		return v.Origin.Name
	}
	return v.Origin.String() + ": " + v.Name
}

// Errorf gives an error about the value the place that it came from. The error has
// the kind [fault.Usage].
func (v Value) Errorf(err error) error { return fault.Usagef("%s: %w", v.where(), err) }

// Sources are what values come from. All but Lookup may be nil.
type Sources struct {
	Flag    func(name string) (value string, given bool) // of the command line
	Lookup  func(variable string) (string, bool)         // of the environment
	Project *File
	User    *File
}

// Resolve decides every setting, in the order of [All]. The error names the place
// of a value that is wrong and has the kind [fault.Usage].
func Resolve(src Sources) ([]Value, error) {
	all := All()
	out := make([]Value, len(all))
	for i, s := range all {
		v := src.decide(s)
		if v.Origin.Level != FromDefault {
			if err := s.Check(v.Value); err != nil {
				return nil, v.Errorf(err)
			}
		}
		out[i] = v
	}
	return out, nil
}

func (src Sources) decide(s Setting) Value {
	if v := src.flagOrEnv(s); v.Origin.Level != FromDefault {
		return v
	}
	if v, ok := src.Project.value(s, Project); ok {
		return v
	}
	if v, ok := src.User.value(s, User); ok {
		return v
	}
	return Value{Setting: s, Value: s.Default}
}

// FlagOrEnv is the value that a flag or the environment gives the setting of that
// name; its origin is [FromDefault] when neither does. An empty variable counts as
// unset.
func (src Sources) FlagOrEnv(name string) Value {
	s, _ := find(name)
	return src.flagOrEnv(s)
}

func (src Sources) flagOrEnv(s Setting) Value {
	if src.Flag != nil {
		if v, given := src.Flag(s.Name); given {
			return Value{Setting: s, Value: v, Origin: Origin{Level: FromFlag, Name: s.Name}}
		}
	}
	if s.fromEnv != nil {
		if v, name := s.fromEnv(src.Lookup); v != "" {
			return Value{Setting: s, Value: v, Origin: Origin{Level: FromEnv, Name: name}}
		}
	}
	if s.Env != "" {
		if v, _ := src.Lookup(s.Env); v != "" {
			return Value{Setting: s, Value: v, Origin: Origin{Level: FromEnv, Name: s.Env}}
		}
	}
	return Value{Setting: s}
}

// Lookup returns the environment with the variables that the user's configuration
// sets, where the environment has none: see [Setting.EnvOnly].
func Lookup(values []Value, env func(string) (string, bool)) func(string) (string, bool) {
	set := map[string]string{}
	for _, v := range values {
		if v.EnvOnly && v.Origin.Level == FromUser {
			set[v.Env] = v.Value
		}
	}
	return func(name string) (string, bool) {
		if v, ok := env(name); ok && v != "" {
			return v, true
		}
		if v, ok := set[name]; ok {
			return v, true
		}
		return env(name)
	}
}

// value is what a file says of a setting.
func (f *File) value(s Setting, scope Scope) (Value, bool) {
	if f == nil || s.Scope < scope {
		return Value{}, false
	}
	e, ok := f.entries[s.Name]
	if !ok {
		return Value{}, false
	}
	v := Value{Setting: s, Value: strings.Join(e.values, ","), Origin: Origin{Level: FromUser, Name: f.Name, Line: e.line}}
	if f.Scope == Project {
		v.Origin.Level = FromProject
	}
	if s.Kind == List {
		v.List = e.values
	}
	return v, true
}
