package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/internal/shellquote"
	"github.com/topo-dev/topo/stream"
)

// write writes an answer in the format asked for. Hints for a person go to
// standard error.
func (g *openGraph) write(ctx context.Context, a answer.Answer) error {
	w := bufio.NewWriter(g.o.f.out)
	format := g.o.format()
	var err error
	switch format {
	case "human":
		a.Text(w, answer.TextOptions{Color: g.o.f.color()})
	case "json":
		err = encodeAnswer(w, a)
	case "dot", "mermaid":
		err = topo.AnswerError(ctx, a.Rest().Drawing(ctx, w, format))
	default:
		err = writeStream(w, a, g.repo.Fingerprint(), g.footer(a))
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil || format == "json" || format == "jsonl" {
		return err
	}
	if limit := a.Rest().Truncated; limit != "" {
		g.o.f.notef("there is more: cut short by the limit of %s", limit)
	}
	for _, h := range g.hints(a) {
		g.o.f.notef("hint: %s", h)
	}
	return nil
}

// encodeAnswer writes an answer as one object.
func encodeAnswer(w io.Writer, a answer.Answer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(a)
}

// writeStream writes an answer as a stream of records.
func writeStream(w io.Writer, a answer.Answer, fingerprint string, footer any) error {
	out := stream.NewWriter(w)
	h := a.Frame()
	err := out.Write(stream.Header{Version: h.Version, Query: h.Query, Preset: h.Preset, Root: h.Root, Rev: h.Rev, Fingerprint: fingerprint})
	for _, v := range a.Records() {
		if err == nil {
			err = out.Write(v)
		}
	}
	if err == nil {
		err = out.Write(footer)
	}
	if err == nil {
		err = out.Flush()
	}
	return err
}

func (g *openGraph) footer(a answer.Answer) answer.Footer {
	r := a.Rest()
	f := answer.Footer{TotalSymbols: r.TotalSymbols, Truncated: r.Truncated, Hints: g.hints(a)}
	f.TotalFiles, f.TotalTokens, f.ScannedFiles = r.TotalFiles, r.TotalTokens, r.ScannedFiles
	if im, ok := a.(*answer.Impact); ok {
		f.Impact = &im.Impact
	}
	return f
}

// hints are the hints of an answer, with questions as commands.
func (g *openGraph) hints(a answer.Answer) []string {
	list := []string{}
	for _, h := range a.Rest().Hints {
		list = append(list, h.Say(g.command, func(name string) string { return "--" + name }))
	}
	return list
}

// command is the command that asks a question, with the flags that say which
// index the answer came from.
func (g *openGraph) command(a answer.Ask) string {
	var b strings.Builder
	switch a.Question {
	case "index":
		b.WriteString("topo index --deep")
		if g.o.Rev != "" {
			b.WriteString(" --rev " + g.o.Rev)
		}
	case "search":
		b.WriteString("topo quick")
	case "diff":
		b.WriteString("topo impact --diff")
	default:
		b.WriteString("topo graph " + a.Question)
		given := g.repo.Given()
		if !g.o.f.rootGiven {
			given = "" // found from here as well
		}
		for _, f := range [][2]string{{"root", given}, {"cache-dir", g.o.f.cacheDir}, {"rev", g.o.Rev}} {
			if f[1] != "" {
				b.WriteString(" --" + f[0] + " " + shellquote.Quote(f[1]))
			}
		}
	}
	for _, p := range a.Places {
		b.WriteString(" " + shellquote.Quote(p))
	}
	for _, o := range a.Options {
		name, value, has := strings.Cut(o, "=")
		if b.WriteString(" --" + name); has {
			b.WriteString(" " + shellquote.Quote(value))
		}
	}
	return b.String()
}
