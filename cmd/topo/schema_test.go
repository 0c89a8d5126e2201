package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"

	"github.com/topo-dev/topo/agent/mcp"
	"github.com/topo-dev/topo/agent/tool/codebase"
	"github.com/topo-dev/topo/detect/rules"
	"github.com/topo-dev/topo/index/fresh"
)

// validators are the schemas of all kinds in a validator by other people, which
// checks each schema by the schema of schemas too.
func validators(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	out := map[string]*jsonschema.Schema{}
	for _, k := range kinds() {
		raw, err := schemaNamed(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		out[k.Name] = foreign(t, k.Name, raw)
	}
	return out
}

func foreign(t *testing.T, name string, raw []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	meta, err := c.Compile("https://json-schema.org/draft/2020-12/schema")
	if err == nil {
		err = meta.Validate(doc)
	}
	if err == nil {
		err = c.AddResource("topo:"+name, doc)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s, err := c.Compile("topo:" + name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// contractChecker validates what commands print and counts it by kind.
type contractChecker struct {
	of   map[string]*jsonschema.Schema
	seen map[string]int
}

// check validates each JSON value of an output by the schema of its kind, and by no
// other.
func (c *contractChecker) check(t *testing.T, what string, out []byte) (found []string) {
	t.Helper()
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			t.Fatalf("%s: %v in\n%s", what, err, out)
		}
		values := []json.RawMessage{raw}
		if raw[0] == '[' {
			if err := json.Unmarshal(raw, &values); err != nil {
				t.Fatal(err)
			}
		}
		for _, v := range values {
			if kind := c.one(t, what, v); !slices.Contains(found, kind) {
				found = append(found, kind)
			}
		}
	}
	return found
}

func (c *contractChecker) one(t *testing.T, what string, raw []byte) string {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	fields, _ := v.(map[string]any)
	kind, _ := fields["Record"].(string)
	for _, k := range kinds() {
		if kind == "" && k.Specified() && fields[k.Key] != nil {
			kind = k.Name
		}
	}
	if c.of[kind] == nil {
		t.Errorf("%s: no kind %q of\n%s", what, kind, raw)
		return kind
	}
	for name, s := range c.of {
		switch err := s.Validate(v); {
		case name == kind && err != nil:
			t.Errorf("%s: not valid as %s: %v\n%s", what, kind, err, raw)
		case name != kind && err == nil:
			t.Errorf("%s: a %s is valid as %s as well\n%s", what, kind, name, raw)
		}
	}
	c.lowerCase(t, what, kind, v)
	c.seen[kind]++
	return kind
}

// discovery are the keys that the specification has in lower case.
var discovery = []string{"name", "version", "commands", "formats", "languages", "scoring", "presets"}

// dataKeys are objects whose keys are data: names of signals, columns, languages, inputs.
var dataKeys = []string{"Signals", "Row", "NodeKinds", "EdgeKinds", "Calls", "Languages", "BySeverity", "ByDetector", "More", "Input", "Schema", "Output", "Acc", "Hit", "Recall"}

func (c *contractChecker) lowerCase(t *testing.T, what, kind string, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			c.lowerCase(t, what, "", e)
		}
	case map[string]any:
		for key, e := range v {
			if (key[0] < 'A' || key[0] > 'Z' || strings.Contains(key, "_")) && (kind != "description" || !slices.Contains(discovery, key)) {
				t.Errorf("%s: the key %q is not in PascalCase", what, key)
			}
			if !slices.Contains(dataKeys, key) {
				c.lowerCase(t, what, "", e)
			}
		}
	}
}

// contractRepo is a small repository with findings, a history and a change that is
// not committed.
func contractRepo(t *testing.T) string {
	t.Helper()
	dir := demoRepo(t)
	write := func(name, text string) { write(t, filepath.Join(dir, name), text) }
	write("app/a.py", "import app.b\n\n\ndef run(n):\n    return app.b.load(n)\n")
	write("app/b.py", "import app.a\n\n\ndef load(n):\n    if n > 1:\n        return n\n    return 0\n")
	write("lib/lib.go", "package lib\n\n// Load loads.\nfunc Load(a, b, c, d, e, f, g, h, i, j, k, l int) int {\n\tif a > b {\n\t\treturn use(a)\n\t}\n\treturn 0\n}\n\nfunc use(n int) int { return n }\n\nfunc dead() {}\n")
	write("bad\xff.md", "# Notes\n")
	write("long.txt", strings.Repeat("load values ", 4000))
	gitIn(t, dir, "init", "-q", "-b", "main")
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-qm", "Begin")
	write("lib/lib.go", strings.Replace(readText(t, filepath.Join(dir, "lib/lib.go")), "return 0", "return 1", 1))
	gitIn(t, dir, "commit", "-qam", "Load returns one")
	write("lib/lib.go", strings.Replace(readText(t, filepath.Join(dir, "lib/lib.go")), "return 1", "return 2", 1))
	return dir
}

func readText(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// contract lists command lines with the kinds that they must print as jsonl and as
// json. A command line that begins with a stream's stage gets the stream before it.
var contract = []struct {
	args, jsonl, json string
}{
	{"scan", "header file footer", "stream"},
	{"index --deep", "header file footer", "stream"},
	{"score load", "header file footer", "stream"},
	{"select --top 3", "header file footer", "stream"},
	{"render --max-tokens 700", "header file footer", "rendering"},
	{"render", "header file footer", "rendering"},
	{"quick load", "header file footer", "stream"},
	{"query load", "header file footer", "stream"},
	{"retrieve load", "header file footer", "stream"},
	{"explain load", "explanation", "explanation"},
	{"eval --from-git 1 --functions", "evaluation", "evaluation"},
	{"inspect", "index", "index"},
	{"inspect lib/lib.go", "indexed-file", "indexed-file"},
	{"graph callees Load", "header symbol footer", "walk-answer"},
	{"graph callers use", "header symbol footer", "walk-answer"},
	{"graph communities", "header community footer", "communities-answer"},
	{"graph cycles", "header cycle footer", "cycles-answer"},
	{"graph file lib/lib.go", "header symbol edge footer", "file-answer"},
	{"graph hotspots", "header hotspot footer", "hotspots-answer"},
	{"graph impact use", "header symbol footer", "impact-answer"},
	{"graph importers app/b.py", "header symbol footer", "walk-answer"},
	{"graph imports app/b.py", "header symbol footer", "walk-answer"},
	{"graph path Load use", "header symbol edge footer", "path-answer"},
	{"graph query MATCH_(f:Function)_RETURN_f.name", "header row footer", "query-answer"},
	{"graph stats", "header stats footer", "stats-answer"},
	{"graph symbol Load", "header symbol edge footer", "symbol-answer"},
	{"impact --diff", "header symbol footer", "impact-answer"},
	{"detect --write-baseline BASELINE", "header finding footer", "findings-answer"},
	{"agent --provider replay --recording RECORDING --yes task", "event", "event"},
	{"agent resume last", "event", "event"},
	{"agent fork last task", "event", "event"},
	{"agent show", "event", "event"},
	{"agent sessions", "session", "session"},
	{"agent export last --as jsonl", "event", "event"},
	{"describe", "description", "description"},
	{"version", "version", "version"},
}

// withoutRecords are the commands that print text alone, or speak a protocol.
var withoutRecords = map[string]string{
	"agent accept": "prints nothing", "agent diff": "a unified diff", "agent undo": "a unified diff",
	"mcp": "its answers are checked below", "completion": "scripts for shells", "help": "text", "graph": "a question is needed",
}

func TestOutputsKeepTheirSchemas(t *testing.T) {
	need(t, "git", "bash")
	c := &contractChecker{validators(t), map[string]int{}}
	dir := contractRepo(t)
	cache, home := t.TempDir(), t.TempDir()
	baseline := filepath.Join(t.TempDir(), "baseline.jsonl")
	recording := filepath.Join(t.TempDir(), "rec.jsonl")
	write(t, recording, recorded)
	streams := map[string][]byte{}
	for _, line := range contract {
		args := strings.Fields(strings.NewReplacer("BASELINE", baseline, "RECORDING", recording).Replace(line.args))
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_", " ")
		}
		before := map[string]string{"score": "index", "select": "score", "render": "select"}[args[0]]
		for format, want := range map[string]string{"jsonl": line.jsonl, "json": line.json} {
			f, out, errs := fake(map[string]string{"HOME": home})
			f.in, f.inStream = bytes.NewReader(streams[before]), before != ""
			global := []string{"--root", dir, "--cache-dir", cache, "--quiet", "--format", format}
			if strings.HasPrefix(line.args, "agent resume") || strings.HasPrefix(line.args, "agent fork") {
				global = append(global, "--provider", "replay", "--recording", recording, "--yes")
			}
			if code := run(t.Context(), f, append(args, global...)); code != exitOK {
				t.Fatalf("topo %s: exit code %d: %s", line.args, code, errs)
			}
			if format == "jsonl" {
				streams[args[0]] = bytes.Clone(out.Bytes())
			}
			if got := c.check(t, "topo "+line.args+" as "+format, out.Bytes()); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(strings.Fields(want)))) {
				t.Errorf("topo %s as %s prints %q, want %q", line.args, format, got, want)
			}
		}
	}
	c.check(t, "the baseline", []byte(readText(t, baseline)))
	everyCommand(t)
	tools := c.tools(t, dir)
	total := 0
	for _, k := range kinds() {
		total += c.seen[k.Name]
		// No command prints the records of outlines, which only a tool gives.
		if c.seen[k.Name] == 0 && !slices.Contains([]string{"outline-file", "definition", "folder"}, k.Name) {
			t.Errorf("no command printed a %s", k.Name)
		}
	}
	t.Logf("%d schemas of kinds, %d of tools; %d records and objects, %d answers of tools validated", len(c.of), len(toolSchemas()), total, tools)
}

// everyCommand fails for a command that no line of the contract runs.
func everyCommand(t *testing.T) {
	t.Helper()
	f, _, _ := fake(nil)
	covered := func(c *cobra.Command) bool {
		name := strings.TrimPrefix(c.CommandPath(), "topo ")
		return slices.ContainsFunc(contract, func(r struct{ args, jsonl, json string }) bool {
			return r.args == name || strings.HasPrefix(r.args, name+" ")
		})
	}
	for _, c := range documented(newRoot(f)) {
		if name := strings.TrimPrefix(c.CommandPath(), "topo "); withoutRecords[name] == "" && !covered(c) {
			t.Errorf("no line of the contract runs topo %s", name)
		}
	}
}

// calls are inputs of the tools that have structured answers.
var calls = map[string][]string{
	"analyze_impact":     {`{"of":"use"}`, `{"diff":"HEAD"}`},
	"get_findings":       {`{}`},
	"outline":            {`{}`, `{"path":"lib/lib.go"}`, `{"path":"lib"}`},
	"query_graph":        {`{"ask":"callers","of":"use"}`, `{"ask":"stats"}`, `{"ask":"cycles"}`, `{"ask":"hotspots"}`},
	"run_detectors":      {`{}`},
	"symbol":             {`{"name":"Load","source":true}`},
	"trace_dependencies": {`{"from":"Load"}`, `{"from":"Load","to":"use"}`},
}

// tools validates what the server sends by the schemas that it names, and by those
// of the kinds.
func (c *contractChecker) tools(t *testing.T, dir string) (n int) {
	t.Helper()
	p, err := fresh.At(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	k := fresh.NewServer(fresh.Options{Place: p, Patience: time.Hour})
	defer k.Close()
	session := connected(t, mcp.NewServer(mcp.ServerOptions{Tools: codebase.Tools(codebase.Options{Source: k, Detectors: rules.All()})}))
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		in, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		foreign(t, tool.Name+"-input", in)
		if tool.OutputSchema == nil {
			continue
		}
		raw, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		output := foreign(t, tool.Name+"-output", raw)
		if len(calls[tool.Name]) == 0 {
			t.Errorf("the tool %s is not called", tool.Name)
		}
		for _, input := range calls[tool.Name] {
			res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(input)})
			if err != nil || res.IsError {
				t.Fatal(tool.Name, input, err, res)
			}
			raw, err := json.Marshal(res.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
			if err == nil {
				err = output.Validate(v)
			}
			if err != nil {
				t.Errorf("%s %s: %v\n%s", tool.Name, input, err, raw)
			}
			c.one(t, tool.Name+" "+input, raw)
			n++
		}
	}
	return n
}

// TestExamples validates the examples of the reference.
func TestExamples(t *testing.T) {
	c := &contractChecker{validators(t), map[string]int{}}
	for _, k := range kinds() {
		if k.Example == "" && !k.Object {
			t.Errorf("the record %s has no example", k.Name)
		}
		if got := c.check(t, "the example of "+k.Name, []byte(k.Example)); k.Example != "" && (len(got) != 1 || got[0] != k.Name) {
			t.Errorf("the example of %s is a %v", k.Name, got)
		}
	}
}

// recorded is a session as earlier versions wrote it, without names of records.
const recorded = `{"Event":"session","Version":1,"Seq":1,"Time":"2026-11-21T09:00:00Z","Provider":"replay","Model":"recorded-1"}
{"Event":"message","Seq":2,"Time":"2026-11-21T09:00:00Z","Message":{"Role":"assistant","Blocks":[{"Kind":"text","Text":"I look."},{"Kind":"call","Call":{"ID":"c1","Name":"bash","Input":{"command":"echo x > new.txt"}}}]},"Stop":"calls","Usage":{"Input":12,"Output":4}}
{"Event":"results","Seq":3,"Time":"2026-11-21T09:00:00Z","Message":{"Role":"user","Blocks":[{"Kind":"result","Result":{"ID":"c1","Content":""}}]}}
{"Event":"message","Seq":4,"Time":"2026-11-21T09:00:00Z","Message":{"Role":"assistant","Blocks":[{"Kind":"text","Text":"Done."}]},"Stop":"end","Usage":{"Input":40,"Output":30}}
{"Event":"message","Seq":5,"Time":"2026-11-21T09:00:00Z","Message":{"Role":"assistant","Blocks":[{"Kind":"text","Text":"Done again."}]},"Stop":"end","Usage":{"Input":40,"Output":30}}
{"Event":"message","Seq":6,"Time":"2026-11-21T09:00:00Z","Message":{"Role":"assistant","Blocks":[{"Kind":"text","Text":"And again."}]},"Stop":"end","Usage":{"Input":40,"Output":30}}
`
