package score

import (
	"math"
	"path"
	"strings"

	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/stream"
)

// roleFactors prefer what a task usually changes (specification 4.3).
var roleFactors = map[stream.Role]float64{
	stream.RoleImpl: 1, stream.RoleTest: 0.5, stream.RoleConfig: 0.45, stream.RoleBuild: 0.4,
	stream.RoleDocs: 0.35, stream.RoleOther: 0.3, stream.RoleGenerated: 0.25,
}

// folderFactors are the well-known folders, good and bad, at any depth.
var folderFactors = map[string]float64{
	"src": 1.1, "lib": 1.1, "cmd": 1.1, "pkg": 1.1, "internal": 1.1, "app": 1.1, "core": 1.1,
	"vendor": 0.4, "third_party": 0.4, "node_modules": 0.3, "testdata": 0.5, "fixtures": 0.5,
	"examples": 0.7, "example": 0.7, "benchmarks": 0.8, "dist": 0.5, "build": 0.8,
}

// How much a match in a path counts: the file's own name says more than the
// folders it is in, and a part of a word less than the word.
const (
	nameMatch   = 1.0
	folderMatch = 0.5
	prefixMatch = 0.6 // evict in eviction
	minPrefix   = 4   // bytes; shorter beginnings are shared by chance
	// mentionBonus is for a file that the query names outright.
	mentionBonus = 1.0
	// sizeFree is the size up to which a file costs nothing to read.
	sizeFree = 64 << 10
)

// quality is what the path, role and size of a file say regardless of any
// query, as a factor around 1.
func quality(f *stream.File) float64 {
	v, ok := roleFactors[f.Role]
	if !ok {
		v = roleFactors[stream.RoleOther]
	}
	depth := 0
	best := 1.0
	for dir, rest, more := strings.Cut(f.Path, "/"); more; dir, rest, more = strings.Cut(rest, "/") {
		depth++
		if factor, ok := folderFactors[strings.ToLower(dir)]; ok {
			if factor < 1 || best < 1 {
				best = min(best, factor)
			} else {
				best = factor
			}
		}
	}
	v *= best / (1 + 0.02*float64(depth))
	if f.Size > sizeFree {
		v /= 1 + 0.15*math.Log2(float64(f.Size)/sizeFree)
	}
	return v
}

// pathTerm is what a distinct term of the paths matches in the query.
type pathTerm struct{ matches []pathMatch }

type pathMatch struct {
	term     int     // number in the query
	strength float64 // 1 or prefixMatch
}

// pathMatcher scores paths against a query with statistics of the paths alone.
type pathMatcher struct {
	q     *Query
	terms []Term
	idf   []float64
	total float64
	vocab map[string]*pathTerm
	best  []float64 // scratch, by query term
	split token.Splitter
}

// heuristic is the path signal of the specification for every file: how much
// of the query its path holds, times [quality]; 0 when it holds nothing.
func heuristic(q *Query, files []stream.File) []float64 {
	m := newPathMatcher(q, files)
	out := make([]float64, len(files))
	for i := range files {
		if match := m.match(files[i].Path); match > 0 {
			out[i] = match * quality(&files[i])
		}
	}
	return out
}

func newPathMatcher(q *Query, files []stream.File) *pathMatcher {
	m := &pathMatcher{q: q, terms: q.Terms, vocab: map[string]*pathTerm{}}
	m.terms = m.terms[:min(len(m.terms), 4*MaxTerms)]
	m.idf, m.best = make([]float64, len(m.terms)), make([]float64, len(m.terms))
	byPrefix := map[string][]int{}
	for i, t := range m.terms {
		byPrefix[prefixOf(t.Text)] = append(byPrefix[prefixOf(t.Text)], i)
	}
	df := make([]int, len(m.terms))
	last := make([]int, len(m.terms)) // the file+1 that counted in df last
	for i := range files {
		m.split.Each([]byte(files[i].Path), func(term []byte) {
			pt := m.vocab[string(term)]
			if pt == nil {
				pt = &pathTerm{matches: matchesOf(string(term), m.terms, byPrefix)}
				m.vocab[string(term)] = pt
			}
			for _, k := range pt.matches {
				if last[k.term] != i+1 {
					last[k.term] = i + 1
					df[k.term]++
				}
			}
		})
	}
	for i, t := range m.terms {
		if df[i] > 0 {
			m.idf[i] = t.Weight * IDF(len(files), df[i])
			m.total += m.idf[i]
		}
	}
	return m
}

func prefixOf(term string) string { return term[:min(len(term), minPrefix)] }

func matchesOf(term string, terms []Term, byPrefix map[string][]int) (out []pathMatch) {
	for _, i := range byPrefix[prefixOf(term)] {
		t := terms[i].Text
		switch {
		case t == term:
			out = append(out, pathMatch{i, 1})
		case len(t) >= minPrefix && len(term) >= minPrefix && (strings.HasPrefix(term, t) || strings.HasPrefix(t, term)):
			out = append(out, pathMatch{i, prefixMatch})
		}
	}
	return out
}

// match is the share of the query's weight that the path holds, 0 to 1, and
// more for a file that the query names.
func (m *pathMatcher) match(p string) float64 {
	dir, name := path.Split(p)
	m.collect(dir, folderMatch)
	m.collect(name, nameMatch)
	sum := 0.0
	for i, s := range m.best {
		if s > 0 {
			sum += s * m.idf[i]
			m.best[i] = 0
		}
	}
	if sum > 0 {
		sum /= m.total
	}
	if len(m.q.mentions) > 0 {
		stem := strings.TrimSuffix(name, path.Ext(name))
		segs := strings.Split(strings.ToLower(dir+stem), "/")
		sum += mentionBonus * m.q.mentioned(segs)
	}
	return sum
}

func (m *pathMatcher) collect(part string, weight float64) {
	m.split.Each([]byte(part), func(term []byte) {
		if pt := m.vocab[string(term)]; pt != nil {
			for _, k := range pt.matches {
				m.best[k.term] = max(m.best[k.term], weight*k.strength)
			}
		}
	})
}
