package signal

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/topo-dev/topo"
	"github.com/topo-dev/topo/index/token"
)

// Parameters of BM25; fields as in [Corpus].
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

var fieldWeights = [3]float64{5, 3, 1}

// lab is one computation. Values are by position in files.
type lab struct {
	ctx    context.Context
	corpus Corpus
	files  []topo.File
	ids    []int32
	at     []int32 // number in the corpus → position, -1 for a file that is not known
	ranked []bool
	q      *query
	terms  []term         // that the corpus holds, at most maxTerms
	term   map[string]int // their places in terms
	forms  map[string]int // variants of terms that the corpus may hold → terms

	lens   [][3]float64 // by position: length over the average
	byDir  map[string][]int
	commit [][]int32  // files of each commit; nil without history or for sweeping ones
	by     [][]uint32 // commits of each file
	out    [][]int32  // imported files
	in     [][]int32  // importing files
	cols   []Column
}

func newLab(ctx context.Context, in Input) (*lab, error) {
	l := &lab{ctx: ctx, corpus: in.Corpus, files: in.Files, ids: in.IDs, ranked: in.Ranked, q: parseQuery(in.Query)}
	l.at = make([]int32, l.corpus.NumFiles())
	for i := range l.at {
		l.at[i] = -1
	}
	l.lens = make([][3]float64, len(l.files))
	l.byDir = map[string][]int{}
	total, n := l.corpus.TotalLen(), float64(max(1, l.corpus.NumFiles()))
	for i, id := range l.ids {
		l.byDir[dirOf(l.files[i].Path)] = append(l.byDir[dirOf(l.files[i].Path)], i)
		if id < 0 {
			continue
		}
		l.at[id] = int32(i)
		lens, err := l.corpus.FileLen(int(id))
		if err != nil {
			return nil, err
		}
		for f := range lens {
			l.lens[i][f] = float64(lens[f]) / max(1, float64(total[f])/n)
		}
	}
	if err := l.readHistory(); err != nil {
		return nil, err
	}
	if in.Groups == nil || slices.Contains(in.Groups, "imports") {
		if err := l.readImports(); err != nil {
			return nil, err
		}
	}
	return l, l.chooseTerms()
}

func dirOf(p string) string { return p[:max(0, strings.LastIndexByte(p, '/'))] }

// stemOf is the name of a file without its last extension.
func stemOf(p string) string {
	b := path.Base(p)
	return strings.TrimSuffix(b, path.Ext(b))
}

// idf is the weight of a term that df of the corpus's files hold.
func (l *lab) idf(df int) float64 { return idf(l.corpus.NumFiles(), df) }

func idf(n, df int) float64 {
	return math.Log((float64(n)-float64(df)+0.5)/(float64(df)+0.5) + 1)
}

func (l *lab) chooseTerms() error {
	for _, t := range l.q.terms {
		df, err := l.corpus.DF(t.text)
		if err != nil {
			return err
		}
		if df > 0 {
			t.df, t.idf = df, l.idf(df)
			l.terms = append(l.terms, t)
		}
	}
	if len(l.terms) > maxTerms {
		slices.SortStableFunc(l.terms, func(a, b term) int { return cmp.Compare(b.weight*b.idf, a.weight*a.idf) })
		l.terms = l.terms[:maxTerms]
	}
	l.term, l.forms = make(map[string]int, len(l.terms)), map[string]int{}
	for i, t := range l.terms {
		l.term[t.text] = i
	}
	for i, t := range l.terms {
		for _, v := range variants(t.text) {
			if _, ok := l.term[v]; ok {
				continue
			}
			if _, ok := l.forms[v]; !ok {
				l.forms[v] = i
			}
		}
	}
	return nil
}

// termSet numbers the terms, and with -1-k other forms of term k.
func (l *lab) termSet() *token.Set {
	words, numbers := make([]string, 0, len(l.terms)+len(l.forms)), make([]int32, 0, len(l.terms)+len(l.forms))
	for k, t := range l.terms {
		words, numbers = append(words, t.text), append(numbers, int32(k))
	}
	for form, k := range l.forms {
		words, numbers = append(words, form), append(numbers, int32(-1-k))
	}
	return token.NewSet(words, func(i int) int32 { return numbers[i] })
}

// column adds a signal of all files and returns its values, to be filled in.
func (l *lab) column(name string) []float64 {
	v := make([]float64, len(l.files))
	l.cols = append(l.cols, Column{name, v})
	return v
}

func (l *lab) get(name string) []float64 {
	for _, c := range l.cols {
		if c.Name == name {
			return c.Values
		}
	}
	return make([]float64, len(l.files))
}

// each goes over the files of the ranking that hold the term.
func (l *lab) each(term string, fn func(i int, tf [3]uint32)) error {
	return l.corpus.Each(term, func(id int, tf [3]uint32) {
		if id < len(l.at) && l.at[id] >= 0 {
			fn(int(l.at[id]), tf)
		}
	})
}

// sat is the saturated frequency of a term in field f of file i, 0 to 1.
func (l *lab) sat(i, f int, tf float64, b float64) float64 {
	return tf / (tf + bm25K1*(1-b+b*l.lens[i][f]))
}

// first computes the signals of all files.
func (l *lab) first() error {
	for _, pass := range []func() error{l.text, l.compounds, l.fuzzy, l.paths, l.named, l.history, l.priors} {
		if err := pass(); err != nil {
			return err
		}
		if err := l.ctx.Err(); err != nil {
			return err
		}
	}
	l.propagate(l.lead())
	return nil
}

// leadMix chooses the candidates, and is what the signals that spread over
// folders, imports and commits start from.
var leadMix = []struct {
	name   string
	weight float64
}{
	{"Body", 1.25}, {"Path", 0.6}, {"Symbols", 0.5}, {"FormsInSymbols", 0.15}, {"FormsInPath", 0.2},
	{"StemInTitle", 0.3}, {"Named", 0.6}, {"NamedBare", 0.2}, {"History", 0.6}, {"LikeCommits", 0.2},
}

// leadRole keeps tests and docs, which often say more about a task than the
// code, from taking all the candidates' places.
const leadRole = 0.5

func (l *lab) lead() []float64 {
	out := make([]float64, len(l.files))
	for _, m := range leadMix {
		v := l.get(m.name)
		top := 0.0
		for i, x := range v {
			if l.ranked[i] {
				top = max(top, x)
			}
		}
		if top == 0 {
			continue
		}
		for i, x := range v {
			out[i] += m.weight * min(x/top, 2)
		}
	}
	for i, r := range l.get("Role") {
		out[i] /= 1 + leadRole*-r
	}
	return out
}

// top lists the n ranked files with the largest positive values, equal ones by
// path.
func (l *lab) top(v []float64, n int) []int {
	var order []int
	for i := range v {
		if l.ranked[i] && v[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		if c := cmp.Compare(v[b], v[a]); c != 0 {
			return c
		}
		return strings.Compare(l.files[a].Path, l.files[b].Path)
	})
	return order[:min(n, len(order))]
}
