package codebase

import (
	"context"
	"errors"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/index/graph/algo"
)

type impactInput struct {
	Of    string `json:"of,omitempty" jsonschema:"What would change: a name, path:name, path:line or a path"`
	Diff  string `json:"diff,omitempty" jsonschema:"Instead of of: everything that changed between this commit (such as HEAD) and the working tree"`
	Depth int    `json:"depth,omitempty" jsonschema:"How many edges in a row" tool:"min=1,max=10,default=3"`
	Limit int    `json:"limit,omitempty" jsonschema:"How many places to list in each tier" tool:"min=1,max=200,default=30"`
}

func (b *base) impactTool() agent.Tool {
	return defineAnswer(b, "analyze_impact", []answer.Answer{&answer.Impact{}}, impact)
}

func impact(ctx context.Context, s *answer.Session, in impactInput) (r reply, err error) {
	o := answer.ImpactOptions{Depth: in.Depth, PerTier: orDefault(in.Limit, 30)}
	var a *answer.Impact
	switch {
	case (in.Of == "") == (in.Diff == ""):
		return r, errors.New("say what changes: either of, a place, or diff, a commit such as HEAD")
	case in.Of != "":
		a, err = s.Impact(ctx, in.Of, o)
	default:
		a, err = s.ImpactOfDiff(ctx, answer.Diff{Range: in.Diff}, o)
	}
	if err != nil {
		return r, err
	}
	r.Answer = a
	if a.Impact.Tests == 0 && a.Impact.Symbols > 0 && a.Impact.Level != algo.LevelUnknown {
		r.hints = []string{"no test covers it: write one before you change it"}
	}
	return r, nil
}
