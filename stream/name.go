package stream

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Named is a value whose record names its kind. [Marshal] and [Writer.Write] put
// the name in front of the other fields:
//
//	{"Record":"symbol","Symbol":"Server.Close","Kind":"method",…}
//
// Headers, files and footers have no name: their keys are those of the
// specification.
type Named interface {
	// RecordKind returns the name, the same for every value of the type.
	RecordKind() string
}

// NameKey is the key of the name of a record's kind.
const NameKey = "Record"

// Marshal encodes v as [Writer.Write] does, on one line without its end.
// Characters that only HTML escapes are not escaped.
func Marshal(v any) ([]byte, error) {
	raw, err := marshal(v)
	n, named := v.(Named)
	if err != nil || !named || len(raw) < 2 || raw[0] != '{' {
		return raw, err
	}
	b := strconv.AppendQuote([]byte(`{"`+NameKey+`":`), n.RecordKind())
	if raw[1] != '}' {
		b = append(b, ',')
	}
	return append(b, raw[1:]...), nil
}

// names are the kinds of records that name their kind. A hotspot is a file with
// what makes it hot, and every stage may read it as a file.
var names = map[string]Kind{
	"event": KindEvent, "finding": KindFinding, "symbol": KindSymbol, "edge": KindEdge, "hotspot": KindFile,
}

// kind tells what kind of record has these fields. A record without a name is of
// the first kind whose key it has: earlier versions wrote no names.
func (r *Record) kind() Kind {
	if i := r.find(NameKey); i >= 0 {
		var name string
		if json.Unmarshal(bytes.TrimSpace(r.fields[i].raw), &name) == nil {
			return names[name] // KindOther for a name that is not known
		}
	}
	for _, k := range kindKeys {
		if r.find(k.key) >= 0 {
			return k.kind
		}
	}
	return KindOther
}
