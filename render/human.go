package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/topo-dev/topo/stream"
)

// humanEncoder prints a table for a person: score, tokens, language, path and
// the lines chosen, with totals below it.
type humanEncoder struct {
	f     stream.Footer
	color bool
}

func newHuman(_ stream.Header, f stream.Footer, o *Options) encoder { return &humanEncoder{f, o.Color} }

// Colours are the eight of any terminal: its theme decides.
const (
	bold  = "\x1b[1m"
	green = "\x1b[32m"
	cyan  = "\x1b[36m"
	dim   = "\x1b[2m"
	reset = "\x1b[0m"
)

func (e *humanEncoder) paint(code, s string) string {
	if !e.color || s == "" {
		return s
	}
	return code + s + reset
}

func (e *humanEncoder) open([]*Doc) []byte {
	return []byte(e.paint(bold, fmt.Sprintf("%9s %8s  %-11s %s", "SCORE", "TOKENS", "LANGUAGE", "PATH")) + "\n")
}

func (e *humanEncoder) section(d *Doc, _ int) section {
	const langWidth = 11
	lang := safeText(d.File.Language)
	pad := strings.Repeat(" ", max(langWidth-utf8.RuneCountInString(lang), 0))
	var notes []string
	if len(d.File.Chunks) > 0 && d.Spans == nil {
		notes = append(notes, plural(len(d.File.Chunks), "part"))
	}
	if why := missing(d); why != "" {
		notes = append(notes, safeText(why))
	}
	if d.sameAs != "" {
		notes = append(notes, "same content as "+safePath(d.sameAs))
	}
	if d.Stale {
		notes = append(notes, "changed since indexed")
	}
	note := ""
	if len(notes) > 0 {
		note = "  " + e.paint(dim, "("+strings.Join(notes, ", ")+")")
	}
	return atomic([]byte(fmt.Sprintf("%s %8d  %s%s %s%s\n",
		e.paint(green, fmt.Sprintf("%9.4f", d.File.Score)), d.File.Tokens,
		e.paint(cyan, lang), pad, safePath(d.File.Path), note)))
}

func (e *humanEncoder) close(docs []*Doc, left leftOut) []byte {
	t := totals(docs, e.f)
	s := fmt.Sprintf("%s, %s", plural(t.TotalFiles, "file"), plural(t.TotalTokens, "token"))
	if t.ScannedFiles > 0 {
		s += fmt.Sprintf(", of %s scanned", plural(t.ScannedFiles, "file"))
	}
	b := []byte(e.paint(bold, s) + "\n")
	if !left.none() {
		b = append(b, left.note()+"\n"...)
	}
	return b
}

// totals is the footer of what is printed.
func totals(docs []*Doc, f stream.Footer) stream.Footer {
	f.TotalFiles, f.TotalTokens = len(docs), 0
	for _, d := range docs {
		f.TotalTokens += d.File.Tokens
	}
	return f
}
