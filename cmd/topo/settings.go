package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/score"
)

// setting is a value that may come from a flag, the environment, the
// repository's configuration or a default, in this order of precedence.
type setting struct {
	name   string // of the flag
	env    string // variable; empty when there is none
	config bool   // may stand in .topo/config.yaml
	def    string
	doc    string
	check  func(string) error // nil accepts what the flag accepts
}

// settings lists every setting. The configuration belongs to the repository
// and is as little trusted as its code: it may set only what changes what is
// shown, never where files are written or what is run.
func settings() []setting {
	return []setting{
		{name: "root", env: "TOPO_ROOT", def: ".", doc: "repository root"},
		{name: "cache-dir", env: "TOPO_CACHE_DIR", def: cacheFolder + " in the root", doc: "folder of the index"},
		{name: "format", config: true, def: "auto", doc: "output format of the records", check: oneOf("format", outputFormats)},
		{name: "preset", env: "TOPO_PRESET", config: true, def: score.DefaultPreset, doc: "depth of scoring", check: oneOf("preset", presetNames())},
		{name: "max-file-size", config: true, def: "1MiB", doc: "size above which a file's content is not used", check: checkSize},
		{name: "include", config: true, doc: "patterns of the files to scan"},
		{name: "exclude", config: true, doc: "patterns of the files to leave out"},
		{name: "top", config: true, def: "0", doc: "number of files to select, 0 for no limit", check: checkCount},
		{name: "max-tokens", config: true, def: "0", doc: "budget of the rendered output in tokens, 0 for no limit", check: checkCount},
		{name: "tokenizer", config: true, def: "bytes", doc: "how tokens are counted", check: oneOf("tokenizer", tokenizerNames())},
	}
}

// Where a value came from.
const (
	originDefault = "default"
	originFlag    = "flag"
)

// effective is a setting's value and where it came from.
type effective struct {
	Name   string
	Value  string
	Origin string // "default", "flag --root", "TOPO_ROOT", ".topo/config.yaml"
}

// settle decides every setting and sets those flags of the running command
// that were not given, so that runX reads its options and nothing else. It returns
// the root: the one given, else that of the project around the current folder;
// empty is the current directory.
func (f *factory) settle(string) (root string, err error) {
	given := f.fromFlagOrEnv(setting{name: "root", env: "TOPO_ROOT"})
	if f.rootGiven = given.Origin != originDefault; f.rootGiven {
		return given.Value, f.settleAt(given.Value)
	}
	root, f.below = topo.ProjectAround("")
	return root, f.settleAt(root)
}

// settleStream is settle for a command whose stream names the root.
func (f *factory) settleStream(root string) (string, error) {
	given := f.fromFlagOrEnv(setting{name: "root", env: "TOPO_ROOT"})
	if f.rootGiven = given.Origin != originDefault; f.rootGiven {
		root = given.Value
	}
	return root, f.settleAt(root)
}

func (f *factory) settleAt(root string) error {
	if err := checkRoot(root); err != nil {
		return err
	}
	conf, err := readConfig(root)
	if err != nil {
		return err
	}
	f.settings = f.settings[:0]
	for _, s := range settings() {
		e, list, err := f.decide(s, conf)
		if err != nil {
			return err
		}
		f.settings = append(f.settings, e)
		if err := f.apply(s, e, list); err != nil {
			return usagef("%s: %w", whence(e), err)
		}
	}
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

func (f *factory) decide(s setting, conf config) (effective, []string, error) {
	e := f.fromFlagOrEnv(s)
	var list []string
	if v, ok := conf[s.name]; ok && e.Origin == originDefault && s.config {
		e = effective{s.name, strings.Join(v.values, ","), configName + " line " + strconv.Itoa(v.line)}
		list = v.values
	}
	if e.Origin == originDefault {
		e.Value = s.def
		return e, nil, nil
	}
	if s.check != nil {
		if err := s.check(e.Value); err != nil {
			return e, nil, usagef("%s: %w", whence(e), err)
		}
	}
	return e, list, nil
}

// fromFlagOrEnv is the setting's value when a flag or the environment gives
// it. An empty variable counts as unset.
func (f *factory) fromFlagOrEnv(s setting) effective {
	if f.cmd != nil {
		if fl := f.cmd.Flags().Lookup(s.name); fl != nil && fl.Changed && !f.own(s) {
			v := fl.Value.String()
			if list, ok := fl.Value.(pflag.SliceValue); ok {
				v = strings.Join(list.GetSlice(), ",")
			}
			return effective{s.name, v, originFlag + " --" + s.name}
		}
	}
	if s.env != "" {
		if v, ok := f.lookupEnv(s.env); ok && v != "" {
			return effective{s.name, v, s.env}
		}
	}
	return effective{s.name, "", originDefault}
}

// own reports whether the running command gives the flag of that name a
// meaning of its own: render's formats are not those of the stream.
func (f *factory) own(s setting) bool {
	return s.name == "format" && f.cmd.LocalNonPersistentFlags().Lookup("format") != nil
}

// apply sets the flag that the running command has for s, unless it was given.
func (f *factory) apply(s setting, e effective, list []string) error {
	if f.cmd == nil || f.own(s) || e.Origin == originDefault {
		return nil
	}
	fl := f.cmd.Flags().Lookup(s.name)
	if fl == nil || fl.Changed {
		return nil
	}
	if l, ok := fl.Value.(pflag.SliceValue); ok && list != nil {
		return l.Replace(list)
	}
	return fl.Value.Set(e.Value)
}

// whence names a value in an error: "--preset", "TOPO_PRESET" or
// ".topo/config.yaml line 3: preset".
func whence(e effective) string {
	if flag, ok := strings.CutPrefix(e.Origin, originFlag+" "); ok {
		return flag
	}
	if strings.HasPrefix(e.Origin, configName) {
		return e.Origin + ": " + e.Name
	}
	return e.Origin
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

// cacheFolder holds the index inside of the root.
const cacheFolder = fresh.Folder

// cachePath is the folder of the index of the tree at root.
func (f *factory) cachePath(root string) string {
	if f.cacheDir != "" {
		return f.cacheDir
	}
	return filepath.Join(root, cacheFolder)
}

func presetNames() (names []string) {
	for _, p := range score.Presets() {
		names = append(names, p.Name)
	}
	return names
}

func scoringNames() (names []string) {
	for _, m := range score.Modes() {
		names = append(names, m.Name)
	}
	return names
}

func tokenizerNames() (names []string) {
	for _, t := range render.Tokenizers() {
		names = append(names, t.Name)
	}
	return names
}

func checkCount(v string) error {
	n, err := strconv.ParseInt(v, 10, 32)
	if err != nil {
		return fmt.Errorf("%q is not a number", v)
	}
	if n < 0 {
		return fmt.Errorf("%d is negative; give 0 for no limit", n)
	}
	return nil
}

func checkSize(v string) error {
	var s sizeValue
	return s.Set(v)
}
