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

// featureMatrix holds the features of the files and candidates of one ranking,
// with what they are computed from. Values are by position in files.
type featureMatrix struct {
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
	dirLike []float64    // commits similar to the query that touched the folder
	dirLate []float64    // the same, late ones counting more
	out     [][]int32    // imported files
	in      [][]int32    // importing files

	wants             func(signal string) bool
	fileFeatures      []Feature // of all files
	candidates        []int     // positions in files
	candidateAt       []int32   // number in the corpus → place in candidates, -1 for others
	candidateFeatures []Feature // of the candidates
}

func newFeatureMatrix(ctx context.Context, in Input) (*featureMatrix, error) {
	m := &featureMatrix{ctx: ctx, corpus: in.Corpus, files: in.Files, ids: in.IDs, ranked: in.Ranked, q: parseQuery(in.Query)}
	m.at = make([]int32, m.corpus.NumFiles())
	for i := range m.at {
		m.at[i] = -1
	}
	m.wants = in.wants
	if err := m.readLengths(); err != nil {
		return nil, err
	}
	m.readFolders()
	if err := m.readHistory(); err != nil {
		return nil, err
	}
	if in.Groups == nil || slices.Contains(in.Groups, "imports") {
		if err := m.readImports(); err != nil {
			return nil, err
		}
	}
	return m, m.chooseTerms()
}

func (m *featureMatrix) readLengths() error {
	m.lens = make([][3]float64, len(m.files))
	var per [3]float64 // the average, at least 1
	for f, n := range m.corpus.TotalLen() {
		per[f] = max(1, float64(n)/float64(max(1, m.corpus.NumFiles())))
	}
	for i, id := range m.ids {
		if id < 0 {
			continue
		}
		m.at[id] = int32(i)
		lens, err := m.corpus.FileLen(int(id))
		if err != nil {
			return err
		}
		for f := range lens {
			m.lens[i][f] = float64(lens[f]) / per[f]
		}
	}
	return nil
}

// readFolders numbers the folders. Neighbours in the list are most often in the
// same one.
func (m *featureMatrix) readFolders() {
	m.dir = make([]int32, len(m.files))
	number := map[string]int32{}
	last, at := "", int32(-1)
	for i := range m.files {
		if d := dirOf(m.files[i].Path); at < 0 || d != last {
			var ok bool
			if at, ok = number[d]; !ok {
				at = int32(len(number))
				number[d] = at
			}
			last = d
		}
		m.dir[i] = at
	}
	size := make([]int, len(number))
	for _, d := range m.dir {
		size[d]++
	}
	m.inDir = make([][]int32, len(number))
	room := make([]int32, len(m.files))
	for d, n := range size {
		m.inDir[d], room = room[:0:n], room[n:]
	}
	for i, d := range m.dir {
		m.inDir[d] = append(m.inDir[d], int32(i))
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
func (m *featureMatrix) idf(df int) float64 { return idf(m.corpus.NumFiles(), df) }

func idf(n, df int) float64 {
	return math.Log((float64(n)-float64(df)+0.5)/(float64(df)+0.5) + 1)
}

func (m *featureMatrix) chooseTerms() error {
	substitute := map[string]string{} // for a term that no file holds
	for _, t := range m.q.terms {
		original := t.text
		df, err := m.corpus.DF(t.text)
		if err == nil && df == 0 {
			t.text, df, err = m.frequentVariant(t.text)
			t.weight *= formMatch
		}
		if err != nil {
			return err
		}
		if df == 0 {
			continue
		}
		if t.text != original {
			substitute[original] = t.text
			if slices.ContainsFunc(m.terms, func(u term) bool { return u.text == t.text }) {
				continue // another term is replaced by it already
			}
		}
		t.df, t.idf = df, m.idf(df)
		m.terms = append(m.terms, t)
	}
	if len(m.terms) > maxTerms {
		slices.SortStableFunc(m.terms, func(a, b term) int { return cmp.Compare(b.weight*b.idf, a.weight*a.idf) })
		m.terms = m.terms[:maxTerms]
	}
	m.term, m.forms = make(map[string]int, len(m.terms)), map[string]int{}
	for i, t := range m.terms {
		m.term[t.text] = i
	}
	for original, text := range substitute {
		if i, ok := m.term[text]; ok {
			m.term[original] = i
		}
	}
	for i, t := range m.terms {
		for _, v := range Variants(t.text) {
			if _, ok := m.term[v]; ok {
				continue
			}
			if _, ok := m.forms[v]; !ok {
				m.forms[v] = i
			}
		}
	}
	m.set = m.termSet()
	return nil
}

// frequentVariant is the most frequent other form of a term that no file holds,
// among the forms that the query does not name itself.
func (m *featureMatrix) frequentVariant(original string) (text string, df int, err error) {
	for _, v := range Variants(original) {
		if _, ok := m.q.at[v]; ok {
			continue
		}
		n, err := m.corpus.DF(v)
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
func (m *featureMatrix) termSet() *token.Set {
	words, numbers := make([]string, 0, len(m.terms)+len(m.forms)), make([]int32, 0, len(m.terms)+len(m.forms))
	for k, t := range m.terms {
		words, numbers = append(words, t.text), append(numbers, int32(k))
	}
	for form, k := range m.forms {
		words, numbers = append(words, form), append(numbers, int32(-1-k))
	}
	return token.NewSet(words, func(i int) int32 { return numbers[i] })
}

// addFileFeature adds a feature of all files, for [firstPassWeights], and returns
// its values, to be filled in.
func (m *featureMatrix) addFileFeature(name string) []float64 {
	v := make([]float64, len(m.files))
	m.fileFeatures = append(m.fileFeatures, Feature{name, v})
	return v
}

// addCandidateFeature adds a feature of the candidates and returns its values, to
// be filled in.
func (m *featureMatrix) addCandidateFeature(name string) []float64 {
	v := make([]float64, len(m.candidates))
	m.candidateFeatures = append(m.candidateFeatures, Feature{name, v})
	return v
}

func (m *featureMatrix) fileFeature(name string) []float64 {
	for _, c := range m.fileFeatures {
		if c.Name == name {
			return c.Values
		}
	}
	return nil
}

// setCandidates makes the files the candidates.
func (m *featureMatrix) setCandidates(candidates []int) {
	m.candidates = candidates
	m.candidateAt = make([]int32, len(m.at))
	for id := range m.candidateAt {
		m.candidateAt[id] = -1
	}
	for k, i := range candidates {
		if id := m.ids[i]; id >= 0 {
			m.candidateAt[id] = int32(k)
		}
	}
}

// eachCandidate calls fn for the candidates that hold the term; k is the place
// among them, i the position in files.
func (m *featureMatrix) eachCandidate(term string, fn func(k, i int, tf [3]uint32)) error {
	return m.corpus.Each(term, func(id int, tf [3]uint32) {
		if id < len(m.candidateAt) && m.candidateAt[id] >= 0 {
			k := int(m.candidateAt[id])
			fn(k, m.candidates[k], tf)
		}
	})
}

// eachFile calls fn for the files of the ranking that hold the term.
func (m *featureMatrix) eachFile(term string, fn func(i int, tf [3]uint32)) error {
	return m.corpus.Each(term, func(id int, tf [3]uint32) {
		if id < len(m.at) && m.at[id] >= 0 {
			fn(int(m.at[id]), tf)
		}
	})
}

// sat is the saturated frequency of a term in field f of file i, 0 to 1.
func (m *featureMatrix) sat(i, f int, tf float64, b float64) float64 {
	return tf / (tf + bm25K1*(1-b+b*m.lens[i][f]))
}

// computeFirstPass computes the features that the candidates are chosen by.
func (m *featureMatrix) computeFirstPass() error {
	return m.runPasses(m.firstPassText, m.stemFeatures, m.mentionFeatures, m.historyFeatures, m.roleFeatures)
}

// computeCandidateFeatures computes the candidate features that read no file.
func (m *featureMatrix) computeCandidateFeatures(firstPass []float64) error {
	if err := m.runPasses(m.textFeatures, m.compoundFeatures, m.fuzzyFeatures, m.folderNameFeatures, m.topicFeatures, m.folderHistoryFeatures, m.topicHistoryFeatures, m.priorFeatures); err != nil {
		return err
	}
	m.propagate(firstPass)
	return nil
}

func (m *featureMatrix) runPasses(passes ...func() error) error {
	for _, pass := range passes {
		if err := pass(); err != nil {
			return err
		}
		if err := m.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// firstPassWeights choose the candidates. The signals that spread over folders,
// imports and commits start from the same scores. They were learned as the final
// weights are, on cases of repositories that no evaluation scores. A prior says
// nothing about the query and raises only files that another signal supports.
var firstPassWeights = []struct {
	name   string
	weight float64
	prior  bool
}{
	{"Body", 1.4, false}, {"BodyStemmed", 1.8, false}, {"Symbols", 0.8, false}, {"Path", 1.7, false}, {"FormsInPath", 0.45, false},
	{"Stem", 0.2, false}, {"StemInTitle", 0.5, false}, {"Named", 0.5, false}, {"NamedOften", 0.5, false}, {"NamedBare", 0.2, false},
	{"History", 0.4, false}, {"LikeCommits", 0.9, false}, {"LikeLateCommits", 1.5, false},
	{"LastTouched", 1.7, true}, {"Touched15", 0.7, true}, {"Touched250", 0.5, true},
}

// rolePenalty keeps tests and docs, which often say more about a task than the
// code, from taking all the candidates' places.
const rolePenalty = 0.5

func (m *featureMatrix) firstPassScores() []float64 {
	out := make([]float64, len(m.files))
	for _, w := range firstPassWeights { // priors come last
		v := m.fileFeature(w.name)
		top := 0.0
		for i, x := range v {
			if m.ranked[i] {
				top = max(top, x)
			}
		}
		if top == 0 {
			continue
		}
		for i, x := range v {
			if !w.prior || out[i] > 0 {
				out[i] += w.weight * min(x/top, 2)
			}
		}
	}
	for i, r := range m.fileFeature("Role") {
		out[i] /= 1 + rolePenalty*-r
	}
	return out
}

// top lists the n ranked files with the largest positive values, equal ones by
// path.
func (m *featureMatrix) top(v []float64, n int) []int {
	better := func(a, b int) int {
		if c := cmp.Compare(v[b], v[a]); c != 0 {
			return c
		}
		return strings.Compare(m.files[a].Path, m.files[b].Path)
	}
	var order []int // the best so far, and some more
	lowest := 0.0   // lower bound of the n-th best value
	for i := range v {
		if !m.ranked[i] || v[i] <= 0 || v[i] < lowest {
			continue
		}
		if order = append(order, i); len(order) >= 4*n+64 {
			slices.SortFunc(order, better)
			order = order[:n]
			if n > 0 {
				lowest = v[order[n-1]]
			}
		}
	}
	slices.SortFunc(order, better)
	return order[:min(n, len(order))]
}
