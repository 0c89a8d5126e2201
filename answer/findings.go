package answer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/score"
)

// FindingsOptions choose among findings.
type FindingsOptions struct {
	Detectors   []string // only what these found; nil for all
	Paths       []string // only files that one of these globs matches, or below one of these folders; nil for all
	MinSeverity string   // low, medium or high; empty for low
	BySeverity  bool     // the most severe first, not by path; always so when Limit cuts
	Offset      int      // how many to pass over
	Limit       int      // most findings; 0 for all
	Counts      bool     // count by severity and detector
}

// Findings are places that detectors point at.
type Findings struct {
	Head
	Findings   []detect.Finding
	Offset     int    `json:",omitempty"` // how many were passed over
	Total      int    // how many there are, those not listed included
	BySeverity Object `json:",omitempty"` // how many of each severity, when it was asked for
	ByDetector Object `json:",omitempty"` // likewise of each detector
	Tail
}

// Detect runs detectors over the whole index.
func (s *Session) Detect(ctx context.Context, list []detect.Detector, o detect.Options) (*detect.Result, error) {
	code, err := detect.NewCode(ctx, s.Index, s.Graph)
	if err != nil {
		return nil, err
	}
	return detect.Run(ctx, code, list, o)
}

// Findings chooses among what detectors found, which may be a part of what
// [Session.Detect] returned.
func (s *Session) Findings(all []detect.Finding, o FindingsOptions) (*Findings, error) {
	least, err := detect.ParseSeverity(cmp.Or(o.MinSeverity, detect.Low.String()))
	if err != nil {
		return nil, fault.Of(fault.Usage, err)
	}
	keep := Within(o.Paths)
	var list []detect.Finding
	for _, f := range all {
		if f.Severity >= least && (len(o.Detectors) == 0 || slices.Contains(o.Detectors, f.Detector)) && (keep == nil || keep(f.Path)) {
			list = append(list, f)
		}
	}
	a := &Findings{Head: s.head("findings-answer", ""), Total: len(list), Offset: min(o.Offset, len(list)), Tail: s.tail()}
	a.Preset = presetDetect
	if o.Counts {
		a.BySeverity = counted(list, func(f detect.Finding) string { return f.Severity.String() })
		a.ByDetector = counted(list, func(f detect.Finding) string { return f.Detector })
	}
	if o.BySeverity || o.Limit > 0 && len(list) > o.Limit {
		list = detect.BySeverity(list)
	}
	list = list[a.Offset:]
	if o.Limit > 0 && len(list) > o.Limit {
		list = list[:o.Limit]
		a.cut("findings")
	}
	a.Findings = append([]detect.Finding{}, list...)
	return a, nil
}

// Within accepts the paths that one of the globs matches or that lie below one of
// them; nil when there is none.
func Within(globs []string) func(path string) bool {
	if len(globs) == 0 {
		return nil
	}
	return func(path string) bool {
		return slices.ContainsFunc(globs, func(glob string) bool {
			glob = strings.TrimPrefix(glob, "./")
			folder := strings.TrimSuffix(glob, "/")
			return folder == "" || folder == "." || path == folder || strings.HasPrefix(path, folder+"/") || score.Glob(glob, path)
		})
	}
}

func counted(all []detect.Finding, key func(detect.Finding) string) (o Object) {
	n := map[string]int{}
	for _, f := range all {
		n[key(f)]++
	}
	for _, k := range byCount(n) {
		o.Add(k, n[k])
	}
	return o
}

// Records are the findings.
func (a *Findings) Records() []any { return anys(a.Findings) }

// Text lists the findings with the advice of each kind once.
func (a *Findings) Text(w io.Writer, o TextOptions) {
	t := newText(w, o)
	if a.BySeverity != nil {
		t.line("%s: %s", english.Count(a.Total, "finding"), countsText(a.BySeverity))
		t.line("by detector: %s", countsText(a.ByDetector))
	}
	if len(a.Findings) == 0 {
		t.line("nothing found")
		return
	}
	if first := a.Offset; first > 0 || len(a.Findings) < a.Total && a.BySeverity != nil {
		t.line("%d to %d of %d, the worst first:", first+1, first+len(a.Findings), a.Total)
	}
	advised := map[string]bool{}
	for _, f := range a.Findings {
		place := f.Path
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d", f.Path, f.Line)
		}
		t.line("%s %s  %s", t.paint(severityColor(f.Severity), fmt.Sprintf("%-6s", f.Severity)), t.paint(bold, Visible(place)), t.paint(cyan, f.Detector))
		t.line("       %s", Visible(f.Message))
		if !advised[f.Detector] {
			advised[f.Detector] = true
			t.line("       %s", t.paint(dim, "→ "+f.Advice))
		}
	}
}

func severityColor(s detect.Severity) string {
	switch s {
	case detect.High:
		return red
	case detect.Medium:
		return yellow
	}
	return dim
}

func countsText(o Object) string {
	parts := make([]string, len(o))
	for i, f := range o {
		parts[i] = fmt.Sprintf("%s %d", f.Key, f.Value)
	}
	return strings.Join(parts, ", ")
}
