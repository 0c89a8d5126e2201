package detect

import (
	"fmt"
	"strings"
)

// Severity says how much a finding matters.
type Severity uint8

// The severities.
const (
	Low Severity = iota
	Medium
	High
)

var severities = [...]string{"low", "medium", "high"}

// Severities lists the names of the severities, the least first.
func Severities() []string { return severities[:] }

// String is the severity's name in records.
func (s Severity) String() string { return severities[min(int(s), len(severities)-1)] }

// MarshalText is the name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name.
func (s *Severity) UnmarshalText(b []byte) (err error) {
	*s, err = ParseSeverity(string(b))
	return err
}

// RecordKind is the name of the records of findings in a stream.
func (Finding) RecordKind() string { return "finding" }

// ParseSeverity reads the name of a severity.
func ParseSeverity(name string) (Severity, error) {
	for i, n := range severities {
		if n == strings.ToLower(name) {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q; one of %s", name, strings.Join(severities[:], ", "))
}

// Finding is one place that a detector points at, and a record of the stream.
//
//	{"Record":"finding","Detector":"deep-nesting","Severity":"medium","Path":"net/server.go","Line":88,"EndLine":140,"Symbol":"Server.serve","Message":"control flow is nested 6 deep","Advice":"…","Confidence":1,"Value":6,"Limit":5,"Fingerprint":"9f86d081884c7d65"}
type Finding struct {
	Detector    string
	Severity    Severity
	Path        string
	Line        int    `json:",omitempty"` // 1-based; absent when the whole file is meant
	EndLine     int    `json:",omitempty"`
	Symbol      string `json:",omitempty"` // qualified within its file
	Message     string
	Advice      string   // what to do about it
	Confidence  float64  // that it is true, 0 to 1
	Value       int      `json:",omitempty"` // what was measured
	Limit       int      `json:",omitempty"` // from which value on it is reported
	Related     []string `json:",omitempty"` // other places that it is about
	Fingerprint string   // 16 hex digits; the same as long as detector, path and symbol are
}
