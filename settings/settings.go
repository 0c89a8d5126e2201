// Package settings decides the value of every setting of topo.
//
// A value comes from a flag, else the environment, else the project's
// configuration, else the user's, else the default. [Resolve] decides, and tells
// for each value where it came from.
//
// What always holds: values go in and values come out. Nothing here reads a flag
// or the environment but by the functions that the caller passes in. The project's
// configuration is as little trusted as its code: it may set only what changes
// what is shown, never where files are written, what is run or what leaves the
// machine. Secrets are read from no file.
package settings

import (
	"strings"

	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
)

// Scope says which configuration files may hold a setting.
type Scope int

// The scopes, each wider than the one before.
const (
	Nowhere Scope = iota // no file
	User                 // the user's own
	Project              // the project's too
)

// Kind is the form of a setting's value.
type Kind int

// The kinds.
const (
	Text     Kind = iota
	Choice        // one of Values
	Count         // a whole number, 0 for no limit
	Amount        // a number with a fraction, 0 for no limit
	ByteSize      // 4096, 64k, 1MiB
	List          // several texts
)

// Setting is a value that may come from several places.
type Setting struct {
	Name    string // the key in a file; the name of the flag too, when there is one
	Env     string // variable; empty when there is none
	Scope   Scope
	Kind    Kind
	Values  []string // of a Choice
	Default string
	Doc     string
	// EnvOnly says that the setting is no flag, or that a flag means more than the
	// default: a value of the user's file counts as if the variable had it. See
	// [Lookup].
	EnvOnly bool

	// fromEnv reads what several variables say.
	fromEnv func(lookup func(string) (string, bool)) (value, variable string)
}

// Formats are the output formats of the records.
func Formats() []string { return []string{"auto", "jsonl", "json", "human"} }

// Presets are the names of the presets.
func Presets() (names []string) {
	for _, p := range score.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// Tokenizers are the names of the tokenizers.
func Tokenizers() (names []string) {
	for _, t := range render.Tokenizers() {
		names = append(names, t.Name)
	}
	return names
}

// All lists every setting: those that a project may set, those that only a user may
// set, and those of the services.
func All() []Setting {
	all := []Setting{
		{Name: "root", Env: "TOPO_ROOT", Default: ".", Doc: "repository root"},
		{Name: "format", Scope: Project, Kind: Choice, Values: Formats(), Default: "auto", Doc: "output format of the records"},
		{Name: "preset", Env: "TOPO_PRESET", Scope: Project, Kind: Choice, Values: Presets(), Default: score.DefaultPreset, Doc: "depth of scoring"},
		{Name: "max-file-size", Scope: Project, Kind: ByteSize, Default: "1MiB", Doc: "size above which a file's content is not used"},
		{Name: "include", Scope: Project, Kind: List, Doc: "patterns of the files to scan"},
		{Name: "exclude", Scope: Project, Kind: List, Doc: "patterns of the files to leave out"},
		{Name: "top", Scope: Project, Kind: Count, Default: "0", Doc: "number of files to select, 0 for no limit"},
		{Name: "max-tokens", Scope: Project, Kind: Count, Default: "0", Doc: "budget of the rendered output in tokens, 0 for no limit"},
		{Name: "tokenizer", Scope: Project, Kind: Choice, Values: Tokenizers(), Default: render.DefaultTokenizer, Doc: "how tokens are counted"},
		{Name: "cache-dir", Env: "TOPO_CACHE_DIR", Scope: User, Default: ".topo-cache in the root", Doc: "folder of the index"},
		{Name: "color", Scope: User, Kind: Choice, Values: Colors(), Default: ColorAuto, Doc: "colour of what is printed for a person: NO_COLOR never, FORCE_COLOR or CLICOLOR_FORCE always", fromEnv: colorOf},
		{Name: "sandbox", Scope: User, Kind: Choice, Values: []string{"off", "on", "net"}, Default: "off", Doc: "confinement of the agent's commands"},
		{Name: "max-steps", Scope: User, Kind: Count, Default: "100", Doc: "requests to the model after which the agent ends, 0 for no limit"},
		{Name: "budget-usd", Scope: User, Kind: Amount, Default: "0", Doc: "cost after which the agent ends, 0 for no limit"},
		{Name: "provider", Env: "TOPO_PROVIDER", Scope: User, Doc: "who runs the agent's model, when a session has none yet", EnvOnly: true},
	}
	for _, v := range embed.Variables() {
		if !v.Secret && v.Name != "TOPO_WORKSPACE" { // that names one repository
			all = append(all, Setting{Name: keyOf(v.Name), Env: v.Name, Scope: User, Doc: v.Doc, EnvOnly: true})
		}
	}
	return all
}

// keyOf is the key of a variable in a file: embed-model for TOPO_EMBED_MODEL.
func keyOf(variable string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(variable, "TOPO_")), "_", "-")
}

// find returns the setting of that name.
func find(name string) (Setting, bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Setting{}, false
}

// keys are the keys that a file of that scope may have.
func keys(scope Scope) (names []string) {
	for _, s := range All() {
		if s.Scope >= scope {
			names = append(names, s.Name)
		}
	}
	return names
}
