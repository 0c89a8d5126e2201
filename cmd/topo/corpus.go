package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/stream"
)

// smallTree is how much text, in bytes, is indexed without being asked: it
// takes about a second. A larger tree is searched as it is.
const smallTree = 16 << 20

// corpus is what the ranking of files reads. It is the one place that decides
// whether an index is used, brought up to date or built:
//
//	fast       nothing
//	balanced   the deep index if there is one, brought up to date; else one
//	           is built when the tree is small
//	deep, …    the deep index, built or brought up to date
//
// Without an index, or for a part of the tree only, the files are searched.
func (t *tree) corpus(ctx context.Context, s *wholeStream, files []stream.File, plan score.Plan, q *score.Query) (score.Corpus, error) {
	if !plan.Reads() {
		return nil, nil
	}
	t.allow(files)
	if s.indexed {
		if t.deep != nil {
			return &score.Deep{Index: t.deep}, nil
		}
		return t.lexical(ctx, files, q)
	}
	x, err := t.ensureIndex(ctx, files, plan.Preset.Fresh)
	if err != nil {
		return nil, err
	}
	if x != nil {
		return &score.Deep{Index: x}, nil
	}
	return t.lexical(ctx, files, q)
}

// ensureIndex returns a deep index that shows files, or nil when they are to
// be searched without one.
func (t *tree) ensureIndex(ctx context.Context, files []stream.File, always bool) (*index.Index, error) {
	if t.updated {
		return t.openDeep()
	}
	x, err := t.openDeep()
	newer := (*index.VersionError)(nil)
	if errors.As(err, &newer) {
		t.f.notef("%v; ranking without it", err)
		return nil, nil
	}
	if err == nil && x == nil && !always && textSize(files) > smallTree {
		t.f.hintDeep()
		return nil, nil
	}
	if err == nil && x != nil && t.partial(files) {
		t.f.verbosef("the stream is a part of what the index shows; ranking without it")
		return nil, nil
	}
	if err := t.prepareCache(); err != nil && (x == nil || !errors.Is(err, fs.ErrPermission)) {
		t.f.notef("%v; ranking without an index", err)
		return nil, nil
	}
	if _, err := t.updateDeep(ctx, files, false); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		t.f.notef("%v; ranking without an index", err)
		return nil, nil
	}
	return t.openDeep()
}

// textSize is the size of all content that is used, in bytes.
func textSize(files []stream.File) (n int64) {
	for i := range files {
		if files[i].Skipped == "" {
			n += files[i].Size
		}
	}
	return n
}

// lexical searches the files as they are.
func (t *tree) lexical(ctx context.Context, files []stream.File, q *score.Query) (score.Corpus, error) {
	src, err := t.source(ctx)
	if err != nil {
		return nil, err
	}
	return score.NewLexical(ctx, files, q, score.LexicalOptions{Reader: src, Parse: chunk.Parse})
}

// indexedStream is the stream of what was indexed: of the deep index when the
// plan reads contents and there is one, else of the list of files.
func (t *tree) indexedStream(plan score.Plan) (*wholeStream, error) {
	h := stream.Header{Root: t.given, Rev: t.rev, Fingerprint: t.repo.Fingerprint}
	if plan.Reads() {
		x, err := t.openDeep()
		if err != nil {
			return nil, err
		}
		if x != nil {
			files, err := x.Records()
			if err != nil {
				return nil, envError{err}
			}
			s := newStream(h, files, len(files))
			s.indexed = true
			return s, nil
		}
		if plan.Preset.Fresh {
			return nil, usagef(`index: no deep one in %s, which preset %s needs; build it with "topo index --deep"`, t.cache, plan.Preset.Name)
		}
	}
	_, files, foot, err := index.ReadShallow(t.shallowPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef(`index: none in %s; build one with "topo index --deep", or use "topo quick"`, t.cache)
	} else if err != nil {
		return nil, envError{err}
	}
	if plan.Reads() {
		t.f.hintDeep()
	}
	s := newStream(h, files, foot.ScannedFiles)
	s.indexed = true
	return s, nil
}

// hintDeep says what a deep index would give.
func (f *factory) hintDeep() {
	f.notef("ranked without an index; topo index --deep makes this faster and symbol-aware")
}
