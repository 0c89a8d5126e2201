package main

import (
	"bytes"
	"fmt"

	"github.com/topo-dev/topo/settings"
)

// schemaURL is where editors find the schemas.
const schemaURL = "https://raw.githubusercontent.com/topo-dev/topo/main/docs/schemas/"

// schemaFiles are the JSON Schemas by file name.
func schemaFiles() (map[string][]byte, error) {
	all, err := settings.Schemas()
	out := map[string][]byte{}
	for _, s := range all {
		out[s.Name+".schema.json"] = s.JSON
	}
	return out, err
}

const settingText = `# Settings

` + generatedNote + `A flag wins over the environment, that over the project's configuration, that over
yours, and that over the default. ` + "`topo describe`" + ` shows each setting with its value
and where it came from, with file and line.

| file | whose | what it may set |
|---|---|---|
| ` + "`.topo/config.yaml`" + ` in the root | the project's, shared by all who work on it | what changes what is shown. The repository is not trusted: it cannot say where files are written, what is run or what is sent |
| ` + "`~/.config/topo/config.yaml`" + `, below ` + "`$XDG_CONFIG_HOME`" + ` when that is set; ` + "`TOPO_CONFIG`" + ` names another | yours, for all projects | all of that, and what is marked as yours below |

Keys of services are secrets: they are read from the environment, never from a file.
An unknown key is an error that names line and column.

    # .topo/config.yaml
    preset: deep
    exclude: [third_party/, "*.min.js"]
    max-tokens: 8000

    # ~/.config/topo/config.yaml
    cache-dir: /var/cache/topo
    color: always
    provider: anthropic
    sandbox: on

## Every setting

| setting | flag | environment | files | default | meaning |
|---|---|---|---|---|---|
`

const featureText = `
## Feature scopes

` + "`.topo/features.yaml`" + ` gives parts of a project names; ` + "`.repo-context/features.yaml`" + ` is
read when there is none. ` + "`topo quick --feature auth \"…\"`" + ` ranks the files of one part. A
file belongs to it when a pattern of ` + "`include`" + ` matches and none of ` + "`exclude`" + `. In a
pattern ` + "`*` and `?`" + ` stay within a folder, ` + "`[a-z]`" + ` is a class and ` + "`**`" + ` matches any
number of folders.

    features:
      auth:
        include: ["src/auth/**", "src/middleware/auth*"]
        exclude: ["**/*_test.*"]

## Checked by your editor

Editors with the YAML language server complete and check these files by their JSON
Schemas. Write this line at the top of the file:

`

func settingReference() []byte {
	var b bytes.Buffer
	b.WriteString(settingText)
	whose := map[settings.Scope]string{settings.Project: "the project's, yours", settings.User: "yours"}
	for _, s := range settings.All() {
		flag, env, key := "", "", s.Name
		if !s.EnvOnly {
			flag = "`--" + s.Name + "`"
		}
		if s.Env != "" {
			env = "`" + s.Env + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", key, flag, env, whose[s.Scope], s.Default, s.Doc)
	}
	b.WriteString(featureText)
	all, _ := settings.Schemas() // an error is a fault of the table, which its test finds
	b.WriteString("| file | first line | schema |\n|---|---|---|\n")
	for _, s := range all {
		fmt.Fprintf(&b, "| %s | `# yaml-language-server: $schema=%s%s.schema.json` | `topo describe --schema %s` |\n", s.Doc, schemaURL, s.Name, s.Name)
	}
	b.WriteString("\n## Environment\n\n| variable | meaning |\n|---|---|\n")
	for _, v := range allVariables() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", v.name, v.doc)
	}
	return b.Bytes()
}
