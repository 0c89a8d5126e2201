package codebase

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"

	"github.com/topo-dev/topo/agent"
	"github.com/topo-dev/topo/agent/tool"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/detect"
	"github.com/topo-dev/topo/index/fresh"
	"github.com/topo-dev/topo/stream"
)

//go:embed desc/*.md
var descriptions embed.FS

// Source gives the index of the tree as it is now; [fresh.Server] is one.
type Source interface {
	Snapshot(context.Context) (*fresh.Snapshot, error)
}

// Options are what the tools need.
type Options struct {
	Source Source
	// Preset ranks the files of search and retrieve; empty is
	// score.DefaultPreset.
	Preset string
	// Detectors are what run_detectors runs; package rules lists them.
	Detectors []detect.Detector
	// Readable reports whether the source of a file may be shown; nil shows all.
	// What is denied is neither found nor shown; the names and places of its
	// definitions stay part of the graph.
	Readable func(path string) bool
	// Mask replaces what must not be shown in the whole content of a file, line by
	// line; nil shows all.
	Mask func(content []byte) []byte
}

// Tools are the tools, sorted by name.
func Tools(o Options) []agent.Tool {
	b := &base{Options: o}
	return []agent.Tool{
		b.impactTool(),
		b.findingsTool(),
		b.outlineTool(),
		b.queryTool(),
		b.renderTool(),
		b.retrieveTool(),
		b.detectTool(),
		b.searchTool(),
		b.symbolTool(),
		b.traceTool(),
	}
}

type base struct {
	Options
	found findings
}

// everything is what each of the tools reads: the index shows the whole tree.
func everything() []agent.Access { return []agent.Access{{Op: agent.OpRead, Path: "."}} }

// defineText makes a tool whose answer is a text that is made from a snapshot of
// the index.
func defineText[In any](b *base, name string, answer func(context.Context, *fresh.Snapshot, In, *text) error) agent.Tool {
	return define(b, name, nil, func(ctx context.Context, v *fresh.Snapshot, in In) (agent.Output, error) {
		t := &text{}
		if v.Warning != "" {
			t.line("Note: %s.", outOfDate(v))
		}
		if err := answer(ctx, v, in, t); err != nil {
			return agent.Output{}, explained(err)
		}
		return agent.Output{Text: t.String(), Hints: t.hints}, nil
	})
}

// define makes a tool whose description is desc/<name>.md. output is the schema
// of its structured answers, nil when it has none.
func define[In any](b *base, name string, output []byte, answer func(context.Context, *fresh.Snapshot, In) (agent.Output, error)) agent.Tool {
	description, err := descriptions.ReadFile("desc/" + name + ".md")
	if err != nil {
		panic(err) // a file of this package
	}
	access := func(In) ([]agent.Access, error) { return everything(), nil }
	return tool.New(tool.Definition{Name: name, Description: string(description), Output: output, ReadOnly: true, Idempotent: true}, access,
		func(ctx context.Context, in In) (agent.Output, error) {
			v, err := b.Source.Snapshot(ctx)
			if building := (*fresh.BuildingError)(nil); errors.As(err, &building) {
				return whileBuilding(building, output != nil)
			} else if err != nil {
				return agent.Output{}, err
			}
			defer v.Close()
			if b.Readable != nil {
				v.Files = slices.DeleteFunc(slices.Clone(v.Files), func(f stream.File) bool { return !b.Readable(f.Path) })
			}
			return answer(ctx, v, in)
		})
}

// outOfDate says why an answer may not be of the tree as it is.
func outOfDate(v *fresh.Snapshot) string {
	return fmt.Sprintf("this may be out of date (%s)", answer.Visible(v.Warning))
}
