package schema

import (
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/session"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// Kind is a kind of record or object.
type Kind struct {
	Name    string       // the value of Record, but for the three kinds of the specification
	Key     string       // tells a record without a name, as earlier versions wrote it; empty when nothing does
	Doc     string       // what it is
	Example string       // one of it in JSON
	Type    reflect.Type // what is encoded
	Object  bool         // printed by itself with --format json, not as a line of a stream
}

// Specified tells that records of the kind have no name: their keys are those of
// the specification.
func (k Kind) Specified() bool { return k.Name == header || k.Name == file || k.Name == footer }

// The kinds of the specification.
const (
	header = "header"
	file   = "file"
	footer = "footer"
)

// Records lists the kinds of lines of a stream.
func Records() []Kind {
	return []Kind{
		record[stream.Header](header, "Version", "first line of a stream", `{"Version":"0.3","Query":"session expiry","Preset":"balanced","Budget":{"MaxTokens":8000},"MinScore":0}`),
		record[stream.File](file, "Path", "one file, with what the stages so far know of it, and its content when it was rendered", `{"Path":"src/main.go","Score":0.95,"Tokens":500,"Language":"go","Role":"impl"}`),
		record[answer.Footer](footer, "TotalFiles", "last line of a stream; one without was cut short", `{"TotalFiles":1,"TotalTokens":500,"ScannedFiles":358}`),
		record[answer.SymbolRecord]("symbol", "Symbol", "one place of the code graph", `{"Record":"symbol","Symbol":"Server.Close","Kind":"method","Path":"net/server.go","Line":88,"EndLine":102,"Distance":1,"Confidence":0.9,"Reason":"known receiver type"}`),
		record[answer.EdgeRecord]("edge", "From", "one edge of the code graph; its ends are places as topo graph takes them", `{"Record":"edge","From":"main.go:main","To":"net/server.go:Server.Close","Kind":"calls","Confidence":0.9,"Reason":"known receiver type"}`),
		record[answer.RowRecord]("row", "Row", "one row of topo graph query, by column", `{"Record":"row","Row":{"f.name":"main","calls":3}}`),
		record[answer.CycleRecord]("cycle", "Cycle", "one cycle of topo graph cycles", `{"Record":"cycle","Cycle":1,"Kinds":["imports"],"Size":2,"Nodes":["a.py","b.py"],"Example":["a.py","b.py"]}`),
		record[answer.CommunityRecord]("community", "Community", "one group of files of topo graph communities", `{"Record":"community","Community":0,"Label":"net: server.go, conn.go","Size":14,"Inside":220,"Outside":31,"Files":["net/conn.go"]}`),
		record[answer.StatsRecord]("stats", "NodeKinds", "the counts of topo graph stats", `{"Record":"stats","Nodes":9,"Edges":12,"NodeKinds":{"file":2},"EdgeKinds":{"calls":4},"Calls":{"resolved":3},"UnknownCalls":1,"Resolved":0.75}`),
		record[answer.HotspotRecord]("hotspot", "", "one file of topo graph hotspots; stages read it as a file", `{"Record":"hotspot","Path":"store/store.go","Score":1,"Tokens":105,"Language":"go","Role":"impl","Size":420,"Churn":2,"Complexity":2,"Functions":4,"Worst":"store/store.go:Store.Get"}`),
		record[answer.OutlineFile]("outline-file", "", "one file of an outline", `{"Record":"outline-file","Path":"net/server.go","Language":"go","Role":"impl","Tokens":900,"Definitions":12}`),
		record[answer.OutlineEntry]("definition", "", "one definition of an outline", `{"Record":"definition","Kind":"method","Name":"Close","Scope":"Server","Line":88,"EndLine":102}`),
		record[answer.Folder]("folder", "", "one folder of an outline", `{"Record":"folder","Path":"net/","Files":9,"Tokens":8000,"Language":"go"}`),
		record[detect.Finding]("finding", "Detector", "one place that a detector points at", `{"Record":"finding","Detector":"deep-nesting","Severity":"medium","Path":"net/server.go","Line":88,"Message":"control flow is nested 6 deep","Advice":"return early","Confidence":1,"Fingerprint":"9f86d081884c7d65"}`),
		record[detect.BaselineEntry]("baseline", "", "one line of a baseline of topo detect, which is not a stream", `{"Record":"baseline","Fingerprint":"9f86d081884c7d65","Detector":"deep-nesting","Path":"net/server.go","Symbol":"Server.serve"}`),
		record[agent.Event]("event", "Event", "one thing that happened in a session of topo agent; see events.md", `{"Record":"event","Event":"step","Session":"20261121-0910-7f3a","Seq":3,"Time":"2026-11-21T09:10:04.113Z","Step":1}`),
		record[session.Info]("session", "Started", "one session of topo agent sessions", `{"Record":"session","Session":"20261121-0910-7f3a","Started":"2026-11-21T09:10:04Z","Updated":"2026-11-21T09:12:40Z","Task":"fix the failing login","Outcome":"done","Steps":7,"Model":"m","Provider":"anthropic","Usage":{"Input":9120,"Output":811}}`),
		record[score.Explanation]("explanation", "Signals", "why topo explain ranks a file where it is", `{"Record":"explanation","Path":"net/server.go","Rank":1,"Score":2.1,"Role":"impl","Language":"go","Reasons":[],"Signals":[],"Terms":[]}`),
	}
}

// Answers lists the objects that answer questions, which topo graph, impact and
// detect print with --format json and topo mcp sends as structured content.
func Answers() []Kind {
	return []Kind{
		Object[answer.Walk]("walk-answer", "what uses a place, or what it uses"),
		Object[answer.Path]("path-answer", "a shortest way from one place to another"),
		Object[answer.Symbol]("symbol-answer", "the definitions of a name"),
		Object[answer.File]("file-answer", "what the graph knows of a file"),
		Object[answer.Outline]("outline-answer", "what a file defines, or what a folder holds"),
		Object[answer.Impact]("impact-answer", "what a change may affect"),
		Object[answer.Cycles]("cycles-answer", "cycles of imports or calls"),
		Object[answer.Communities]("communities-answer", "groups of files that use each other"),
		Object[answer.Hotspots]("hotspots-answer", "files that change often and are hard to change"),
		Object[answer.Query]("query-answer", "the rows of a query"),
		Object[answer.Stats]("stats-answer", "the counts of the graph"),
		Object[answer.Findings]("findings-answer", "places that detectors point at"),
	}
}

// OfAnswer is the schema of an answer of that type. It panics for a type that is
// not in [Answers].
func OfAnswer(a answer.Answer) *jsonschema.Schema {
	for _, k := range Answers() {
		if k.Type == reflect.TypeOf(a).Elem() {
			return k.Schema()
		}
	}
	panic(fmt.Sprintf("schema: the answer %T is not listed", a))
}

// rendering is what topo render --format json prints.
type rendering struct {
	Version     string        // of the stream
	Query       string        // the task
	Files       []stream.File // with their content
	TotalFiles  int           // in this object
	TotalTokens int           // as rendered
	LeftOut     string        `json:",omitempty"` // what a budget did not hold
}

// Rendering is the object that topo render prints.
func Rendering() Kind {
	return Object[rendering]("rendering", "the files of a selection with their content, as topo render --format json prints them")
}

func record[T any](name, key, doc, example string) Kind {
	return Kind{Name: name, Key: key, Doc: doc, Example: example, Type: reflect.TypeFor[T]()}
}

// Object is the kind of an object of type T that a command prints by itself.
func Object[T any](name, doc string) Kind {
	return Kind{Name: name, Doc: doc, Type: reflect.TypeFor[T](), Object: true}
}

// Schema is the schema of the kind.
func (k Kind) Schema() *jsonschema.Schema {
	special := own()
	fileSchema := of(reflect.TypeFor[stream.File](), special)
	fileSchema.Properties["PathBase64"] = &jsonschema.Schema{Type: "string", ContentEncoding: "base64", Description: "exact bytes of a path that is not valid UTF-8"}
	fileSchema.PropertyOrder = append(fileSchema.PropertyOrder, "PathBase64")
	extend(fileSchema, reflect.TypeFor[render.FileContent]())
	special[reflect.TypeFor[stream.File]()] = fileSchema
	var s *jsonschema.Schema
	switch k.Name {
	case file:
		s = fileSchema
	case footer:
		s = of(reflect.TypeFor[stream.Footer](), special)
		extend(s, k.Type)
		extend(s, reflect.TypeFor[render.Footer]())
	default:
		s = of(k.Type, special)
	}
	k.name(s)
	s.Schema, s.Title, s.Description = draft, "topo: "+k.Name, k.Doc
	return s
}

// extend adds the fields of t that a kind may have.
func extend(s *jsonschema.Schema, t reflect.Type) {
	more := of(t, own())
	for _, name := range more.PropertyOrder {
		if s.Properties[name] == nil {
			s.Properties[name] = more.Properties[name]
			s.PropertyOrder = append(s.PropertyOrder, name)
		}
	}
}

// name requires the name of the kind. A specified kind has none, and not the key of
// another specified kind.
func (k Kind) name(s *jsonschema.Schema) {
	if k.Specified() {
		for _, other := range []string{stream.NameKey, "Version", "Path", "TotalFiles"} {
			if other != k.Key {
				s.Properties[other] = &jsonschema.Schema{Not: &jsonschema.Schema{}}
				s.PropertyOrder = append(s.PropertyOrder, other)
			}
		}
		return
	}
	if s.Properties[stream.NameKey] == nil {
		s.PropertyOrder = append([]string{stream.NameKey}, s.PropertyOrder...)
		s.Required = append([]string{stream.NameKey}, s.Required...)
	}
	var name any = k.Name
	s.Properties[stream.NameKey] = &jsonschema.Schema{Type: "string", Const: &name, Description: "the name of the kind"}
}
