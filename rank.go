package topo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topo-dev/topo/answer"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/internal/regular"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/stream"
)

// DefaultPreset is how deep a ranking goes when it is not told otherwise.
const DefaultPreset = score.DefaultPreset

// presetThorough is the preset that asks services.
const presetThorough = "thorough"

// QueryOptions say how a task is ranked. The zero value is the default of each.
type QueryOptions struct {
	Preset  string // one of [score.Presets]
	Scoring string // one of [score.Modes]; empty is the preset's
	Fusion  string // one of [score.Fusions]
	Feature string // rank only the files of this scope of .topo/features.yaml
	Rerank  bool   // let the configured reranker order the best files again
	// Paths and Languages narrow the ranking to files that match one of these globs,
	// or lie in one of these folders, and are in one of these languages.
	Paths, Languages []string
	// AskNobody keeps preset thorough from asking services; a caller sets it when
	// nobody but the repository chose the preset.
	AskNobody bool
	// Tree is what a scan of the tree lists, where the index is compared with it to
	// say that it is older.
	Tree ScanOptions
}

// Query is a task with the plan of its ranking.
type Query struct {
	Text   string
	o      QueryOptions
	parsed *score.Query
	plan   score.Plan
}

// NewQuery plans the ranking for a task: a few words or a whole bug report, of
// which the first [score.MaxQuery] bytes count. An error has the kind [Usage].
func NewQuery(task string, o QueryOptions) (*Query, error) {
	// The task is part of the stream's header, which is UTF-8.
	q := &Query{Text: strings.TrimSpace(strings.ToValidUTF8(task, "\uFFFD")), o: o}
	var err error
	if q.parsed, err = score.ParseQuery(q.Text); err != nil {
		return nil, fault.Usagef("task: %w", err)
	}
	if q.plan, err = score.NewPlan(o.Preset, o.Scoring); err != nil {
		return nil, fault.Of(fault.Usage, err)
	}
	if o.Fusion != "" && !slices.Contains(score.Fusions(), o.Fusion) {
		return nil, fault.Usagef("unknown fusion %q; known: %s", o.Fusion, strings.Join(score.Fusions(), ", "))
	}
	return q, nil
}

// Reads reports whether the ranking reads the contents of files.
func (q *Query) Reads() bool { return q.plan.Reads() }

// preset is the name of the preset in effect.
func (q *Query) preset() string { return q.plan.Preset.Name }

// NothingFound says why a ranking is empty.
const NothingFound = "nothing found: no file holds a word of the task in its path, names or text"

// NoSuchName is [NothingFound] of a task of single letters.
const NoSuchName = "nothing found: no file, folder, language or definition is named so; a single letter is looked for as a name alone"

// nothingFound says why the ranking of the query is empty.
func nothingFound(q *score.Query) string {
	if len(q.Terms) == 0 {
		return NoSuchName
	}
	return NothingFound
}

// Rank orders the files of the stream by how much they matter to the query, and
// sets their Score and Signals. Records of other kinds follow them.
func (r *Repo) Rank(ctx context.Context, s *stream.Stream, q *Query) error {
	return r.rank(ctx, s, q, nil)
}

// rank is [Repo.Rank] that leaves out files below a minimum, as
// [score.Options.MinScore] says.
func (r *Repo) rank(ctx context.Context, s *stream.Stream, q *Query, minScore func(best float64) float64) error {
	k, err := r.prepareRanking(ctx, s, q)
	if err != nil {
		return err
	}
	defer k.Close()
	k.MinScore = minScore
	ranked, err := score.Rank(ctx, k.corpus, k.files, k.Options)
	if err != nil {
		return err
	}
	if s.Indexed {
		name := r.place().Shallow()
		if r.deep != nil {
			name = r.place().Deep()
		}
		if err := r.noteStale(ctx, q, name, k.files, ranked); err != nil {
			return err
		}
	}
	fit, err := r.measureFit(k, ranked)
	if err != nil {
		return err
	}
	for i := range ranked {
		ranked[i].Score = scaled(ranked[i].Score, fit)
	}
	if s.Indexed && r.deep != nil {
		if err := r.deep.Complete(ranked); err != nil {
			return fault.Of(fault.Environment, err)
		}
	}
	s.Replace(ranked)
	r.label(s, q)
	return nil
}

// measureFit says how far the best of the ranked files fit the query, and tells when
// they hardly do.
func (r *Repo) measureFit(k *ranking, ranked []stream.File) (float64, error) {
	if len(k.files) > 0 && !slices.ContainsFunc(ranked, func(f stream.File) bool { return f.Score > 0 }) {
		r.o.Report.note(nothingFound(k.Query))
		return 1, nil
	}
	if len(k.Query.Terms) == 0 {
		return 1, nil // a name is that letter or not
	}
	fit, err := score.MeasureFit(k.corpus, k.Query, ranked)
	if err == nil && fit.Value < weakFit && fit.Words > 1 {
		note := fmt.Sprintf("weak match: the best files hold %d of the %d words of the task", fit.Held, fit.Words)
		if len(fit.None) > 0 {
			note += "; no file holds " + strings.Join(fit.None, ", ")
		}
		r.o.Report.note(note)
	}
	return fit.Value, err
}

// weakFit is the fit below which a person is told that nothing fits well.
const weakFit = 0.75

// scaled is a score, which is relative to the best file, by how far that fits.
func scaled(v, fit float64) float64 { return math.Round(v*fit*1e9) / 1e9 }

// label says in the header what the stream answers.
func (r *Repo) label(s *stream.Stream, q *Query) {
	s.Header.Query, s.Header.Preset, s.Header.Scoring = q.Text, q.preset(), ""
	if q.plan.Mode.Name != q.plan.Preset.Scoring {
		s.Header.Scoring = q.plan.Mode.Name
	}
	s.Header.Fingerprint = r.repo.Fingerprint
}

// ranking is what a ranking reads, ready to run. Close it.
type ranking struct {
	score.Options
	files  []stream.File
	corpus score.Corpus
	space  *embed.KeptSpace // nil when no embedder is asked
}

// Close frees what the services hold.
func (k *ranking) Close() { k.space.Close() }

// prepareRanking finds what the query reads to rank the files of the stream.
func (r *Repo) prepareRanking(ctx context.Context, s *stream.Stream, q *Query) (*ranking, error) {
	corpus, err := r.corpus(ctx, s, q)
	if err != nil {
		return nil, err
	}
	k := &ranking{files: s.Files(), corpus: corpus,
		Options: score.Options{Query: q.parsed, Preset: q.o.Preset, Scoring: q.o.Scoring, Fusion: q.o.Fusion}}
	if k.Scope, err = r.scope(s.Header.Within, q.o.Feature, q.o.Paths); err != nil {
		return nil, err
	}
	if len(q.o.Languages) > 0 {
		k.files = slices.DeleteFunc(slices.Clone(k.files), func(f stream.File) bool { return !slices.Contains(q.o.Languages, f.Language) })
	}
	if s.Header.Within != "" {
		r.o.Report.note(fmt.Sprintf("searched %s of %s; --root %s searches all of it", s.Header.Within, r.root, r.root))
	}
	return k, r.addServices(k, s, q)
}

// addServices adds the services that the query asks: those of preset thorough, and
// the reranker.
func (r *Repo) addServices(k *ranking, s *stream.Stream, q *Query) error {
	thorough := q.preset() == presetThorough && k.corpus != nil
	if !thorough && !q.o.Rerank {
		return nil
	}
	have := r.services()
	if thorough && q.o.AskNobody && (have.Embedder != nil || have.Reranker != nil) {
		r.o.Report.note("preset thorough comes from .topo/config.yaml; no service is asked unless --preset or TOPO_PRESET names it")
		thorough = false
	}
	switch {
	case q.o.Rerank && have.Reranker == nil:
		return fault.Usagef("--rerank: no reranker is configured; set TOPO_RERANK_URL to the address of one, or drop the flag")
	case q.o.Rerank && k.corpus == nil:
		return fault.Usagef("--rerank: preset %s reads no content; take preset %s", q.preset(), score.DefaultPreset)
	case have.Reranker != nil && (q.o.Rerank || thorough):
		k.Rerank = have.Reranker
	}
	if !thorough {
		return nil
	}
	if have.Embedder == nil {
		r.o.Report.note("no provider of embeddings is configured; ranked without them")
		return nil
	}
	return r.addEmbeddings(k, s)
}

func (r *Repo) addEmbeddings(k *ranking, s *stream.Stream) error {
	if s.Indexed && r.deep != nil {
		if err := r.deep.Complete(k.files); err != nil {
			return fault.Of(fault.Environment, err)
		}
	}
	if err := r.prepareCache(); err != nil {
		r.o.Report.note(fmt.Sprintf("%v; ranked without embeddings", err))
		return nil
	}
	var err error
	if k.space, err = r.openSpace(k.files); err != nil {
		return err
	}
	k.Extra = []score.Extra{k.space.FileSignal(k.corpus, k.files)}
	return nil
}

// scope is the restriction to a folder, a feature and paths; nil when there is none.
func (r *Repo) scope(within, feature string, paths []string) (func(path string) bool, error) {
	var all []func(string) bool
	if within != "" {
		all = append(all, func(path string) bool { return strings.HasPrefix(path, within+"/") })
	}
	if f, err := r.featureScope(feature); err != nil {
		return nil, err
	} else if f != nil {
		all = append(all, f)
	}
	if len(paths) > 0 {
		all = append(all, answer.Within(paths))
	}
	if len(all) == 0 {
		return nil, nil
	}
	return func(path string) bool {
		return !slices.ContainsFunc(all, func(accept func(string) bool) bool { return !accept(path) })
	}, nil
}

// maxScopes bounds the file of the feature scopes, in bytes.
const maxScopes = 64 << 10

// featureScope is the restriction to a feature; nil without a name.
func (r *Repo) featureScope(feature string) (func(path string) bool, error) {
	if feature == "" {
		return nil, nil
	}
	dir, err := os.OpenRoot(r.root)
	if err != nil {
		return nil, fault.Environmentf("root %s: %w", r.root, pathCause(err))
	}
	defer dir.Close()
	for _, name := range score.ScopeFiles {
		shown := filepath.Join(r.root, name)
		text, err := ReadRegular(dir, name, maxScopes)
		switch {
		case errors.Is(err, os.ErrNotExist):
			continue
		case err != nil:
			return nil, fault.Usagef("%s: cannot be read: %w", shown, pathCause(err))
		}
		scopes, err := score.ParseScopes(text)
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n") // without the excerpt of the YAML parser
			return nil, fault.Usagef("%s: %s", shown, first)
		}
		found, err := scopes.Lookup(feature)
		if err != nil {
			return nil, fault.Usagef("--feature: %w", err)
		}
		return found.Match, nil
	}
	return nil, fault.Usagef("--feature %s: there is no %s in %s; write one or drop the flag", feature, score.ScopeFiles[0], r.root)
}

// ReadRegular reads a configuration file of the repository, which may be hostile:
// it may have put a named pipe or a device in its place, or a file without end. It
// refuses more than limit bytes.
func ReadRegular(dir *os.Root, name string, limit int64) ([]byte, error) {
	file, err := regular.Open(dir, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("larger than %d bytes; shorten it", limit)
	}
	return text, err
}
