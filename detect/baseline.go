package detect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/topo-dev/topo/stream"
)

// maxBaseline bounds a baseline in bytes; a line of one is far below a kilobyte.
const maxBaseline = 64 << 20

// Baseline holds the findings that are known and accepted.
type Baseline map[string]bool // by fingerprint

// BaselineEntry is one line of a baseline.
//
//	{"Record":"baseline","Fingerprint":"9f86d081884c7d65","Detector":"deep-nesting","Path":"net/server.go","Symbol":"Server.serve"}
type BaselineEntry struct {
	Fingerprint string
	Detector    string
	Path        string
	Symbol      string `json:",omitempty"`
}

// RecordKind is the name of the lines of a baseline.
func (BaselineEntry) RecordKind() string { return "baseline" }

// ReadBaseline reads a baseline: one JSON object a line, of which only the
// fingerprint counts, so a stream of findings is one, too. Records without
// a fingerprint are passed over. The error names the line.
func ReadBaseline(r io.Reader) (Baseline, error) {
	b := Baseline{}
	in := bufio.NewScanner(io.LimitReader(r, maxBaseline+1))
	in.Buffer(nil, 1<<20)
	read := 0
	for n := 1; in.Scan(); n++ {
		if read += len(in.Bytes()) + 1; read > maxBaseline {
			return nil, fmt.Errorf("line %d: the baseline is larger than %d bytes", n, maxBaseline)
		}
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var e BaselineEntry
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("line %d: not a JSON object: %w", n, err)
		}
		if e.Fingerprint != "" {
			b[e.Fingerprint] = true
		}
	}
	return b, in.Err()
}

// WriteBaseline writes the findings as a baseline, in their order.
func WriteBaseline(w io.Writer, all []Finding) error {
	out := stream.NewWriter(w)
	for _, f := range all {
		if err := out.Write(BaselineEntry{f.Fingerprint, f.Detector, f.Path, f.Symbol}); err != nil {
			return err
		}
	}
	return out.Flush()
}

// New are the findings that are not in the baseline, and gone is how many of
// the baseline are not found any more.
func (b Baseline) New(all []Finding) (fresh []Finding, gone int) {
	fresh = []Finding{}
	met := 0
	for _, f := range all {
		if b[f.Fingerprint] {
			met++
		} else {
			fresh = append(fresh, f)
		}
	}
	return fresh, len(b) - met
}
