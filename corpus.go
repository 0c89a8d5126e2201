package topo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/topo-dev/topo/chunk"
	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
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
func (r *Repo) corpus(ctx context.Context, s *stream.Stream, q *Query) (score.Corpus, error) {
	if !q.plan.Reads() {
		return nil, nil
	}
	files := s.Files()
	r.allow(files)
	if r.o.IndexFile != "" {
		return r.deepCorpus()
	}
	if s.Indexed {
		if r.deep != nil {
			return r.deepCorpus()
		}
		return r.lexical(ctx, files, q.parsed)
	}
	x, err := r.ensureIndex(ctx, files, q.plan.Preset.Fresh)
	if err != nil {
		return nil, err
	}
	if x != nil {
		return r.deepCorpus()
	}
	return r.lexical(ctx, files, q.parsed)
}

// deepCorpus is the deep index, which must be there.
func (r *Repo) deepCorpus() (*score.Deep, error) {
	x, err := r.openDeep()
	if err != nil {
		return nil, err
	}
	return &score.Deep{Index: x}, nil
}

// ensureIndex returns a deep index that holds files, or nil when they are to be
// searched without one.
func (r *Repo) ensureIndex(ctx context.Context, files []stream.File, always bool) (*index.Index, error) {
	if r.updated {
		return r.openDeep()
	}
	x, err := r.openDeep()
	newer := (*index.VersionError)(nil)
	if errors.As(err, &newer) {
		r.o.Report.note(fmt.Sprintf("%v; ranking without it", err))
		return nil, nil
	}
	if err == nil && x == nil && !always && textSize(files) > smallTree {
		r.hintDeep()
		return nil, nil
	}
	if err == nil && x != nil && r.partial(files) {
		r.o.Report.detail("the stream is a part of what the index holds; ranking without it")
		return nil, nil
	}
	if err := r.prepareCache(); err != nil && (x == nil || !errors.Is(err, fs.ErrPermission)) {
		r.o.Report.note(fmt.Sprintf("%v; ranking without an index", err))
		return nil, nil
	}
	if _, err := r.updateDeep(ctx, files, false); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		r.o.Report.note(fmt.Sprintf("%v; ranking without an index", err))
		return nil, nil
	}
	return r.openDeep()
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
func (r *Repo) lexical(ctx context.Context, files []stream.File, q *score.Query) (score.Corpus, error) {
	src, err := r.source(ctx)
	if err != nil {
		return nil, err
	}
	return score.NewLexical(ctx, files, q, score.LexicalOptions{Reader: src, Parse: chunk.Parse})
}

// Indexed is the stream of what was indexed, as it is: of the deep index when the
// query reads contents and there is one, else of the list of files. Ranking it reports
// when the index is older than the tree. The error has the kind [Usage] when there is no
// index.
func (r *Repo) Indexed(ctx context.Context, q *Query) (*stream.Stream, error) {
	h := stream.Header{Root: r.given, Within: r.dir, Rev: r.rev, Fingerprint: r.repo.Fingerprint, Index: r.o.IndexFile}
	if r.files != nil {
		return indexedStream(h, r.files, len(r.files)), nil
	}
	if q.plan.Reads() {
		x, err := r.openDeep()
		if err != nil {
			return nil, err
		}
		if x != nil {
			files, err := x.Records()
			if err != nil {
				return nil, fault.Of(fault.Environment, err)
			}
			return indexedStream(h, files, len(files)), nil
		}
		if q.plan.Preset.Fresh {
			return nil, fault.Usagef(`index: no deep one in %s, which preset %s needs; build it with "topo index --deep"`, r.cache, q.plan.Preset.Name)
		}
	}
	_, files, foot, err := index.ReadShallow(r.place().Shallow())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Usagef(`index: none in %s; build one with "topo index --deep", or use "topo quick"`, r.cache)
	} else if err != nil {
		return nil, fault.Of(fault.Environment, err)
	}
	if q.plan.Reads() {
		r.hintDeep()
	}
	return indexedStream(h, files, foot.ScannedFiles), nil
}

func indexedStream(h stream.Header, files []stream.File, scanned int) *stream.Stream {
	s := stream.New(h, files, scanned)
	s.Indexed = true
	return s
}

// hintDeep says what a deep index would give.
func (r *Repo) hintDeep() {
	r.o.Report.note("ranked without an index; topo index --deep makes this faster and symbol-aware")
}

// services are those that were configured, none of them set when none was.
func (r *Repo) services() *embed.Services {
	if r.o.Services == nil {
		return &embed.Services{}
	}
	return r.o.Services
}

// openSpace opens the vectors of the tree. files are those of the tree, or a part
// of them. There must be an embedder.
func (r *Repo) openSpace(files []stream.File) (*embed.KeptSpace, error) {
	have := r.services()
	workspace := cmp.Or(have.Workspace, r.repo.Fingerprint)
	if r.rev != "" {
		workspace += "-" + r.rev[:16]
	}
	sp, err := have.Open(r.cache, r.repo.Fingerprint, workspace)
	if err != nil {
		return nil, fault.Of(fault.Environment, err)
	}
	if have.Qdrant.Host != "" {
		if err := have.UseQdrant(sp, r.partial(files)); err != nil {
			sp.Close()
			return nil, fault.Of(fault.Usage, err)
		}
	}
	sp.Progress = r.embedProgress(have)
	return sp, nil
}

// embedProgress says once what is sent, and tells how far it is.
func (r *Repo) embedProgress(s *embed.Services) func(done, total int) {
	var end func()
	return func(done, total int) {
		if end == nil {
			r.o.Report.note(fmt.Sprintf("embedding %s with %s at %s", english.Count(total, "text"), s.Embedder.Model(), s.Embedder.Address()))
			end = r.o.Report.progress("embed", total)
		}
		if r.o.Report.step("embed", done, total); done == total {
			end()
		}
	}
}
