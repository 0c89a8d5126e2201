package topo

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/topo-dev/topo/internal/english"
	"github.com/topo-dev/topo/internal/fault"
	"github.com/topo-dev/topo/score"
	"github.com/topo-dev/topo/score/embed"
	"github.com/topo-dev/topo/stream"
)

// Strategy is what a retrieval looks for.
type Strategy struct {
	Name, Doc string

	roles []stream.Role // of the files
	kind  string        // of what is found in them
	files int           // how many files the first phase chooses
}

// Strategies lists the strategies, the default first.
func Strategies() []Strategy {
	return []Strategy{
		{"code", "functions, methods and types of source, configuration and build files; no tests", []stream.Role{stream.RoleImpl, stream.RoleConfig, stream.RoleBuild}, embed.TypeFunction, 50},
		{"document", "sections of documentation", []stream.Role{stream.RoleDocs}, embed.TypeSection, 30},
	}
}

// RetrieveOptions say what a retrieval looks for and how much it finds.
type RetrieveOptions struct {
	Query    QueryOptions
	Scan     ScanOptions
	Strategy string // name of one of [Strategies]; empty is the first
	Files    int    // that the first phase chooses; 0 is the strategy's
	Top      int    // definitions to find; 0 is 10
	// Texts adds the chosen files without definitions, after the definitions, each as
	// one passage of kind [score.KindWindow] that spans the file.
	Texts bool
}

// Found is a definition that a retrieval found, with its file. Scores are
// comparable across files.
type Found = embed.Found

// Retrieve finds the definitions that a task is about in two phases: it ranks the
// files, and then what is in the best of them. The stream has the files in which
// something was found, each with it in Chunks; found is the same, best first over
// all files.
func (r *Repo) Retrieve(ctx context.Context, task string, o RetrieveOptions) (s *stream.Stream, found []Found, err error) {
	q, err := NewQuery(task, o.Query)
	if err != nil {
		return nil, nil, err
	}
	if !q.plan.Reads() {
		return nil, nil, fault.Usagef("--preset %s: reads no content, and definitions are looked for; take preset %s", q.preset(), score.DefaultPreset)
	}
	all := Strategies()
	at := slices.IndexFunc(all, func(s Strategy) bool { return s.Name == cmp.Or(o.Strategy, all[0].Name) })
	if at < 0 {
		return nil, nil, fault.Usagef("unknown strategy %q", o.Strategy)
	}
	if r.o.IndexFile != "" || r.files != nil {
		s, err = r.Indexed(ctx, q)
	} else {
		s, _, err = r.Scan(ctx, o.Scan)
	}
	if err != nil {
		return nil, nil, err
	}
	k, err := r.prepareRanking(ctx, s, q)
	if err != nil {
		return nil, nil, err
	}
	defer k.Close()
	chosen, found, err := k.phases(ctx, all[at], o)
	if err != nil {
		return nil, nil, err
	}
	r.o.Report.detail(fmt.Sprintf("%s chosen of %d, %s in them found", english.Count(len(chosen), "file"), len(k.files), english.Count(len(found), "definition")))
	switch {
	case len(k.files) > 0 && len(chosen) == 0:
		r.o.Report.note(nothingFound(q.parsed))
	case len(chosen) > 0 && len(found) == 0:
		r.o.Report.note(fmt.Sprintf("nothing found: %s hold words of the task, but none in a definition of strategy %s", english.Count(len(chosen), "file"), all[at].Name))
	}
	for i := range found {
		one := []stream.Chunk{found[i].Chunk}
		maskSignatures(one)
		found[i].Chunk = one[0]
	}
	s.Replace(withFound(chosen, found))
	s.Header.Query, s.Header.Preset, s.Header.Fingerprint = q.Text, q.preset(), r.repo.Fingerprint
	return s, found, nil
}

// phases ranks the files, and then what is in the best of them.
func (k *ranking) phases(ctx context.Context, st Strategy, o RetrieveOptions) (chosen []stream.File, found []Found, err error) {
	role := make(map[string]stream.Role, len(k.files))
	for i := range k.files {
		role[k.files[i].Path] = k.files[i].Role
	}
	opts, scope := k.Options, k.Scope
	opts.Rerank = nil // it reads the definitions
	opts.Scope = func(path string) bool {
		return slices.Contains(st.roles, role[path]) && (scope == nil || scope(path))
	}
	ranked, err := score.Rank(ctx, k.corpus, k.files, opts)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range ranked[:min(len(ranked), cmp.Or(o.Files, st.files))] {
		if f.Score > 0 {
			chosen = append(chosen, f)
		}
	}
	second := embed.Retrieval{Corpus: k.corpus, Query: opts.Query, Files: chosen, Kind: st.kind, Top: cmp.Or(o.Top, 10), Rerank: k.Rerank}
	if k.space != nil {
		second.Space = k.space.Space
	}
	if found, err = second.Run(ctx); err != nil || !o.Texts || st.kind != embed.TypeFunction {
		return chosen, found, err
	}
	texts, err := k.texts(chosen)
	return chosen, append(found, texts...), err
}

// texts are the files without definitions, as passages that span all of them: what
// the task is about may be in a text or a configuration.
func (k *ranking) texts(files []stream.File) (out []Found, err error) {
	ids, err := k.corpus.Match(func(i int) string { return files[i].Path }, len(files))
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if id < 0 {
			continue
		}
		chunks, err := k.corpus.Chunks(int(id))
		if err != nil {
			return nil, err
		}
		if len(chunks) == 0 {
			whole := stream.Chunk{Kind: score.KindWindow, StartLine: 1, EndLine: math.MaxInt32}
			out = append(out, Found{Definition: embed.Definition{Path: files[i].Path, Chunk: whole}})
		}
	}
	return out, nil
}

// withFound are the chosen files in which something was found, with it.
func withFound(chosen []stream.File, found []Found) []stream.File {
	chunks := map[string][]stream.Chunk{}
	for _, f := range found {
		chunks[f.Path] = append(chunks[f.Path], f.Chunk)
	}
	var out []stream.File
	for _, f := range chosen {
		if f.Chunks = chunks[f.Path]; len(f.Chunks) > 0 {
			out = append(out, f)
		}
	}
	return out
}
