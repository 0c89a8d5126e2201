package signal

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/topo-dev/topo/index/token"
	"github.com/topo-dev/topo/stream"
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
	files  []stream.File
	ids    []int32
	at     []int32 // number in the corpus → position, -1 for a file that is not known
	ranked []bool
	q      *query
	terms  []term         // that the corpus holds, at most maxTerms
	term   map[string]int // their places in terms
	forms  map[string]int // variants of terms that the corpus may hold → terms
	set    *token.Set     // the terms, and as -1-k other forms of term k

	lens    [][3]float64 // by position: length over the average
	dir     []int32      // number of the folder of each file
	inDir   [][]int32    // files of each folder
	commit  [][]int32    // files of each commit; nil without history or for sweeping ones
	by      [][]uint32   // commits of each file
	dirLike []float64    // commits like the query that touched the folder
	dirLate []float64    // the same, late ones counting more
	out     [][]int32    // imported files
	in      [][]int32    // importing files

	wants      func(signal string) bool
	wide       []Column // of all files
	candidates []int    // positions in files
	picked     []int32  // number in the corpus → place in candidates, -1 for others
	narrow     []Column // of the candidates
}

func newLab(ctx context.Context, in Input) (*lab, error) {
	l := &lab{ctx: ctx, corpus: in.Corpus, files: in.Files, ids: in.IDs, ranked: in.Ranked, q: parseQuery(in.Query)}
	l.at = make([]int32, l.corpus.NumFiles())
	for i := range l.at {
		l.at[i] = -1
	}
	l.wants = in.wants
	if err := l.readLengths(); err != nil {
		return nil, err
	}
	l.readFolders()
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

func (l *lab) readLengths() error {
	l.lens = make([][3]float64, len(l.files))
	var per [3]float64 // the average, at least 1
	for f, n := range l.corpus.TotalLen() {
		per[f] = max(1, float64(n)/float64(max(1, l.corpus.NumFiles())))
	}
	for i, id := range l.ids {
		if id < 0 {
			continue
		}
		l.at[id] = int32(i)
		lens, err := l.corpus.FileLen(int(id))
		if err != nil {
			return err
		}
		for f := range lens {
			l.lens[i][f] = float64(lens[f]) / per[f]
		}
	}
	return nil
}

// readFolders numbers the folders. Neighbours in the list are most often in the
// same one.
func (l *lab) readFolders() {
	l.dir = make([]int32, len(l.files))
	number := map[string]int32{}
	last, at := "", int32(-1)
	for i := range l.files {
		if d := dirOf(l.files[i].Path); at < 0 || d != last {
			var ok bool
			if at, ok = number[d]; !ok {
				at = int32(len(number))
				number[d] = at
			}
			last = d
		}
		l.dir[i] = at
	}
	size := make([]int, len(number))
	for _, d := range l.dir {
		size[d]++
	}
	l.inDir = make([][]int32, len(number))
	room := make([]int32, len(l.files))
	for d, n := range size {
		l.inDir[d], room = room[:0:n], room[n:]
	}
	for i, d := range l.dir {
		l.inDir[d] = append(l.inDir[d], int32(i))
	}
}

func dirOf(p string) string { return p[:max(0, strings.LastIndexByte(p, '/'))] }

// stemOf is the name of a file without its last extension.
func stemOf(p string) string {
	b := p[strings.LastIndexByte(p, '/')+1:]
	if dot := strings.LastIndexByte(b, '.'); dot >= 0 {
		return b[:dot]
	}
	return b
}

// idf is the weight of a term that df of the corpus's files hold.
func (l *lab) idf(df int) float64 { return idf(l.corpus.NumFiles(), df) }

func idf(n, df int) float64 {
	return math.Log((float64(n)-float64(df)+0.5)/(float64(df)+0.5) + 1)
}

func (l *lab) chooseTerms() error {
	stands := map[string]string{} // for a term that no file holds
	for _, t := range l.q.terms {
		asked := t.text
		df, err := l.corpus.DF(t.text)
		if err == nil && df == 0 {
			t.text, df, err = l.standIn(t.text)
			t.weight *= formMatch
		}
		if err != nil {
			return err
		}
		if df == 0 {
			continue
		}
		if t.text != asked {
			stands[asked] = t.text
			if slices.ContainsFunc(l.terms, func(u term) bool { return u.text == t.text }) {
				continue // it stands for another already
			}
		}
		t.df, t.idf = df, l.idf(df)
		l.terms = append(l.terms, t)
	}
	if len(l.terms) > maxTerms {
		slices.SortStableFunc(l.terms, func(a, b term) int { return cmp.Compare(b.weight*b.idf, a.weight*a.idf) })
		l.terms = l.terms[:maxTerms]
	}
	l.term, l.forms = make(map[string]int, len(l.terms)), map[string]int{}
	for i, t := range l.terms {
		l.term[t.text] = i
	}
	for asked, stand := range stands {
		if i, ok := l.term[stand]; ok {
			l.term[asked] = i
		}
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
	l.set = l.termSet()
	return nil
}

// standIn is the most frequent other form of a term that no file holds, of those
// that the query does not name itself.
func (l *lab) standIn(asked string) (text string, df int, err error) {
	for _, v := range variants(asked) {
		if _, ok := l.q.at[v]; ok {
			continue
		}
		n, err := l.corpus.DF(v)
		if err != nil {
			return "", 0, err
		}
		if n > df {
			text, df = v, n
		}
	}
	return text, df, nil
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

// column adds a signal of all files, for [leadMix], and returns its values, to
// be filled in.
func (l *lab) column(name string) []float64 {
	v := make([]float64, len(l.files))
	l.wide = append(l.wide, Column{name, v})
	return v
}

// few adds a signal of the candidates and returns its values, to be filled in.
func (l *lab) few(name string) []float64 {
	v := make([]float64, len(l.candidates))
	l.narrow = append(l.narrow, Column{name, v})
	return v
}

func (l *lab) get(name string) []float64 {
	for _, c := range l.wide {
		if c.Name == name {
			return c.Values
		}
	}
	return nil
}

// pick makes the files the candidates.
func (l *lab) pick(candidates []int) {
	l.candidates = candidates
	l.picked = make([]int32, len(l.at))
	for id := range l.picked {
		l.picked[id] = -1
	}
	for k, i := range candidates {
		if id := l.ids[i]; id >= 0 {
			l.picked[id] = int32(k)
		}
	}
}

// eachPicked goes over the candidates that hold the term; k is the place among
// them, i the position in files.
func (l *lab) eachPicked(term string, fn func(k, i int, tf [3]uint32)) error {
	return l.corpus.Each(term, func(id int, tf [3]uint32) {
		if id < len(l.picked) && l.picked[id] >= 0 {
			k := int(l.picked[id])
			fn(k, l.candidates[k], tf)
		}
	})
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

// leading computes what the candidates are chosen by.
func (l *lab) leading() error {
	return l.passes(l.leadText, l.stems, l.named, l.history, l.roles)
}

// rest computes the signals of the candidates that read no file.
func (l *lab) rest(lead []float64) error {
	if err := l.passes(l.text, l.compounds, l.fuzzy, l.folderNames, l.topic, l.folderHistory, l.topicHistory, l.priors); err != nil {
		return err
	}
	l.propagate(lead)
	return nil
}

func (l *lab) passes(passes ...func() error) error {
	for _, pass := range passes {
		if err := pass(); err != nil {
			return err
		}
		if err := l.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// leadMix chooses the candidates, and is what the signals that spread over
// folders, imports and commits start from. It was learned as the weights are, on
// cases of repositories that no evaluation scores. What is prior says nothing
// about the query and lifts no file that nothing else speaks for.
var leadMix = []struct {
	name   string
	weight float64
	prior  bool
}{
	{"Body", 1.4, false}, {"BodyStemmed", 1.8, false}, {"Symbols", 0.8, false}, {"Path", 1.7, false}, {"FormsInPath", 0.45, false},
	{"Stem", 0.2, false}, {"StemInTitle", 0.5, false}, {"Named", 0.5, false}, {"NamedOften", 0.5, false}, {"NamedBare", 0.2, false},
	{"History", 0.4, false}, {"LikeCommits", 0.9, false}, {"LikeLateCommits", 1.5, false},
	{"LastTouched", 1.7, true}, {"Touched15", 0.7, true}, {"Touched250", 0.5, true},
}

// leadRole keeps tests and docs, which often say more about a task than the
// code, from taking all the candidates' places.
const leadRole = 0.5

func (l *lab) lead() []float64 {
	out := make([]float64, len(l.files))
	for _, m := range leadMix { // what is prior comes last
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
			if !m.prior || out[i] > 0 {
				out[i] += m.weight * min(x/top, 2)
			}
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
	better := func(a, b int) int {
		if c := cmp.Compare(v[b], v[a]); c != 0 {
			return c
		}
		return strings.Compare(l.files[a].Path, l.files[b].Path)
	}
	var order []int // the best so far, and some more
	least := 0.0    // what the n-th best has at the least
	for i := range v {
		if !l.ranked[i] || v[i] <= 0 || v[i] < least {
			continue
		}
		if order = append(order, i); len(order) >= 4*n+64 {
			slices.SortFunc(order, better)
			order = order[:n]
			if n > 0 {
				least = v[order[n-1]]
			}
		}
	}
	slices.SortFunc(order, better)
	return order[:min(n, len(order))]
}
