package main

import (
	"github.com/topo-dev/topo/internal/secret"
	"github.com/topo-dev/topo/settings"
)

// settingInfo is a setting with its value for describe.
type settingInfo struct {
	Name    string
	Value   string
	Origin  string
	File    string `json:",omitempty"` // that has the value
	Line    int    `json:",omitempty"` // in the file
	Doc     string
	Env     string `json:",omitempty"`
	Config  bool   // may be set in .topo/config.yaml of a project
	UserSet bool   `json:"UserConfig,omitempty"` // may be set in the user's own config.yaml
}

func newSettingInfo(v settings.Value) settingInfo {
	i := settingInfo{Name: v.Name, Value: secret.WithoutPassword(v.Value), Origin: v.Origin.String(), Doc: v.Doc, Env: v.Env,
		Config: v.Scope >= settings.Project, UserSet: v.Scope >= settings.User}
	if v.Origin.Line > 0 {
		i.File, i.Line = v.Origin.Name, v.Origin.Line
	}
	return i
}
