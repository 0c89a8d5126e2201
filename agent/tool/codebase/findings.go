package codebase

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/index/fresh"
)

// findings are what the detectors found in the newest state that was requested.
type findings struct {
	mu  sync.Mutex
	id  uint64 // of the state; 0 before the first
	all []detect.Finding
}

// detected are the findings of all detectors in a view, in the order of their
// places. They are found once for a state.
func (b *base) detected(ctx context.Context, v *fresh.Snapshot) ([]detect.Finding, error) {
	b.found.mu.Lock()
	defer b.found.mu.Unlock()
	if b.found.id == v.ID && v.ID != 0 {
		return b.found.all, nil
	}
	code, err := detect.NewCode(ctx, v.Index, v.Graph)
	if err != nil {
		return nil, err
	}
	res, err := detect.Run(ctx, code, b.Detectors, detect.Options{})
	if err != nil {
		return nil, err
	}
	b.found.id, b.found.all = v.ID, res.Findings
	return res.Findings, nil
}

// findingFilter restricts findings.
type findingFilter struct {
	detectors   []string
	path        string
	minSeverity string
}

func (b *base) choose(all []detect.Finding, c findingFilter) ([]detect.Finding, error) {
	minSeverity, err := detect.ParseSeverity(cmp.Or(c.minSeverity, detect.Low.String()))
	if err != nil {
		return nil, err
	}
	var known []string
	for _, d := range b.Detectors {
		known = append(known, d.ID)
	}
	for _, id := range c.detectors {
		if !slices.Contains(known, id) {
			return nil, fmt.Errorf("there is no detector %q; they are %s", id, strings.Join(known, ", "))
		}
	}
	var out []detect.Finding
	for _, f := range all {
		if f.Severity >= minSeverity && (len(c.detectors) == 0 || slices.Contains(c.detectors, f.Detector)) && (c.path == "" || inFolder(c.path, f.Path)) {
			out = append(out, f)
		}
	}
	return detect.BySeverity(out), nil
}

type detectInput struct {
	Detectors []string `json:"detectors,omitempty" jsonschema:"Only these detectors, such as import-cycle or unused-function"`
	Path      string   `json:"path,omitempty" jsonschema:"Only files whose path matches this glob, or in this folder"`
	Severity  string   `json:"min_severity,omitempty" jsonschema:"Leave out what is less severe" tool:"enum=low|medium|high,default=low"`
}

// detectWorst is how many of the worst findings a run shows.
const detectWorst = 15

func (b *base) detectTool() agent.Tool { return define(b, "run_detectors", b.detect) }

func (b *base) detect(ctx context.Context, v *fresh.Snapshot, in detectInput, t *text) error {
	all, err := b.detected(ctx, v)
	if err != nil {
		return err
	}
	all, err = b.choose(all, findingFilter{in.Detectors, in.Path, in.Severity})
	if err != nil {
		return err
	}
	if len(all) == 0 {
		t.line("Nothing found.")
		return nil
	}
	t.line("%s: %s", plural(len(all), "finding"), counts(all, func(f detect.Finding) string { return f.Severity.String() }))
	t.line("by detector: %s", counts(all, func(f detect.Finding) string { return f.Detector }))
	t.line("The worst:")
	for _, f := range all[:min(len(all), detectWorst)] {
		t.finding(f)
	}
	t.hint("get_findings lists them all, by detector or path, with what to do about them")
	t.hint("symbol and analyze_impact show what depends on the place of a finding")
	return nil
}

func counts(all []detect.Finding, key func(detect.Finding) string) string {
	n := map[string]int{}
	for _, f := range all {
		n[key(f)]++
	}
	return counted(n)
}

// finding writes one finding on a line.
func (t *text) finding(f detect.Finding) {
	place := visible(f.Path)
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, f.Line)
	}
	t.line("  %s %s  %s: %s", f.Severity, f.Detector, place, visible(f.Message))
}

type findingsInput struct {
	Detector string `json:"detector,omitempty" jsonschema:"Only what this detector found"`
	Path     string `json:"path,omitempty" jsonschema:"Only files whose path matches this glob, or in this folder, or this file"`
	Severity string `json:"min_severity,omitempty" jsonschema:"Leave out what is less severe" tool:"enum=low|medium|high,default=low"`
	Offset   int    `json:"offset,omitempty" jsonschema:"How many to pass over, to page" tool:"min=0,max=1000000,default=0"`
	Limit    int    `json:"limit,omitempty" jsonschema:"How many to list" tool:"min=1,max=200,default=40"`
}

func (b *base) findingsTool() agent.Tool { return define(b, "get_findings", b.findings) }

func (b *base) findings(ctx context.Context, v *fresh.Snapshot, in findingsInput, t *text) error {
	all, err := b.detected(ctx, v)
	if err != nil {
		return err
	}
	c := findingFilter{nil, in.Path, in.Severity}
	if in.Detector != "" {
		c.detectors = []string{in.Detector}
	}
	if all, err = b.choose(all, c); err != nil {
		return err
	}
	first := min(in.Offset, len(all))
	last := min(first+orDefault(in.Limit, 40), len(all))
	if first == last {
		t.line("Nothing found (%s in all).", plural(len(all), "finding"))
		return nil
	}
	t.line("findings %d to %d of %d, the worst first:", first+1, last, len(all))
	advised := map[string]bool{}
	for _, f := range all[first:last] {
		t.finding(f)
		if !advised[f.Detector] {
			advised[f.Detector] = true
			t.line("      → %s", f.Advice)
		}
	}
	if last < len(all) {
		t.hint("offset %d goes on", last)
	}
	t.hint("a false one is taken back by a comment in the code above it: topo:ignore %s", all[first].Detector)
	return nil
}
