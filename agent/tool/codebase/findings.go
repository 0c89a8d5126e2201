package codebase

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/index"
)

// findings are what the detectors found in the newest index that was asked about.
type findings struct {
	mu  sync.Mutex
	of  *index.Index // nil before the first
	all []detect.Finding
}

// detected are the findings of all detectors, in the order of their places. They
// are found once for an index.
func (b *base) detected(ctx context.Context, s *answer.Session) ([]detect.Finding, error) {
	b.found.mu.Lock()
	defer b.found.mu.Unlock()
	if b.found.of == s.Index {
		return b.found.all, nil
	}
	res, err := s.Detect(ctx, b.Detectors, detect.Options{})
	if err != nil {
		return nil, err
	}
	b.found.of, b.found.all = s.Index, res.Findings
	return res.Findings, nil
}

// choose asks for findings. Detectors that do not exist are an error.
func (b *base) choose(ctx context.Context, s *answer.Session, path string, o answer.FindingsOptions) (*answer.Findings, error) {
	all, err := b.detected(ctx, s)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, d := range b.Detectors {
		known = append(known, d.ID)
	}
	for _, id := range o.Detectors {
		if !slices.Contains(known, id) {
			return nil, fmt.Errorf("there is no detector %q; they are %s", id, strings.Join(known, ", "))
		}
	}
	if path != "" {
		o.Paths = []string{path}
	}
	o.BySeverity = true
	return s.Findings(all, o)
}

type detectInput struct {
	Detectors []string `json:"detectors,omitempty" jsonschema:"Only these detectors, such as import-cycle or unused-function"`
	Path      string   `json:"path,omitempty" jsonschema:"Only files whose path matches this glob, or in this folder"`
	Severity  string   `json:"min_severity,omitempty" jsonschema:"Leave out what is less severe" tool:"enum=low|medium|high,default=low"`
}

// detectWorst is how many of the worst findings a run shows.
const detectWorst = 15

func (b *base) detectTool() agent.Tool {
	return defineAnswer(b, "run_detectors", []answer.Answer{&answer.Findings{}}, func(ctx context.Context, s *answer.Session, in detectInput) (reply, error) {
		a, err := b.choose(ctx, s, in.Path, answer.FindingsOptions{Detectors: in.Detectors, MinSeverity: in.Severity, Limit: detectWorst, Counts: true})
		if err != nil || a.Total == 0 {
			return reply{Answer: a}, err
		}
		return reply{a, []string{"get_findings lists them all, by detector or path, with what to do about them",
			"symbol and analyze_impact show what depends on the place of a finding"}}, nil
	})
}

type findingsInput struct {
	Detector string `json:"detector,omitempty" jsonschema:"Only what this detector found"`
	Path     string `json:"path,omitempty" jsonschema:"Only files whose path matches this glob, or in this folder, or this file"`
	Severity string `json:"min_severity,omitempty" jsonschema:"Leave out what is less severe" tool:"enum=low|medium|high,default=low"`
	Offset   int    `json:"offset,omitempty" jsonschema:"How many to pass over, to page" tool:"min=0,max=1000000,default=0"`
	Limit    int    `json:"limit,omitempty" jsonschema:"How many to list" tool:"min=1,max=200,default=40"`
}

func (b *base) findingsTool() agent.Tool {
	return defineAnswer(b, "get_findings", []answer.Answer{&answer.Findings{}}, func(ctx context.Context, s *answer.Session, in findingsInput) (reply, error) {
		o := answer.FindingsOptions{MinSeverity: in.Severity, Offset: in.Offset, Limit: orDefault(in.Limit, 40)}
		if in.Detector != "" {
			o.Detectors = []string{in.Detector}
		}
		a, err := b.choose(ctx, s, in.Path, o)
		if err != nil || len(a.Findings) == 0 {
			return reply{Answer: a}, err
		}
		r := reply{Answer: a}
		if last := a.Offset + len(a.Findings); last < a.Total {
			r.hints = append(r.hints, fmt.Sprintf("offset %d goes on", last))
		}
		r.hints = append(r.hints, "a false one is taken back by a comment in the code above it: topo:ignore "+a.Findings[0].Detector)
		return r, nil
	})
}
