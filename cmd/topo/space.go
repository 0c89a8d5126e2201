package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/topo-dev/topo/index"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/stream"
)

// vectorLimit is the size above which a file of vectors is cut in half, bytes.
const vectorLimit = 512 << 20

// space is the vectors of the tree by the user's embedder. Close it.
type space struct {
	*embed.Space
	vectors *index.Vectors
}

// openSpace opens the vectors that dir keeps of a repository, searched in
// memory. There must be an embedder.
func (s *services) openSpace(dir, fingerprint, workspace string) (*space, error) {
	model := s.kind + "/" + s.embedder.Model()
	sum := sha256.Sum256([]byte(model))
	vectors, err := index.OpenVectors(filepath.Join(dir, fingerprint+"."+hex.EncodeToString(sum[:4])+".vec"), model)
	if err != nil {
		return nil, envError{err}
	}
	return &space{&embed.Space{Embedder: s.embedder, Cache: vectors, Store: embed.NewLocal(), Workspace: workspace}, vectors}, nil
}

// space opens the vectors of the tree. files are those of the tree, or a part
// of them.
func (t *tree) space(s *services, files []stream.File) (*space, error) {
	sp, err := s.openSpace(t.cache, t.repo.Fingerprint, t.workspace())
	if err != nil {
		return nil, err
	}
	if s.qdrant != "" {
		q, err := embed.NewQdrant(embed.QdrantOptions{Host: s.qdrant, Key: t.f.env("QDRANT_API_KEY"), Model: s.embedder.Model(),
			Prefix: t.f.env("TOPO_QDRANT_PREFIX"), Proxy: true})
		if err != nil {
			sp.Close()
			return nil, usageError{err}
		}
		sp.Store, sp.Contents, sp.Partial = q, true, t.partial(files)
	}
	sp.Progress = t.embedProgress(s)
	return sp, nil
}

// workspace names the tree among others in a store.
func (t *tree) workspace() string {
	name := cmp.Or(t.f.env("TOPO_WORKSPACE"), t.repo.Fingerprint)
	if t.rev != "" {
		name += "-" + t.rev[:16]
	}
	return name
}

// embedProgress says once what is sent, and shows how far it is.
func (t *tree) embedProgress(s *services) func(done, total int) {
	var b *bar
	return func(done, total int) {
		if b == nil {
			t.f.notef("embedding %s with %s at %s", plural(total, "text"), s.embedder.Model(), s.embedder.Address())
			b = t.f.progress("embed", total)
		}
		if b.of(done, total); done == total {
			b.finish()
		}
	}
}

// Close lets the vectors go, and keeps their file from growing without end.
func (s *space) Close() {
	if s == nil {
		return
	}
	_ = s.vectors.Trim(context.Background(), vectorLimit, s.Live()) // of use next time too
	s.Store.Close()
	s.vectors.Close()
}

// embedFiles brings the vectors of the files up to date.
func (t *tree) embedFiles(ctx context.Context, files []stream.File) error {
	have, err := t.f.services()
	if err != nil {
		return err
	}
	if have.embedder == nil {
		return usagef("--embed: no service of embeddings is configured; set OLLAMA_HOST, or OPENAI_API_KEY, or drop the flag")
	}
	x, err := t.openDeep()
	if err != nil {
		return err
	}
	sp, err := t.space(have, files)
	if err != nil {
		return err
	}
	defer sp.Close()
	st, err := sp.SyncFiles(ctx, &score.Deep{Index: x}, files)
	if err == nil {
		t.f.notef("%s embedded with %s, %d kept", plural(st.Embedded, "text"), have.embedder.Model(), st.Reused)
	}
	return err
}

// ranking is how files are ranked, with what the services it uses hold.
type ranking struct {
	score.Options
	space *space // nil when there is no embedder or it is not to be asked
}

// Close frees what the services hold.
func (r *ranking) Close() {
	if r.space != nil {
		r.space.Close()
	}
}

// ranking is how o says to rank files, those of the tree or a part of them.
// Services are used by preset thorough, and the reranker by --rerank.
func (o *scoreOptions) ranking(t *tree, s *wholeStream, corpus score.Corpus, plan score.Plan, q *score.Query, files []stream.File) (*ranking, error) {
	r := &ranking{Options: score.Options{Query: q, Preset: o.Preset, Scoring: o.Scoring, Fusion: o.Fusion}}
	var err error
	if r.Scope, err = o.scope(t.root); err != nil {
		return nil, err
	}
	thorough := plan.Preset.Name == presetThorough && corpus != nil
	if !thorough && !o.Rerank {
		return r, nil
	}
	have, err := t.f.services()
	if err != nil {
		return nil, err
	}
	if thorough && t.f.fromConfig("preset") && (have.embedder != nil || have.reranker != nil) {
		t.f.notef("preset thorough comes from %s; no service is asked unless --preset or TOPO_PRESET names it", configName)
		thorough = false
	}
	if err := o.reranker(r, have, corpus, plan, thorough); err != nil || !thorough {
		return r, err
	}
	if have.embedder == nil {
		t.f.notef("no provider of embeddings is configured; ranked without them")
		return r, nil
	}
	if s.indexed && t.deep != nil {
		if err := t.deep.Complete(files); err != nil {
			return nil, envError{err}
		}
	}
	if err := t.prepareCache(); err != nil {
		t.f.notef("%v; ranked without embeddings", err)
		return r, nil
	}
	if r.space, err = t.space(have, files); err != nil {
		return nil, err
	}
	r.Extra = []score.Extra{r.space.FileSignal(corpus, files)}
	return r, nil
}

// reranker is the one of r, as far as there is one and it is asked for.
func (o *scoreOptions) reranker(r *ranking, have *services, corpus score.Corpus, plan score.Plan, thorough bool) error {
	switch {
	case o.Rerank && have.reranker == nil:
		return usagef("--rerank: no reranker is configured; set TOPO_RERANK_URL to the address of one, or drop the flag")
	case o.Rerank && corpus == nil:
		return usagef("--rerank: preset %s reads no content; take preset %s", plan.Preset.Name, score.DefaultPreset)
	case have.reranker != nil && (o.Rerank || thorough):
		r.Rerank = have.reranker
	}
	return nil
}

// fromConfig reports whether a setting's value stands in the repository's own
// configuration.
func (f *factory) fromConfig(name string) bool {
	for _, e := range f.settings {
		if e.Name == name {
			return strings.HasPrefix(e.Origin, configName)
		}
	}
	return false
}
