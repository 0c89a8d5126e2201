package main

import (
	"strings"

	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/settings"
)

// settingInfo is a setting with its value for describe.
type settingInfo struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Origin  string `json:"origin"`
	File    string `json:"file,omitempty"` // that has the value
	Line    int    `json:"line,omitempty"` // in the file
	Doc     string `json:"doc"`
	Env     string `json:"env,omitempty"`
	Config  bool   `json:"config"`                // may be set in .topo/config.yaml of a project
	UserSet bool   `json:"user_config,omitempty"` // may be set in the user's own config.yaml
}

func newSettingInfo(v settings.Value) settingInfo {
	i := settingInfo{Name: v.Name, Value: embed.WithoutPassword(v.Value), Origin: v.Origin.String(), Doc: v.Doc, Env: v.Env,
		Config: v.Scope >= settings.Project, UserSet: v.Scope >= settings.User}
	if v.Origin.Line > 0 {
		i.File, i.Line = v.Origin.Name, v.Origin.Line
	}
	return i
}

// schemaNames are the values of --schema.
func schemaNames() (names []string) {
	all, _ := settings.Schemas() // an error is a fault of the table, which its test finds
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names
}

func (o *describeOptions) printSchema() error {
	all, err := settings.Schemas()
	if err != nil {
		return err
	}
	for _, s := range all {
		if s.Name == o.Schema {
			_, err := o.f.out.Write(s.JSON)
			return err
		}
	}
	return usagef("--schema %s: unknown; one of %s", o.Schema, strings.Join(schemaNames(), ", "))
}
