// Package topo finds the code of a repository that a task is about, and answers
// questions about the code.
//
// [Open] a repository, ask it with one of its methods, and print or use what
// comes back:
//
//	repo, err := topo.Open(ctx, ".", topo.Options{})
//	s, err := repo.Quick(ctx, "evict pods under memory pressure", topo.QuickOptions{})
//	err = repo.Render(ctx, os.Stdout, s, topo.RenderOptions{Budget: topo.Budget{MaxTokens: 8000}})
//
// The stages scan, index, rank, select and render work on a [stream.Stream], whose
// records are documented in package stream.
//
// What always holds: values go in and values come out. Nothing here reads a flag
// or the environment, prints, or ends the process; what a person may want to know
// goes to [Options.Report]. Every error says what, where and what to do, and
// [KindOf] tells whose fault it is. Every call ends when its context does. The
// repository is untrusted input: nothing in it is executed.
package topo

import (
	"cmp"
	"errors"
	"io/fs"

	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/render"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/stream"
)

// Budget is what a selection may cost. Tokens are counted by
// [render.DefaultTokenizer] unless Tokenizer names another.
type Budget = stream.Budget

// Counter counts the tokens of a text.
type Counter = render.Counter

// NewCounter counts as budgets do with that tokenizer, one of [render.Tokenizers];
// empty is the default.
func NewCounter(tokenizer string) (Counter, error) {
	return render.NewCounter(cmp.Or(tokenizer, render.DefaultTokenizer))
}

// The kinds of errors.
const (
	Usage       = fault.Usage       // wrong arguments, configuration, task or stream
	Environment = fault.Environment // the machine, its disk or its tools
	Remote      = fault.Remote      // a service that is not on this machine
)

// KindOf is whose fault err is; 0 when it does not say, as errors of the disk and
// of git do not.
func KindOf(err error) fault.Kind {
	var service *embed.Error
	if errors.As(err, &service) {
		return Remote
	}
	return fault.KindOf(err)
}

// Report takes what a person who waits may want to know. Functions that are nil
// are not called.
type Report struct {
	Note   func(text string) // one line, such as that git is missing
	Detail func(text string) // one line of less weight
	// Progress tells how many of total are done of a stage: "scan", "index",
	// "embed", "cases". total is -1 while it is not known. The first call of a
	// stage has 0 done; after the last, with done < 0, the stage has ended. It may
	// be called by several goroutines.
	Progress func(stage string, done, total int)
}

func (r Report) note(text string) {
	if r.Note != nil {
		r.Note(text)
	}
}

func (r Report) detail(text string) {
	if r.Detail != nil {
		r.Detail(text)
	}
}

// progress starts a stage. The function that it returns ends it.
func (r Report) progress(stage string, total int) (end func()) {
	if r.Progress == nil {
		return func() {}
	}
	r.Progress(stage, 0, total)
	return func() { r.Progress(stage, -1, total) }
}

// step is how far a stage is.
func (r Report) step(stage string, done, total int) {
	if r.Progress != nil {
		r.Progress(stage, done, total)
	}
}

// pathCause is the reason without the path that the message names already.
func pathCause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
